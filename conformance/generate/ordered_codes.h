// The finite numbers of an element type in ascending order. Each has a place; adjacent numbers have adjacent places.
// Both zeros are at place 0 (float8e8m0, which has neither zero nor sign, begins with place 0).
#pragma once

#include <cstdint>

#include "conformance/files/names.h"
#include "reference/value.h"

namespace touchstone::conformance {

std::int64_t lowest_place(ElementType type);
std::int64_t highest_place(ElementType type);

/// The code of the number at a place; +0 at place 0 if the type has a zero.
std::uint64_t code_at(ElementType type, std::int64_t place);

/// The place of the largest number that does not exceed `number`, or the lowest place if there is none.
std::int64_t place_below(ElementType type, const reference::Rational& number);

inline reference::Rational power_of_two(int exponent) {
  return reference::Value::scaled(false, 1, exponent).rational();
}

/// The code of the number nearest to `number`, which must not be near an end of the type's range.
std::uint64_t nearest_code(ElementType type, const reference::Rational& number);

}  // namespace touchstone::conformance
