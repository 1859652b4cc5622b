// Inputs that are revealing with any scale.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/applicability.h"
#include "spec/element_type.h"

namespace touchstone::conformance {

/// The inputs that every case of a cell has, as far as it has enough elements, the most important ones first. For types
/// of at most 8 bits: all codes. For wider integers: both ends, and numbers that no narrower float type can represent.
/// For floating-point types: both infinities, NaN, both zeros, and the ends of the subnormal and the normal numbers.
std::vector<std::uint64_t> special_inputs(spec::ElementType x);

}  // namespace touchstone::conformance
