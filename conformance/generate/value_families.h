// Legal cases with values that the cases of the cells do not have.
#pragma once

#include "conformance/generate/recipes.h"

namespace touchstone::conformance {

/// Unusual scales, zero points and attributes, all codes of narrow operands, and inputs for special thresholds.
void add_values(const Group& group, Recipes& recipes);

}  // namespace touchstone::conformance
