// The must-reject cases of the generated suite: nodes that violate one rule each.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/generate/form.h"
#include "conformance/plan/planned_case.h"
#include "reference/model/node.h"

namespace touchstone::conformance {

struct IllegalCase {
  std::string id;
  std::string rule;         ///< the part of the id after must_reject/
  std::string_view clause;  ///< the id of the clause that the node violates
  const Form* form;
  spec::ElementType x;                    ///< of the node before it was broken, unpacked
  spec::ElementType y;                    ///< as declared by the graph
  std::function<reference::Node()> node;  ///< builds the node on demand
  /// Offers the candidates for its control in a form, as offer_control_candidates does. The first candidate is the
  /// unbroken node with ordinary values.
  std::function<void(const Form& form, const TakeCase& take)> legal;
  /// The node before it was broken.
  std::function<reference::Node()> unbroken = {};
  /// The node is legal, but the padding bits of its float6 tensors are set.
  bool float6_padding_is_set = false;
  /// Whether another form replaces the dealt one, because that is beyond the plan's limits.
  bool has_other_form = false;
};

/// The cases for every version and everything that its rules forbid. As for legal cases, the limits change only forms.
std::vector<IllegalCase> illegal_cases(std::uint64_t seed, const FormLimits& limits = {});

/// A subset of them: each clause is violated once for every operator, in the oldest version that has the clause.
std::vector<IllegalCase> illegal_smoke_cases(std::uint64_t seed, const FormLimits& limits = {});

Case make_case(const IllegalCase& illegal);

/// As for a recipe.
void offer_control_candidates(const IllegalCase& illegal, const TakeCase& take);

}  // namespace touchstone::conformance
