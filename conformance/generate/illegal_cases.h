// The must-reject cases of the generated suite: nodes that break one rule each.
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
  std::string rule;         ///< its name: the part of the id after must_reject/
  std::string_view clause;  ///< the id of the clause that the node violates
  const Form* form;
  spec::ElementType x;                    ///< of the node before it was broken, or what was packed in it
  spec::ElementType y;                    ///< that the graph declares
  std::function<reference::Node()> node;  ///< made when its turn comes
  /// Offers the candidates for its control, as offer_control_candidates does, in a form: the first is the node before
  /// it was broken, with ordinary values.
  std::function<void(const Form& form, const TakeCase& take)> legal;
  /// The node before it was broken.
  std::function<reference::Node()> unbroken = {};
  /// The node is legal, and the padding bits of its float6 tensors are set.
  bool float6_padding_is_set = false;
  /// Whether the form is not the one that was dealt, which is beyond the plan's limits.
  bool has_other_form = false;
};

/// For every version, everything that one of its rules forbids. The limits change forms only, as those of legal cases.
std::vector<IllegalCase> illegal_cases(std::uint64_t seed, const FormLimits& limits = {});

Case make_case(const IllegalCase& illegal);

/// As for a recipe.
void offer_control_candidates(const IllegalCase& illegal, const TakeCase& take);

}  // namespace touchstone::conformance
