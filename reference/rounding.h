// Rounding of exact values, always to nearest with ties to even unless the name says otherwise.
#pragma once

#include <optional>

#include "reference/value.h"
#include "spec/element_type.h"

namespace touchstone::reference {

/// To an integer. Infinities and NaN are left alone; a result of 0 keeps the sign.
Value round_half_to_even(const Value& value);
/// The school's rounding, and that of C's round(): a known wrong reading.
Value round_half_away_from_zero(const Value& value);
/// Towards zero.
Value truncate(const Value& value);
/// Towards negative infinity.
Value floor(const Value& value);

/// Whether it lies halfway between two integers.
bool is_tie(const Value& value);

/// The magnitude of a finite value divided by 2^exponent; nothing if the quotient is not an integer.
std::optional<Integer> multiple_of_power_of_two(const Value& value, int exponent);

/// The exponent e of the binade that holds a magnitude: 2^e <= magnitude < 2^(e+1).
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

/// To the format's fraction bits, with gradual underflow and an unbounded exponent above: what the float8 tables of
/// Cast write as [x]. Infinities, NaN and zeros are left alone; a result of 0 keeps the sign.
Value round_to_fraction_bits(const Value& value, const spec::FloatFormat& format);

/// The conversion of IEEE 754 to a format that has infinities: round_to_fraction_bits, then overflow to infinity.
Value round_to_ieee(const Value& value, const spec::FloatFormat& format);

/// The value of a floating-point type in which an operation is done: round_to_ieee, or for float8e8m0 the nearest power
/// of two, NaN where there is none.
Value round_to_type(const Value& value, spec::ElementType type);

}  // namespace touchstone::reference
