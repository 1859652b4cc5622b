// The exact value of a tensor element: a rational number, an infinity with its sign, a signed zero, or NaN.
//
// The operations are those of IEEE 754 without the rounding: the result is the exact one, and the rules for
// infinities, NaN and the sign of zero are IEEE's. Rounding to a type is a step of its own (reference/rounding.h),
// taken only where the specification, or a reading of it, says so. No host floating point takes part.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <string>

namespace touchstone::reference {

/// Unbounded; up to so many bits are kept without an allocation, which covers float32 divided by float32.
using IntegerBackend = boost::multiprecision::cpp_int_backend<320>;
using Integer = boost::multiprecision::number<IntegerBackend, boost::multiprecision::et_off>;
using Rational = boost::multiprecision::number<boost::multiprecision::rational_adaptor<IntegerBackend>,
                                               boost::multiprecision::et_off>;

class Value {
 public:
  enum class Kind { nan, infinity, zero, number };

  static Value nan() { return Value(Kind::nan, false); }
  static Value infinity(bool negative) { return Value(Kind::infinity, negative); }
  static Value zero(bool negative) { return Value(Kind::zero, negative); }
  /// A positive magnitude with a sign.
  static Value number(bool negative, Rational magnitude);
  /// +0 for 0.
  static Value of(const Rational& value);
  static Value of(const Integer& value);

  Kind kind() const { return kind_; }
  bool is_nan() const { return kind_ == Kind::nan; }
  bool is_infinity() const { return kind_ == Kind::infinity; }
  bool is_zero() const { return kind_ == Kind::zero; }
  bool is_finite() const { return kind_ == Kind::zero || kind_ == Kind::number; }
  /// The sign bit; false for NaN.
  bool is_negative() const { return negative_; }
  /// 0 for a zero; meaningless for NaN and infinities.
  const Rational& magnitude() const { return magnitude_; }
  /// With its sign. Only for finite values.
  Rational rational() const { return negative_ ? Rational(-magnitude_) : magnitude_; }

  Value operator-() const;
  /// +0 and -0 differ, NaN equals NaN: equality of what is denoted, not IEEE's comparison.
  bool operator==(const Value& other) const;

 private:
  Value(Kind kind, bool negative) : kind_(kind), negative_(negative) {}

  Kind kind_;
  bool negative_;
  Rational magnitude_ = 0;
};

Value add(const Value& left, const Value& right);
Value subtract(const Value& left, const Value& right);
Value multiply(const Value& left, const Value& right);
Value divide(const Value& dividend, const Value& divisor);

/// "nan", "inf", "-0", or the shortest decimal that names the value among the float64 numbers, with "~" before it where
/// the value is none of them. For people: no result depends on it.
std::string to_string(const Value& value);

}  // namespace touchstone::reference
