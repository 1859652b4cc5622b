// The quotients at which the output of QuantizeLinear changes, before the zero point is added.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/value.h"
#include "spec/element_type.h"

namespace touchstone::conformance {

/// Places of y on both sides (of integers: numbers, before the zero point is added), and the place of the even one.
struct Threshold {
  reference::Rational quotient;
  reference::Rational from;  ///< the number at the lower place
  reference::Rational to;    ///< the number at the upper place
  std::int64_t lower;
  std::int64_t upper;
  std::int64_t even;
};

/// Ties next to zero, at both ends and further in; of floating-point types those of subnormal and normal numbers, and
/// where the largest number ends. The zero point is a place of y, and 0 for floating-point types.
std::vector<Threshold> thresholds(spec::ElementType y, std::int64_t zero_point);

}  // namespace touchstone::conformance
