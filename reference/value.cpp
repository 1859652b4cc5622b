#include "reference/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace touchstone::reference {

namespace {

Integer shifted(Integer value, int bits) {
  if (bits > 0) value <<= bits;
  return value;
}

Integer product(const Integer& left, const Integer& right) {
  if (right == 1) return left;
  return left * right;
}

}  // namespace

int Magnitude::compare(const Magnitude& other) const {
  return shifted(product(numerator, other.denominator), exponent - other.exponent)
      .compare(shifted(product(other.numerator, denominator), other.exponent - exponent));
}

Rational Magnitude::rational() const { return Rational(shifted(numerator, exponent), shifted(denominator, -exponent)); }

Value Value::number(bool negative, Magnitude magnitude) {
  Value value(Kind::number, negative);
  value.magnitude_ = std::move(magnitude);
  return value;
}

Value Value::number(bool negative, const Rational& magnitude) {
  return number(negative, Magnitude{boost::multiprecision::numerator(magnitude),
                                    boost::multiprecision::denominator(magnitude), 0});
}

Value Value::scaled(bool negative, const Integer& significand, int exponent) {
  return significand == 0 ? zero(negative) : number(negative, Magnitude{significand, 1, exponent});
}

Value Value::of(const Rational& value) {
  if (value == 0) return zero(false);
  return number(value < 0, abs(value));
}

Value Value::of(const Integer& value) { return scaled(value < 0, abs(value), 0); }

Rational Value::rational() const {
  if (kind_ == Kind::zero) return 0;
  return negative_ ? Rational(-magnitude_.rational()) : magnitude_.rational();
}

Value Value::operator-() const {
  Value negated = *this;
  if (!is_nan()) negated.negative_ = !negated.negative_;
  return negated;
}

bool Value::operator==(const Value& other) const {
  return kind_ == other.kind_ && negative_ == other.negative_ &&
         (kind_ != Kind::number || magnitude_ == other.magnitude_);
}

// IEEE 754-2019, 6.1: infinities of different signs have no sum; 6.3: under round-half-even an exact sum of zero is +0,
// unless both operands are -0.
Value add(const Value& left, const Value& right) {
  if (left.is_nan() || right.is_nan()) return Value::nan();
  if (left.is_infinity() && right.is_infinity()) return left.is_negative() == right.is_negative() ? left : Value::nan();
  if (left.is_infinity()) return left;
  if (right.is_infinity()) return right;
  if (left.is_zero() && right.is_zero()) return Value::zero(left.is_negative() && right.is_negative());
  if (left.is_zero()) return right;
  if (right.is_zero()) return left;

  const Magnitude& l = left.magnitude();
  const Magnitude& r = right.magnitude();
  const int exponent = std::min(l.exponent, r.exponent);
  Integer l_numerator = shifted(product(l.numerator, r.denominator), l.exponent - exponent);
  Integer r_numerator = shifted(product(r.numerator, l.denominator), r.exponent - exponent);
  if (left.is_negative()) l_numerator = -l_numerator;
  if (right.is_negative()) r_numerator = -r_numerator;
  const Integer sum = l_numerator + r_numerator;
  if (sum == 0) return Value::zero(false);
  return Value::number(sum < 0, Magnitude{abs(sum), product(l.denominator, r.denominator), exponent});
}

Value subtract(const Value& left, const Value& right) { return add(left, -right); }

// IEEE 754-2019, 6.3: the sign of a product or quotient is the exclusive or of the operands' signs; 7.2: 0 * Inf is
// NaN.
Value multiply(const Value& left, const Value& right) {
  if (left.is_nan() || right.is_nan()) return Value::nan();
  const bool negative = left.is_negative() != right.is_negative();
  if (left.is_infinity() || right.is_infinity())
    return left.is_zero() || right.is_zero() ? Value::nan() : Value::infinity(negative);
  if (left.is_zero() || right.is_zero()) return Value::zero(negative);
  const Magnitude& l = left.magnitude();
  const Magnitude& r = right.magnitude();
  return Value::number(negative, Magnitude{product(l.numerator, r.numerator), product(l.denominator, r.denominator),
                                           l.exponent + r.exponent});
}

// IEEE 754-2019, 7.2: 0/0 and Inf/Inf are NaN; 7.3: a number over zero is an infinity.
Value divide(const Value& dividend, const Value& divisor) {
  if (dividend.is_nan() || divisor.is_nan()) return Value::nan();
  const bool negative = dividend.is_negative() != divisor.is_negative();
  if (dividend.is_infinity()) return divisor.is_infinity() ? Value::nan() : Value::infinity(negative);
  if (divisor.is_infinity()) return Value::zero(negative);
  if (divisor.is_zero()) return dividend.is_zero() ? Value::nan() : Value::infinity(negative);
  if (dividend.is_zero()) return Value::zero(negative);
  const Magnitude& l = dividend.magnitude();
  const Magnitude& r = divisor.magnitude();
  return Value::number(negative, Magnitude{product(l.numerator, r.denominator), product(r.numerator, l.denominator),
                                           l.exponent - r.exponent});
}

// IEEE 754-2019, 5.11: comparisons ignore the sign of zero, and infinities of the same sign are equal.
int compare(const Value& left, const Value& right) {
  const auto sign = [](const Value& value) { return value.is_zero() ? 0 : value.is_negative() ? -1 : 1; };
  if (sign(left) != sign(right)) return sign(left) < sign(right) ? -1 : 1;
  if (left.is_zero()) return 0;
  if (left.is_infinity() || right.is_infinity())
    return (static_cast<int>(left.is_infinity()) - static_cast<int>(right.is_infinity())) * sign(left);
  return left.magnitude().compare(right.magnitude()) * sign(left);
}

std::string to_string(const Value& value) {
  const std::string sign = value.is_negative() ? "-" : "";
  switch (value.kind()) {
    case Value::Kind::nan: return "nan";
    case Value::Kind::infinity: return sign + "inf";
    case Value::Kind::zero: return sign + "0";
    case Value::Kind::number: break;
  }
  const Rational magnitude = value.magnitude().rational();
  const auto nearest = magnitude.convert_to<double>();
  char digits[32];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, nearest);
  const bool exact = std::isfinite(nearest) && Rational(nearest) == magnitude;
  return (exact ? "" : "~") + sign + std::string(digits, end.ptr);
}

}  // namespace touchstone::reference
