// Controls of generated cases: legal models that a backend must accept for its refusal of a case to count.
#pragma once

#include "conformance/generate/recipe.h"
#include "conformance/plan/planned_case.h"

namespace touchstone::conformance {

/// Offers the candidates for a control of the recipe's case, nearest first. Each is built only when it is offered. The
/// first one is the same model with ordinary values. The next ones avoid what a permitted reading may reject: first the
/// geometry, then version 23 (amb-which-version-23) for version 24, then redundant attributes, the form, types and
/// operands, and finally the quantized type. Operator and granularity are always those of the recipe.
void offer_control_candidates(const Recipe& recipe, const TakeCase& take);

}  // namespace touchstone::conformance
