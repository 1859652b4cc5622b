#include "reference/integer_result.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "reference/codec.h"
#include "reference/rounding.h"

namespace touchstone::reference {

namespace {

/// Wraps to `bits` bits in two's complement, or modulo 2^bits if unsigned.
Integer wrap(const Integer& value, int bits, bool is_signed) {
  const Integer modulus = Integer(1) << bits;
  Integer wrapped = value % modulus;
  if (wrapped < 0) wrapped += modulus;
  if (is_signed && wrapped >= modulus / 2) wrapped -= modulus;
  return wrapped;
}

Integer wrap(const Integer& value, ElementType type) {
  const spec::ElementTypeInfo& row = spec::info(type);
  return wrap(value, row.bits, row.kind == spec::NumberKind::signed_integer);
}

Integer integer_of(const Value& value) {
  const Integer magnitude = multiple_of_power_of_two(value, 0).value();
  return value.is_negative() ? Integer(-magnitude) : magnitude;
}

void cite_saturation(ElementType type, Interpretation& in) {
  switch (spec::info(type).bits) {
    case 2: return in.cite("ql-saturate-2-bit");
    case 4: return in.cite("ql-saturate-4-bit");
    case 8: return in.cite("ql-saturate-8-bit");
    case 16: return in.cite("ql-saturate-16-bit");
    default: throw std::logic_error("no rule saturates to " + std::string(spec::name(type)));
  }
}

Integer saturate(const Integer& value, ElementType type, Interpretation& in) {
  cite_saturation(type, in);
  Integer low = lowest(type);
  if (type == ElementType::int8 && value <= low && in.reading<spec::Int8Range>() == spec::Int8Range::symmetric) ++low;
  if (type == ElementType::int4 && value <= low && in.reading<spec::FourBitRange>() == spec::FourBitRange::symmetric)
    ++low;
  return std::clamp(value, low, highest(type));
}

std::optional<Value> nan_to_integer(const Value& zero_point, ElementType type, Interpretation& in) {
  switch (in.reading<spec::NanToInteger>()) {
    case spec::NanToInteger::undefined: break;
    case spec::NanToInteger::minimum: return Value::of(lowest(type));
    case spec::NanToInteger::zero_point: return Value::of(saturate(integer_of(zero_point), type, in));
    case spec::NanToInteger::maximum: return Value::of(highest(type));
    case spec::NanToInteger::zero: return Value::zero(false);
  }
  return std::nullopt;
}

Value round_quotient(const Value& quotient, Interpretation& in) {
  in.cite("ql-round-half-even");
  if (is_tie(quotient)) {
    switch (in.reading<spec::Ties>()) {
      case spec::Ties::to_even: break;
      case spec::Ties::away_from_zero: return round_half_away_from_zero(quotient);
      case spec::Ties::upwards: return floor(add(quotient, Value::of(Rational(1, 2))));
    }
  }
  return round_half_to_even(quotient);
}

Integer add_zero_point(const Integer& rounded, const Value& zero_point, const IntegerTarget& target,
                       Interpretation& in) {
  const Division& division = target.division;
  const ElementType type = target.type;
  const Integer sum = rounded + integer_of(zero_point);
  if (zero_point.is_zero()) return sum;
  switch (in.reading<spec::ZeroPointAddition>()) {
    case spec::ZeroPointAddition::exact: break;
    case spec::ZeroPointAddition::in_division_type: {
      // float8e8m0 has neither a sign nor a zero, so no sum can be computed in it.
      if (division.kind != Division::Kind::in_format || division.type == ElementType::float8e8m0) break;
      const Value converted = round_to_type(zero_point, division.type);
      const Value rounded_sum = round_to_type(add(Value::of(rounded), converted), division.type);
      if (rounded_sum.is_infinity()) return rounded_sum.is_negative() ? lowest(type) : highest(type);
      return integer_of(rounded_sum);
    }
    case spec::ZeroPointAddition::wrapping_int32: return wrap(sum, ElementType::int32);
  }
  return sum;
}

/// An infinite quotient: saturate((+-Inf) + zero_point) is the end of the range.
std::optional<Value> infinity_to_integer(const Value& quotient, bool has_finite_operands, const Value& zero_point,
                                         ElementType type, Interpretation& in) {
  if (has_finite_operands &&
      in.reading<spec::Float16QuotientOverflow>() == spec::Float16QuotientOverflow::not_saturated)
    return Value::of(wrap(Integer(lowest(ElementType::int32) + integer_of(zero_point)), type));
  switch (in.reading<spec::HugeQuotient>()) {
    case spec::HugeQuotient::saturates: break;
    case spec::HugeQuotient::infinities_undefined:
      if (!has_finite_operands) return std::nullopt;
      break;
    case spec::HugeQuotient::int32_minimum:
      return Value::of(saturate(Integer(lowest(ElementType::int32) + integer_of(zero_point)), type, in));
  }
  return Value::of(saturate(quotient.is_negative() ? lowest(type) : highest(type), type, in));
}

}  // namespace

std::optional<Value> integer_result(const Value& quotient, bool has_finite_operands, const Value& zero_point,
                                    const IntegerTarget& target, Interpretation& in) {
  const ElementType type = target.type;
  if (quotient.is_nan()) return nan_to_integer(zero_point, type, in);
  if (quotient.is_infinity()) return infinity_to_integer(quotient, has_finite_operands, zero_point, type, in);
  // A quotient of 0 by an infinite scale.
  if (!has_finite_operands && in.reading<spec::HugeQuotient>() == spec::HugeQuotient::infinities_undefined)
    return std::nullopt;

  if (!zero_point.is_zero()) {
    switch (in.reading<spec::RoundingOrder>()) {
      case spec::RoundingOrder::round_add_saturate: break;
      case spec::RoundingOrder::add_round_saturate:
        return Value::of(saturate(integer_of(round_quotient(add(quotient, zero_point), in)), type, in));
      case spec::RoundingOrder::round_saturate_add:
        return Value::of(
            wrap(Integer(saturate(integer_of(round_quotient(quotient, in)), type, in) + integer_of(zero_point)), type));
    }
  }

  // [ql-round-half-even], [ql-formula], [ql-saturate-...]: the order of the text.
  Integer rounded = integer_of(round_quotient(quotient, in));
  const bool beyond_int32 = rounded < lowest(ElementType::int32) || rounded > highest(ElementType::int32);
  if (beyond_int32 && in.reading<spec::HugeQuotient>() == spec::HugeQuotient::int32_minimum)
    rounded = lowest(ElementType::int32);
  const Integer sum = add_zero_point(rounded, zero_point, target, in);
  return Value::of(target.saturates ? saturate(sum, type, in) : wrap(sum, type));
}

Value default_zero_point(ElementType type, Interpretation& in) {
  const spec::ElementTypeInfo& row = spec::info(type);
  if (row.kind == spec::NumberKind::unsigned_integer &&
      in.reading<spec::DefaultZeroPoint>() == spec::DefaultZeroPoint::midpoint)
    return Value::of(Integer(Integer(1) << (row.bits - 1)));
  return Value::zero(false);
}

}  // namespace touchstone::reference
