// Exact values written as numbers of the host: for tests, and to choose values. They decide no result.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <ostream>

#include "reference/value.h"
#include "spec/element_type.h"

namespace touchstone::reference {

inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The value that a float64 denotes, decomposed by the host.
inline Value exact(double number) {
  const bool negative = std::signbit(number);
  if (std::isnan(number)) return Value::nan();
  if (std::isinf(number)) return Value::infinity(negative);
  if (number == 0) return Value::zero(negative);
  int exponent = 0;
  const Integer significand = static_cast<std::int64_t>(std::ldexp(std::frexp(std::fabs(number), &exponent), 53));
  const Integer scale = Integer(1) << std::abs(exponent - 53);
  return Value::number(negative, exponent < 53 ? Rational(significand, scale) : Rational(Integer(significand * scale)));
}

/// The code of a number rounded to a type. Integers and types of at most 8 bits saturate, except for float8e8m0.
std::uint64_t rounded_code(spec::ElementType type, double number);

double number_of(spec::ElementType type, std::uint64_t code);

inline void PrintTo(const Value& value, std::ostream* out) { *out << to_string(value); }

}  // namespace touchstone::reference
