// The cases of the suite `graphs`.
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/files/case.h"
#include "conformance/graphs/patterns.h"
#include "conformance/plan/planned_case.h"
#include "conformance/plan/shared.h"

namespace touchstone::conformance {

/// A compact description of a case, from which the case is built on demand.
struct GraphRecipe {
  SharedText id;
  const Pattern* pattern;
  GraphParameters parameters;
  std::uint64_t seed;
  bool has_other_form = false;  ///< than the id says, because the backend does not support that one
  bool is_twin = false;         ///< a legal graph with the id of one that violates a rule
};

/// The cases of all patterns. In the tier standard, every pair of values of two parameters meets in each pattern and
/// version, and up to opset 21 every type meets every combination of the type of numbers, the granularity and a zero
/// point; one graph violates a rule. The tier smoke is a part of it: every pair meets in each pattern, as far as it
/// does with the types and versions that most runtimes have. The limits change only forms.
std::vector<GraphRecipe> graph_recipes(Tier tier, std::uint64_t seed, const FormLimits& limits = {});

Case make_case(const GraphRecipe& recipe);

/// Offers graphs, of the same pattern if possible, that no reading may reject, nearest first: the same graph without a
/// violation, then with positive scales, then (because a reading takes version 23 from a draft) at opset 24 for opset
/// 23, then with other parameters, and finally a pair without anything around it.
void offer_control_candidates(const GraphRecipe& recipe, const TakeCase& take);

}  // namespace touchstone::conformance
