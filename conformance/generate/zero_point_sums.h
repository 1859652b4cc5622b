// Inputs of QuantizeLinear with a floating-point zero point at which it matters what the sum is rounded to.
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/plan/cell.h"

namespace touchstone::conformance {

/// Codes of x, with a scale and a zero point that are codes, too. The sum of quotient and zero point lies so close to a
/// midpoint between the zero point and a neighbour of it that, rounded to the type of the division, it is the midpoint.
std::vector<std::uint64_t> inputs_beside_midpoints(const Cell& cell, std::uint64_t scale, std::uint64_t zero_point);

}  // namespace touchstone::conformance
