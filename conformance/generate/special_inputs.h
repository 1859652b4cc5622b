// Inputs that tell something whatever the scale is.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/applicability.h"
#include "spec/element_type.h"

namespace touchstone::conformance {

/// Every case of a cell has them all, as far as its elements reach; those come first that matter most. Of types of 8
/// bits or less all codes; of wider integers both ends, and what no narrower float type holds; of floating-point types
/// both infinities, NaN, both zeros, and the ends of the subnormal and the normal numbers.
std::vector<std::uint64_t> special_inputs(spec::ElementType x);

}  // namespace touchstone::conformance
