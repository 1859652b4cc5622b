// The must-reject cases of the generated suite: nodes that violate one rule each.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "conformance/files/names.h"
#include "conformance/generate/recipe.h"
#include "conformance/plan/planned_case.h"

namespace touchstone::conformance {

/// The recipe of a legal case, and what breaks its node.
struct IllegalCase : Recipe {
  std::string_view clause;  ///< the id of the clause that the broken node violates
  std::function<void(Node&)> breaks;
  /// The node is legal, but the padding bits of its float6 tensors are set.
  bool float6_padding_is_set = false;

  Node node() const;
  Node unbroken() const { return make_node(*this); }
  /// The part of the id after must_reject/.
  std::string_view rule() const;
};

/// The cases for every version and everything that its rules forbid. As for legal cases, the limits change only forms.
std::vector<IllegalCase> illegal_cases(std::uint64_t seed, const FormLimits& limits = {});

/// A subset of them: each clause is violated once for every operator, in the oldest version that has the clause.
std::vector<IllegalCase> illegal_smoke_cases(std::uint64_t seed, const FormLimits& limits = {});

Case make_case(const IllegalCase& illegal);

/// As for a recipe. The first candidate is the unbroken node with ordinary values.
void offer_control_candidates(const IllegalCase& illegal, const TakeCase& take);

}  // namespace touchstone::conformance
