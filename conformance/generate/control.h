// Controls of generated cases: legal models that a backend must accept for its refusal of a case to show anything.
#pragma once

#include <cstddef>
#include <optional>

#include "conformance/generate/recipe.h"

namespace touchstone::conformance {

/// The candidates for a control of the recipe's case, the nearest first; nothing when there are no more. The first one
/// is the same model with ordinary values. Then come those that leave out what a permitted reading may reject: an
/// attribute that says what need not be said, the geometry, the form, and then types and operands, at last the
/// quantized type. The operator version, the opset and the granularity are always those of the recipe.
std::optional<Case> control_candidate(const Recipe& recipe, std::size_t place);

}  // namespace touchstone::conformance
