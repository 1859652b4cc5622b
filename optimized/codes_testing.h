// For tests: conversions between numbers and codes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "reference/codec.h"
#include "reference/host_numbers.h"
#include "reference/rounding.h"
#include "spec/element_type.h"

namespace touchstone::optimized {

using spec::ElementType;

/// The code of a number rounded to a type.
inline std::uint64_t rounded_code(ElementType type, double number) {
  if (spec::is_integer(type)) {
    const double low = static_cast<double>(reference::lowest(type));
    const double high = static_cast<double>(reference::highest(type));
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::nearbyint(std::clamp(number, low, high))));
  }
  return reference::encode(type, reference::round_to_type(reference::exact(number), type));
}

inline double number_of(ElementType type, std::uint64_t code) {
  const reference::Value value = reference::decode(type, code);
  if (value.is_nan()) return std::numeric_limits<double>::quiet_NaN();
  if (value.is_infinity()) return value.is_negative() ? -HUGE_VAL : HUGE_VAL;
  return static_cast<double>(value.rational());
}

}  // namespace touchstone::optimized
