// Rounding of exact values, always to nearest with ties to even unless the name says otherwise.
#pragma once

#include <optional>

#include "reference/value.h"
#include "spec/element_type.h"

namespace touchstone::reference {

/// Rounds to an integer. Infinities and NaN do not change; a result of 0 keeps the sign.
Value round_half_to_even(const Value& value);
/// As C's round() does: a known wrong reading.
Value round_half_away_from_zero(const Value& value);
/// Rounds towards zero.
Value truncate(const Value& value);
/// Rounds towards negative infinity.
Value floor(const Value& value);

/// Whether the value lies halfway between two integers.
bool is_tie(const Value& value);

/// The magnitude of a finite value divided by 2^exponent; std::nullopt if the quotient is not an integer.
std::optional<Integer> multiple_of_power_of_two(const Value& value, int exponent);

/// The exponent e of the binade of a magnitude: 2^e <= magnitude < 2^(e+1).
int binade(const Magnitude& magnitude);

/// The exponent of the smallest normal number of the format.
constexpr int smallest_exponent(const spec::FloatFormat& format) {
  const bool field_0_is_normal = format.special_codes == spec::SpecialCodes::power_of_two;
  return (field_0_is_normal ? 0 : 1) - format.exponent_bias;
}

/// The exponent of the largest finite numbers of a format that has infinities.
constexpr int largest_exponent(const spec::FloatFormat& format) { return format.exponent_bias; }

/// The largest finite number of the format.
Magnitude largest_finite(const spec::FloatFormat& format);

/// Rounds to the format's fraction bits, with gradual underflow and without an upper limit of the exponent: [x] in the
/// float8 tables of Cast. Infinities, NaN and zeros do not change; a result of 0 keeps the sign.
Value round_to_fraction_bits(const Value& value, const spec::FloatFormat& format);

/// The IEEE 754 conversion to a format that has infinities: round_to_fraction_bits, then overflow to infinity.
Value round_to_ieee(const Value& value, const spec::FloatFormat& format);

/// Rounds to the floating-point type of an operation: round_to_ieee, or for float8e8m0 the nearest power of two, and
/// NaN if there is none.
Value round_to_type(const Value& value, spec::ElementType type);

/// Rounds to float8, float6 or float4 as the tables of Cast do: "[x] means the value rounded to the target mantissa
/// width". NaN becomes 0, as float6 and float4 have none: x must not be NaN for float8.
Value round_to_small_float(const Value& value, spec::ElementType to, bool saturates);

}  // namespace touchstone::reference
