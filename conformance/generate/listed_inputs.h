// Complete lists of inputs, for thresholds that a sample could miss.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/value.h"
#include "spec/element_type.h"

namespace touchstone::conformance {

/// Codes of x whose quotients lie beyond the largest number of the floating-point type y, with both signs. The
/// quotients lie at the numbers that y would have with more exponents, and in every gap between them, up to four times
/// the largest number; beyond that at increasing distances. The first gap begins where rounding overflows.
std::vector<std::uint64_t> inputs_beyond_range(spec::ElementType x, spec::ElementType y, const reference::Value& scale);

/// Codes of x at and next to 2^15, 2^16, 2^31, 2^32 and 2^63, and codes whose quotients are there; with both signs,
/// within the range of x. The scale must be a power of two.
std::vector<std::uint64_t> inputs_at_powers_of_two(spec::ElementType x, const reference::Value& scale);

/// Codes of x at, and on both sides of, the thresholds of y with a scale of 1, and those at powers of two.
std::vector<std::uint64_t> inputs_at_steps(spec::ElementType x, spec::ElementType y, std::uint64_t zero_point);

}  // namespace touchstone::conformance
