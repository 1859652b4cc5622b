#include "reference/rounding.h"

#include <algorithm>
#include <cstdlib>

namespace touchstone::reference {

namespace {

struct QuotientAndRest {
  Integer quotient;     // floor of the magnitude
  Integer twice_rest;   // twice what is left, over ...
  Integer denominator;  // ... this: their comparison tells below, at or above one half
};

// Of magnitude / 2^exponent.
QuotientAndRest split(const Rational& magnitude, int exponent = 0) {
  QuotientAndRest parts;
  Integer above = numerator(magnitude);
  parts.denominator = denominator(magnitude);
  (exponent < 0 ? above : parts.denominator) <<= std::abs(exponent);
  Integer rest;
  divide_qr(above, parts.denominator, parts.quotient, rest);
  parts.twice_rest = rest << 1;
  return parts;
}

// magnitude / 2^exponent to the nearest integer, ties to even.
Integer nearest_even(const Rational& magnitude, int exponent = 0) {
  QuotientAndRest parts = split(magnitude, exponent);
  const int half = parts.twice_rest.compare(parts.denominator);
  if (half > 0 || (half == 0 && bit_test(parts.quotient, 0))) ++parts.quotient;
  return parts.quotient;
}

Value with_magnitude(bool negative, const Rational& magnitude) {
  return magnitude == 0 ? Value::zero(negative) : Value::number(negative, magnitude);
}

}  // namespace

Value round_half_to_even(const Value& value) {
  if (value.kind() != Value::Kind::number) return value;
  return with_magnitude(value.is_negative(), Rational(nearest_even(value.magnitude())));
}

Value round_half_away_from_zero(const Value& value) {
  if (value.kind() != Value::Kind::number) return value;
  QuotientAndRest parts = split(value.magnitude());
  if (parts.twice_rest >= parts.denominator) ++parts.quotient;
  return with_magnitude(value.is_negative(), Rational(parts.quotient));
}

Value truncate(const Value& value) {
  if (value.kind() != Value::Kind::number) return value;
  return with_magnitude(value.is_negative(), Rational(split(value.magnitude()).quotient));
}

Value floor(const Value& value) {
  if (value.kind() != Value::Kind::number) return value;
  QuotientAndRest parts = split(value.magnitude());
  if (value.is_negative() && parts.twice_rest != 0) ++parts.quotient;
  return with_magnitude(value.is_negative(), Rational(parts.quotient));
}

int binade(const Rational& magnitude) {
  const Integer above = numerator(magnitude);
  const Integer below = denominator(magnitude);
  const int exponent = static_cast<int>(msb(above)) - static_cast<int>(msb(below));
  const bool reaches = exponent >= 0 ? above >= (below << exponent) : (above << -exponent) >= below;
  return reaches ? exponent : exponent - 1;
}

Rational scaled(const Integer& significand, int exponent) {
  if (exponent >= 0) return Rational(Integer(significand << exponent));
  if (significand == 0) return 0;
  const int common = std::min(-exponent, static_cast<int>(lsb(Integer(abs(significand)))));
  return Rational(Integer(significand >> common), Integer(1) << (-exponent - common));
}

Rational power_of_two(int exponent) { return scaled(1, exponent); }

bool has_number(const spec::FloatFormat& format, const Rational& magnitude) {
  const Integer above = numerator(magnitude);
  const Integer below = denominator(magnitude);
  if (lsb(below) != msb(below)) return false;  // not a power of two
  const int point = static_cast<int>(msb(below));
  const int highest_bit = static_cast<int>(msb(above)) - point;
  const int lowest_bit = static_cast<int>(lsb(above)) - point;
  return highest_bit - lowest_bit <= format.fraction_bits &&
         lowest_bit >= smallest_exponent(format) - format.fraction_bits && highest_bit <= largest_exponent(format);
}

Rational largest_finite(const spec::FloatFormat& format) {
  // Largest exponent field and fraction field, less the codes that the format spends on infinities and NaN.
  int exponent_field = (1 << format.exponent_bits) - 1;
  Integer fraction = (Integer(1) << format.fraction_bits) - 1;
  if (format.special_codes == spec::SpecialCodes::ieee) --exponent_field;
  if (format.special_codes == spec::SpecialCodes::fn) --fraction;
  if (format.special_codes == spec::SpecialCodes::power_of_two) --exponent_field;
  const int exponent = exponent_field - format.exponent_bias;
  return power_of_two(exponent) + fraction * power_of_two(exponent - format.fraction_bits);
}

Value round_to_fraction_bits(const Value& value, const spec::FloatFormat& format) {
  if (value.kind() != Value::Kind::number) return value;
  const int exponent = std::max(binade(value.magnitude()), smallest_exponent(format));
  const int unit = exponent - format.fraction_bits;
  return with_magnitude(value.is_negative(), scaled(nearest_even(value.magnitude(), unit), unit));
}

Value round_to_ieee(const Value& value, const spec::FloatFormat& format) {
  if (value.kind() != Value::Kind::number || has_number(format, value.magnitude())) return value;
  const Value rounded = round_to_fraction_bits(value, format);
  if (rounded.kind() == Value::Kind::number && binade(rounded.magnitude()) > largest_exponent(format))
    return Value::infinity(rounded.is_negative());
  return rounded;
}

Value round_to_type(const Value& value, spec::ElementType type) {
  const spec::FloatFormat& format = *spec::info(type).format;
  if (format.special_codes == spec::SpecialCodes::ieee) return round_to_ieee(value, format);
  if (!value.is_finite() || value.is_negative() || value.is_zero()) return Value::nan();
  const Value rounded = round_to_fraction_bits(value, format);
  return rounded.is_zero() || rounded.magnitude() > largest_finite(format) ? Value::nan() : rounded;
}

}  // namespace touchstone::reference
