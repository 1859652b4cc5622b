// The exact value of a tensor element: a rational number, an infinity with its sign, a signed zero, or NaN.
//
// The operations are those of IEEE 754 without the rounding: the result is exact, and the rules for infinities, NaN and
// the sign of zero are IEEE's. Rounding to a type is a separate step (reference/rounding.h), which is applied only
// where the specification, or a reading of it, requires it. Nothing uses the host's floating-point arithmetic.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <string>

namespace touchstone::reference {

/// Unbounded. Integers of up to 320 bits need no allocation, which covers float32 divided by float32.
using IntegerBackend = boost::multiprecision::cpp_int_backend<320>;
using Integer = boost::multiprecision::number<IntegerBackend, boost::multiprecision::et_off>;
using Rational = boost::multiprecision::number<boost::multiprecision::rational_adaptor<IntegerBackend>,
                                               boost::multiprecision::et_off>;

/// A positive number, numerator / denominator * 2^exponent. Not in lowest terms: reducing a fraction costs more than
/// everything else that is done with it. The exponent keeps powers of two, which are frequent in floating-point
/// numbers, out of the integers.
struct Magnitude {
  Integer numerator = 1;
  Integer denominator = 1;
  int exponent = 0;

  bool operator==(const Magnitude& other) const { return compare(other) == 0; }
  bool operator<(const Magnitude& other) const { return compare(other) < 0; }
  bool operator>(const Magnitude& other) const { return compare(other) > 0; }

  /// -1, 0 or 1 if this is less than the other, equal to it, or greater.
  int compare(const Magnitude& other) const;

  Rational rational() const;
};

class Value {
 public:
  enum class Kind { nan, infinity, zero, number };

  static Value nan() { return Value(Kind::nan, false); }
  static Value infinity(bool negative) { return Value(Kind::infinity, negative); }
  static Value zero(bool negative) { return Value(Kind::zero, negative); }
  /// A positive magnitude with a sign.
  static Value number(bool negative, Magnitude magnitude);
  static Value number(bool negative, const Rational& magnitude);
  /// With magnitude significand * 2^exponent; zero if that is 0.
  static Value scaled(bool negative, const Integer& significand, int exponent);
  /// 0 gives +0.
  static Value of(const Rational& value);
  static Value of(const Integer& value);

  Kind kind() const { return kind_; }
  bool is_nan() const { return kind_ == Kind::nan; }
  bool is_infinity() const { return kind_ == Kind::infinity; }
  bool is_zero() const { return kind_ == Kind::zero; }
  bool is_finite() const { return kind_ == Kind::zero || kind_ == Kind::number; }
  /// The sign bit; false for NaN.
  bool is_negative() const { return negative_; }
  /// Only for the kind `number`.
  const Magnitude& magnitude() const { return magnitude_; }
  /// Including its sign. Only for finite values.
  Rational rational() const;

  Value operator-() const;
  /// +0 and -0 differ, and NaN equals NaN: this is identity of values, not IEEE's comparison.
  bool operator==(const Value& other) const;

 private:
  Value(Kind kind, bool negative) : kind_(kind), negative_(negative) {}

  Kind kind_;
  bool negative_;
  Magnitude magnitude_;  // of a number
};

Value add(const Value& left, const Value& right);
Value subtract(const Value& left, const Value& right);
Value multiply(const Value& left, const Value& right);
Value divide(const Value& dividend, const Value& divisor);

/// -1, 0 or 1 if left is less than right, equal to it, or greater. Zeros are equal, whatever their signs. NaN is not
/// allowed.
int compare(const Value& left, const Value& right);
inline bool less(const Value& left, const Value& right) { return compare(left, right) < 0; }

/// "nan", "inf", "-0", or the shortest decimal that identifies the value among the float64 numbers, preceded by "~" if
/// the value is not one of them. For display only: no result depends on it.
std::string to_string(const Value& value);

}  // namespace touchstone::reference
