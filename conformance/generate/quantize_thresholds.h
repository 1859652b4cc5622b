// The quotients at which the output of QuantizeLinear changes, before the zero point is added.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/value.h"
#include "spec/element_type.h"

namespace touchstone::conformance {

/// The places of y on both sides and the place of the even one. For integers these are numbers, before the zero point
/// is added.
struct Threshold {
  reference::Rational quotient;
  reference::Rational from;  ///< the number at the lower place
  reference::Rational to;    ///< the number at the upper place
  std::int64_t lower;
  std::int64_t upper;
  std::int64_t even;
};

/// Ties next to zero, at both ends and further inside. For floating-point types: ties between subnormal and between
/// normal numbers, and the end of the range. The zero point is a place of y, and 0 for floating-point types.
std::vector<Threshold> thresholds(spec::ElementType y, std::int64_t zero_point);

}  // namespace touchstone::conformance
