// Controls of generated cases: legal models that a backend must accept for its refusal of a case to show anything.
#pragma once

#include "conformance/generate/recipe.h"
#include "conformance/plan/planned_case.h"

namespace touchstone::conformance {

/// Offers the candidates for a control of the recipe's case, the nearest first. Each is made when its turn comes. The
/// first one is the same model with ordinary values. Then come those that leave out what a permitted reading may
/// reject: an attribute that says what need not be said, the geometry, the form, and then types and operands, at last
/// the quantized type. The operator version, the opset and the granularity are always those of the recipe.
void offer_control_candidates(const Recipe& recipe, const TakeCase& take);

}  // namespace touchstone::conformance
