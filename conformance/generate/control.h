// Controls of generated cases: legal models that a backend must accept for its refusal of a case to count.
#pragma once

#include "conformance/generate/recipe.h"
#include "conformance/plan/planned_case.h"

namespace touchstone::conformance {

/// Offers the candidates for a control of the recipe's case, nearest first. Each is built only when it is offered. The
/// first one is the same model with ordinary values. The next ones avoid what a permitted reading may reject: first
/// redundant attributes, then the geometry, the form, types and operands, and finally the quantized type. Operator
/// version, opset and granularity are always those of the recipe.
void offer_control_candidates(const Recipe& recipe, const TakeCase& take);

}  // namespace touchstone::conformance
