// Inputs of QuantizeLinear with a floating-point zero point for which the rounding of the sum matters.
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/plan/cell.h"

namespace touchstone::conformance {

/// Codes of x for a scale and a zero point, which are codes, too. The sum of quotient and zero point is so close to a
/// midpoint between the zero point and one of its neighbours that it becomes the midpoint when rounded to the type of
/// the division.
std::vector<std::uint64_t> inputs_beside_midpoints(const Cell& cell, std::uint64_t scale, std::uint64_t zero_point);

}  // namespace touchstone::conformance
