#include "reference/rounding.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace touchstone::reference {

namespace {

struct QuotientAndRest {
  Integer quotient;     // floor of the magnitude
  Integer twice_rest;   // twice the remainder, divided by ...
  Integer denominator;  // ... this; comparing them shows whether the remainder is below, at or above one half
};

// Splits magnitude / 2^exponent.
QuotientAndRest split(const Magnitude& magnitude, int exponent) {
  const int shift = magnitude.exponent - exponent;
  if (shift >= 0 && magnitude.denominator == 1) return {magnitude.numerator << shift, 0, 1};
  QuotientAndRest parts;
  Integer above = magnitude.numerator;
  parts.denominator = magnitude.denominator;
  (shift > 0 ? above : parts.denominator) <<= std::abs(shift);
  Integer rest;
  divide_qr(above, parts.denominator, parts.quotient, rest);
  parts.twice_rest = rest << 1;
  return parts;
}

// magnitude / 2^exponent, rounded to the nearest integer, ties to even.
Integer nearest_even(const Magnitude& magnitude, int exponent) {
  QuotientAndRest parts = split(magnitude, exponent);
  const int half = parts.twice_rest.compare(parts.denominator);
  if (half > 0 || (half == 0 && bit_test(parts.quotient, 0))) ++parts.quotient;
  return parts.quotient;
}

// Properties that the binary digits show without a division, if there is a last digit.
bool is_dyadic(const Magnitude& magnitude) { return magnitude.denominator == 1; }
int lowest_bit(const Magnitude& dyadic) { return static_cast<int>(lsb(dyadic.numerator)) + dyadic.exponent; }
int highest_bit(const Magnitude& dyadic) { return static_cast<int>(msb(dyadic.numerator)) + dyadic.exponent; }

// Whether the format has a number of this magnitude. The format must have infinities. May return false for a number
// that is not in lowest terms.
bool is_plainly_of(const spec::FloatFormat& format, const Magnitude& magnitude) {
  if (!is_dyadic(magnitude)) return false;
  const int lowest = lowest_bit(magnitude);
  const int highest = highest_bit(magnitude);
  return highest - lowest <= format.fraction_bits && lowest >= smallest_exponent(format) - format.fraction_bits &&
         highest <= largest_exponent(format);
}

}  // namespace

Value round_half_to_even(const Value& value) {
  if (value.kind() != Value::Kind::number) return value;
  return Value::scaled(value.is_negative(), nearest_even(value.magnitude(), 0), 0);
}

Value round_half_away_from_zero(const Value& value) {
  if (value.kind() != Value::Kind::number) return value;
  QuotientAndRest parts = split(value.magnitude(), 0);
  if (parts.twice_rest >= parts.denominator) ++parts.quotient;
  return Value::scaled(value.is_negative(), parts.quotient, 0);
}

Value truncate(const Value& value) {
  if (value.kind() != Value::Kind::number) return value;
  return Value::scaled(value.is_negative(), split(value.magnitude(), 0).quotient, 0);
}

Value floor(const Value& value) {
  if (value.kind() != Value::Kind::number) return value;
  QuotientAndRest parts = split(value.magnitude(), 0);
  if (value.is_negative() && parts.twice_rest != 0) ++parts.quotient;
  return Value::scaled(value.is_negative(), parts.quotient, 0);
}

bool is_tie(const Value& value) {
  if (value.kind() != Value::Kind::number) return false;
  if (is_dyadic(value.magnitude())) return lowest_bit(value.magnitude()) == -1;
  const QuotientAndRest parts = split(value.magnitude(), 0);
  return parts.twice_rest == parts.denominator;
}

std::optional<Integer> multiple_of_power_of_two(const Value& value, int exponent) {
  if (value.is_zero()) return Integer(0);
  if (value.kind() != Value::Kind::number) return std::nullopt;
  if (is_dyadic(value.magnitude()) && lowest_bit(value.magnitude()) < exponent) return std::nullopt;
  const QuotientAndRest parts = split(value.magnitude(), exponent);
  return parts.twice_rest == 0 ? std::optional(parts.quotient) : std::nullopt;
}

int binade(const Magnitude& magnitude) {
  const Integer& above = magnitude.numerator;
  const Integer& below = magnitude.denominator;
  const int difference = static_cast<int>(msb(above)) - static_cast<int>(msb(below));
  const bool reaches =
      below == 1 || (difference >= 0 ? above >= (below << difference) : (above << -difference) >= below);
  return (reaches ? difference : difference - 1) + magnitude.exponent;
}

Magnitude largest_finite(const spec::FloatFormat& format) {
  // The largest exponent field and fraction field, minus the codes that the format uses for infinities and NaN.
  int exponent_field = (1 << format.exponent_bits) - 1;
  std::uint64_t significand = (std::uint64_t{2} << format.fraction_bits) - 1;
  if (format.special_codes == spec::SpecialCodes::ieee) --exponent_field;
  if (format.special_codes == spec::SpecialCodes::fn) --significand;
  if (format.special_codes == spec::SpecialCodes::power_of_two) --exponent_field;
  return {significand, 1, exponent_field - format.exponent_bias - format.fraction_bits};
}

Value round_to_fraction_bits(const Value& value, const spec::FloatFormat& format) {
  if (value.kind() != Value::Kind::number) return value;
  const int exponent = std::max(binade(value.magnitude()), smallest_exponent(format));
  const int unit = exponent - format.fraction_bits;
  return Value::scaled(value.is_negative(), nearest_even(value.magnitude(), unit), unit);
}

Value round_to_ieee(const Value& value, const spec::FloatFormat& format) {
  if (value.kind() != Value::Kind::number || is_plainly_of(format, value.magnitude())) return value;
  const Value rounded = round_to_fraction_bits(value, format);
  if (rounded.kind() == Value::Kind::number && binade(rounded.magnitude()) > largest_exponent(format))
    return Value::infinity(rounded.is_negative());
  return rounded;
}

Value round_to_type(const Value& value, spec::ElementType type) {
  const spec::FloatFormat& format = spec::format_of(type);
  if (format.special_codes == spec::SpecialCodes::ieee) return round_to_ieee(value, format);
  if (!value.is_finite() || value.is_negative() || value.is_zero()) return Value::nan();
  const Value rounded = round_to_fraction_bits(value, format);
  return rounded.is_zero() || rounded.magnitude() > largest_finite(format) ? Value::nan() : rounded;
}

Value round_to_small_float(const Value& value, spec::ElementType to, bool saturates) {
  const spec::FloatFormat& format = spec::format_of(to);
  if (value.is_nan()) return Value::zero(false);  // float6 and float4 have no NaN
  const Value rounded = round_to_fraction_bits(value, format);
  if (rounded.is_zero() && format.special_codes == spec::SpecialCodes::fnuz) return Value::zero(false);
  const Value largest = Value::number(false, largest_finite(format));
  if (!less(largest, rounded.is_negative() ? -rounded : rounded)) return rounded;
  if (saturates) return value.is_negative() ? -largest : largest;
  return format.special_codes == spec::SpecialCodes::ieee ? Value::infinity(value.is_negative()) : Value::nan();
}

}  // namespace touchstone::reference
