// Inputs that are tried one after the other, as no sample of others has to have them.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/value.h"
#include "spec/element_type.h"

namespace touchstone::conformance {

/// Codes of x whose quotients lie beyond the largest number of the floating-point type y, with both signs: up to four
/// times the largest number in every gap between what would be the next numbers if there were more exponents, and at
/// these; then at greater and greater distances. The first gap begins where rounding overflows.
std::vector<std::uint64_t> inputs_beyond_range(spec::ElementType x, spec::ElementType y, const reference::Value& scale);

/// Codes of x next to, and at, 2^15, 2^16, 2^31, 2^32 and 2^63, and those whose quotients are there; with both signs,
/// as far as the type of x goes. The scale is a power of two.
std::vector<std::uint64_t> inputs_at_powers_of_two(spec::ElementType x, const reference::Value& scale);

/// Codes of x that a scale of 1 leaves at, and on both sides of, the thresholds of y, and those at powers of two.
std::vector<std::uint64_t> inputs_at_steps(spec::ElementType x, spec::ElementType y, std::uint64_t zero_point);

}  // namespace touchstone::conformance
