#include "reference/float_result.h"

#include <stdexcept>
#include <string>

#include "reference/elementwise.h"
#include "reference/rounding.h"

namespace touchstone::reference {

using spec::format_of;
using spec::SpecialCodes;

namespace {

bool is_fnuz(ElementType type) { return format_of(type).special_codes == SpecialCodes::fnuz; }
bool has_infinity(ElementType type) { return format_of(type).special_codes == SpecialCodes::ieee; }

/// `value` must not be NaN.
bool exceeds(const Value& value, ElementType type) {
  if (value.kind() != Value::Kind::number) return value.is_infinity();
  return value.magnitude() > largest_finite(format_of(type));
}

Value largest(ElementType type, bool negative) { return Value::number(negative, largest_finite(format_of(type))); }

// ---- x / y_scale + y_zero_point

/// -0 + (+0) is +0. An implementation that ignores a zero point of 0 keeps the sign.
bool keeps_negative_zero(ElementType type, Interpretation& in) {
  return spec::is_float6(type)
             ? in.reading<spec::NegativeZeroToFloat6>() == spec::NegativeZeroToFloat6::negative_zero
             : in.reading<spec::NegativeZeroWithZeroPoint>() == spec::NegativeZeroWithZeroPoint::negative_zero;
}

/// The text specifies the precision of the division, but not of the addition.
Value round_sum(const Value& sum, const Division& division, Interpretation& in) {
  if (division.kind != Division::Kind::in_format) return sum;
  const ElementType wider = division.type == ElementType::float64 ? ElementType::float64 : ElementType::float32;
  const Value in_division_type = flushed(round_to_ieee(sum, format_of(division.type)), division.type, in);
  const Value in_wider_type = round_to_ieee(sum, format_of(wider));
  if (sum == in_division_type && sum == in_wider_type) return sum;
  switch (in.reading<spec::FloatZeroPointSum>()) {
    case spec::FloatZeroPointSum::only_to_output_type: break;
    case spec::FloatZeroPointSum::in_division_type: return in_division_type;
    case spec::FloatZeroPointSum::in_wider_type: return in_wider_type;
  }
  return sum;
}

Value add_zero_point(const Value& quotient, const Value* zero_point, const FloatTarget& target, Interpretation& in) {
  if (zero_point == nullptr) return quotient;
  if (is_addition_in_question(*zero_point) && target.zero_points == ZeroPointUse::ignored) return quotient;
  const bool negative_zero_and_zero = quotient == Value::zero(true) && *zero_point == Value::zero(false);
  if (negative_zero_and_zero && keeps_negative_zero(target.type, in)) return quotient;
  return round_sum(add(quotient, *zero_point), target.division, in);
}

// ---- Cast to float8: the rows of its tables

Value infinity_to_float8(bool negative, const FloatTarget& target, Interpretation& in) {
  in.cite("ql-float8-infinity");
  if (!target.saturates) return has_infinity(target.type) ? Value::infinity(negative) : Value::nan();
  if (!is_fnuz(target.type)) return largest(target.type, negative);
  switch (in.reading<spec::InfinityToFnuz>()) {
    case spec::InfinityToFnuz::by_the_table_of_the_version: break;
    case spec::InfinityToFnuz::always_nan: return Value::nan();
    case spec::InfinityToFnuz::always_maximum: return largest(target.type, negative);
  }
  switch (target.fnuz_infinity) {
    case FnuzInfinity::is_nan: in.cite("ql-fnuz-infinity-is-nan"); return Value::nan();
    case FnuzInfinity::saturates: in.cite("ql-fnuz-infinity-saturates"); break;
  }
  return largest(target.type, negative);
}

Value overflow_to_float8(bool negative, const FloatTarget& target, Interpretation& in) {
  if (target.saturates) {
    in.cite("ql-float8-saturate");
    return largest(target.type, negative);
  }
  in.cite("ql-float8-overflow");
  const bool infinity =
      has_infinity(target.type) && in.reading<spec::Float8NanSign>() != spec::Float8NanSign::nan_instead_of_infinity;
  return infinity ? Value::infinity(negative) : Value::nan();
}

Value zero_to_float8(bool negative, ElementType type, Interpretation& in) {
  in.cite("ql-float8-zero");
  return Value::zero(negative && !is_fnuz(type));
}

Value cast_to_float8(const Value& value, const FloatTarget& target, Interpretation& in) {
  if (value.is_nan()) {
    in.cite("ql-float8-nan");
    return Value::nan();
  }
  if (value.is_infinity()) return infinity_to_float8(value.is_negative(), target, in);

  // "[x] > FLT_MAX", where [x] is x rounded to the target's mantissa.
  in.cite("ql-float8-rounding");
  const Value rounded = round_to_fraction_bits(value, format_of(target.type));
  const bool rounded_exceeds = exceeds(rounded, target.type);
  const bool only_unrounded_exceeds = !rounded_exceeds && exceeds(value, target.type);
  if (rounded_exceeds ||
      (only_unrounded_exceeds && in.reading<spec::Float8OverflowTest>() == spec::Float8OverflowTest::before_rounding))
    return overflow_to_float8(value.is_negative(), target, in);
  if (rounded.is_zero()) return zero_to_float8(value.is_negative(), target.type, in);
  return rounded;
}

// ---- float6 and float4: no infinity, no NaN, everything saturates

std::optional<Value> nan_to_float6(ElementType type, Interpretation& in) {
  switch (in.reading<spec::NanToFloat6>()) {
    case spec::NanToFloat6::undefined: break;
    case spec::NanToFloat6::maximum: return largest(type, false);
    case spec::NanToFloat6::negative_zero: return Value::zero(true);
  }
  return std::nullopt;
}

std::optional<Value> nan_to_float4(Interpretation& in) {
  in.cite("ql-float4-nan");
  switch (in.reading<spec::NanToFloat4>()) {
    case spec::NanToFloat4::maximum: break;
    case spec::NanToFloat4::negative_zero: return Value::zero(true);
    case spec::NanToFloat4::undefined: return std::nullopt;
  }
  return largest(ElementType::float4e2m1, false);
}

/// Both ambiguities are the same question, one for the versions before 28 and one from 28 on.
bool overflows_without_saturate(bool saturates, Interpretation& in) {
  if (saturates) return false;
  const bool before_28 = in.reading<spec::SaturateWithFloat4>() == spec::SaturateWithFloat4::saturate_honoured;
  const bool from_28 = in.reading<spec::OverflowToFloat6>() == spec::OverflowToFloat6::saturate_honoured;
  return before_28 || from_28;
}

Value saturate(const Value& value, const FloatTarget& target, Interpretation& in) {
  const Value rounded = value.is_infinity() ? value : round_to_fraction_bits(value, format_of(target.type));
  if (!exceeds(rounded, target.type)) return rounded;
  if (overflows_without_saturate(target.saturates, in)) return Value::zero(value.is_negative());
  return largest(target.type, value.is_negative());
}

std::optional<Value> cast_to_float6(const Value& value, const FloatTarget& target, Interpretation& in) {
  if (value.is_nan()) return nan_to_float6(target.type, in);
  in.cite("ql-float6-rounding");
  return saturate(value, target, in);
}

std::optional<Value> cast_to_float4(const Value& value, const FloatTarget& target, Interpretation& in) {
  if (value.is_nan()) return nan_to_float4(in);
  in.cite("ql-float4-rounding");
  return saturate(value, target, in);
}

bool has_fraction(const Value& value) { return value.is_finite() && !multiple_of_power_of_two(value, 0); }

}  // namespace

std::optional<Value> float_result(const Value& quotient, const Value* zero_point, const FloatTarget& target,
                                  Interpretation& in) {
  const bool integer_first =
      has_fraction(quotient) && in.reading<spec::FloatOutputRounding>() == spec::FloatOutputRounding::to_integer_first;
  Value sum = add_zero_point(integer_first ? round_half_to_even(quotient) : quotient, zero_point, target, in);
  if (target.division.result_through_float32) sum = round_to_type(sum, ElementType::float32);
  if (spec::is_float8(target.type)) return cast_to_float8(sum, target, in);
  if (spec::is_float6(target.type)) return cast_to_float6(sum, target, in);
  if (spec::is_float4(target.type)) return cast_to_float4(sum, target, in);
  throw std::logic_error("no rule rounds to " + std::string(spec::name(target.type)));
}

}  // namespace touchstone::reference
