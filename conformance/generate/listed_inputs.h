// Lists of inputs that are revealing whatever the directed values are: special numbers, and every threshold of a kind,
// which a sample could miss.
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/files/names.h"
#include "conformance/plan/cell.h"
#include "reference/value.h"

namespace touchstone::conformance {

/// Codes of x whose quotients lie beyond the largest number of the floating-point type y, with both signs. The
/// quotients lie at the numbers that y would have with more exponents, and in every gap between them, up to four times
/// the largest number; beyond that at increasing distances. The first gap begins where rounding overflows.
std::vector<std::uint64_t> inputs_beyond_range(ElementType x, ElementType y, const reference::Value& scale);

/// Codes of x at and next to 2^15, 2^16, 2^31, 2^32 and 2^63, and codes whose quotients are there; with both signs,
/// within the range of x. The scale must be a power of two.
std::vector<std::uint64_t> inputs_at_powers_of_two(ElementType x, const reference::Value& scale);

/// Codes of x at, and on both sides of, the thresholds of y with a scale of 1, and those at powers of two.
std::vector<std::uint64_t> inputs_at_steps(ElementType x, ElementType y, std::uint64_t zero_point);

/// Quotients that every integer type and most floating-point types round to different results, also if they are halved
/// or doubled.
const std::vector<reference::Value>& small_quotients();

/// Ties of y that are rounded away from zero, so that quotients slightly nearer to zero have other results.
std::vector<reference::Value> ties_away_from_zero(ElementType y, std::uint64_t zero_point);

/// The inputs that every case of a cell has, as far as it has enough elements, the most important ones first. For types
/// of at most 8 bits: all codes. For wider integers: both ends, and numbers that no narrower float type can represent.
/// For floating-point types: both infinities, NaN, both zeros, and the ends of the subnormal and the normal numbers.
std::vector<std::uint64_t> special_inputs(ElementType x);

/// Codes of x for a scale and a zero point, which are codes, too. The sum of quotient and zero point is so close to a
/// midpoint between the zero point and one of its neighbours that it becomes the midpoint when rounded to the type of
/// the division.
std::vector<std::uint64_t> inputs_beside_midpoints(const Cell& cell, std::uint64_t scale, std::uint64_t zero_point);

}  // namespace touchstone::conformance
