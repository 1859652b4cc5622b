#include "reference/opmx_formula.h"

#include <cstdint>
#include <optional>
#include <string_view>

#include "reference/elementwise.h"
#include "reference/product.h"
#include "reference/rounding.h"

namespace touchstone::reference {

namespace {

// ---- has_zeropoint and float_zeropoint

bool read_flag(const Signature& s, std::string_view name, Interpretation& in) {
  in.cite("pmx-flags");
  const std::int64_t value = s.attribute(name);
  if (value == 0 || value == 1) return value == 1;
  switch (in.reading<spec::BooleanValues>()) {
    case spec::BooleanValues::nonzero_is_true: return true;
    case spec::BooleanValues::only_one_is_true: return false;
    case spec::BooleanValues::other_values_invalid: break;
  }
  in.reject("pmx-flags", "{} is {}", name, value);
}

/// The use of a zero point if float_zeropoint is false.
ZeroPointTerm traditional(const Signature& s, Interpretation& in) {
  if (spec::is_integer(s.zero_point->type())) return ZeroPointTerm::subtracted;
  switch (in.reading<spec::FloatTypedZeroPoint>()) {
    case spec::FloatTypedZeroPoint::subtracted: return ZeroPointTerm::subtracted;
    case spec::FloatTypedZeroPoint::added: return ZeroPointTerm::added;
    case spec::FloatTypedZeroPoint::invalid: break;
  }
  in.reject("pmx-float-zero-point-type", "ZeroPoint has the type {}, and float_zeropoint is false",
            spec::name(s.zero_point->type()));
}

/// The use of the zero point if has_zeropoint is true.
ZeroPointTerm required_term(const Signature& s, bool is_float, Interpretation& in) {
  in.cite("pmx-zero-point-given");
  if (s.zero_point != nullptr) return is_float ? ZeroPointTerm::added : traditional(s, in);
  if (in.reading<spec::MissingZeroPoint>() == spec::MissingZeroPoint::no_zero_point) return ZeroPointTerm::none;
  in.reject("pmx-zero-point-given", "has_zeropoint is true, and ZeroPoint absent or empty");
}

/// float_zeropoint is true, but has_zeropoint is not.
ZeroPointTerm lone_float_flag(const Signature& s, Interpretation& in) {
  switch (in.reading<spec::LoneFloatFlag>()) {
    case spec::LoneFloatFlag::undefined: return ZeroPointTerm::open;
    case spec::LoneFloatFlag::ignored: return ZeroPointTerm::none;
    case spec::LoneFloatFlag::implies_zero_point: return required_term(s, true, in);
    case spec::LoneFloatFlag::invalid: break;
  }
  in.reject("pmx-float-zero-point", "float_zeropoint is true, and has_zeropoint is not");
}

/// Both are false although there is a zero point.
ZeroPointTerm unannounced(const Signature& s, Interpretation& in) {
  switch (in.reading<spec::UnannouncedZeroPoint>()) {
    case spec::UnannouncedZeroPoint::undefined: break;
    case spec::UnannouncedZeroPoint::ignored: return ZeroPointTerm::none;
    case spec::UnannouncedZeroPoint::used: return traditional(s, in);
  }
  return ZeroPointTerm::open;
}

// ---- integers

Value modulo(const Value& integer, int bits) {
  const Integer modulus = Integer(1) << bits;
  Integer remainder = numerator(integer.rational()) % modulus;  // with the sign of the dividend
  if (remainder < 0) remainder += modulus;
  return Value::of(remainder);
}

Value as_twos_complement(const Value& nibble) {
  const bool negative = nibble.rational() >= 8;
  return negative ? subtract(nibble, Value::of(Integer(16))) : nibble;
}

Value less_half_the_range(const Value& code, int bits) {
  return subtract(code, Value::of(Integer(Integer(1) << (bits - 1))));
}

/// int8 data without an int8 zero point.
Value int8_quantized(const Value& x, Interpretation& in) {
  if (in.reading<spec::Int8Codes>() == spec::Int8Codes::twos_complement) return x;
  return less_half_the_range(modulo(x, 8), 8);
}

/// "quantized" without a zero point.
Value symmetric(const Value& x, ElementType type, Interpretation& in) {
  if (type == ElementType::int8) return int8_quantized(x, in);
  switch (in.reading<spec::Int4WithoutZeroPoint>()) {
    case spec::Int4WithoutZeroPoint::offset_8: break;
    case spec::Int4WithoutZeroPoint::twos_complement: return as_twos_complement(x);
    case spec::Int4WithoutZeroPoint::no_offset: return x;
  }
  return less_half_the_range(x, 4);
}

/// quantized - zeropoint, with an int8 zero point. There is one zero point for each scale, and it is not packed even if
/// the data is int4.
Value less_integer(const Value& x, const Value& zero_point, ElementType type, Interpretation& in) {
  if (type == ElementType::int8) {
    if (in.reading<spec::Int8Codes>() == spec::Int8Codes::offset_128)
      return subtract(modulo(x, 8), modulo(zero_point, 8));
    return difference(x, &zero_point, type, Multiplication{}, ZeroPointUse::as_in_formula, in);
  }
  switch (in.reading<spec::Int4IntegerZeroPoint>()) {
    case spec::Int4IntegerZeroPoint::masked: break;
    case spec::Int4IntegerZeroPoint::twos_complement: return subtract(as_twos_complement(x), zero_point);
    case spec::Int4IntegerZeroPoint::unmasked: return subtract(x, zero_point);
  }
  return subtract(x, modulo(zero_point, 4));
}

// ---- floating-point zero points

/// "quantized" if a floating-point zero point is subtracted: the same as for an integer zero point.
Value traditional_quantized(const Value& x, ElementType type, Interpretation& in) {
  if (type == ElementType::int8) return int8_quantized(x, in);
  const bool is_signed = in.reading<spec::Int4IntegerZeroPoint>() == spec::Int4IntegerZeroPoint::twos_complement;
  return is_signed ? as_twos_complement(x) : x;
}

/// How numbers are rounded on the way to Y.
class Precision {
 public:
  Precision(const Signature& s, Interpretation& in) : s_(s), in_(in), reading_(in.reading<spec::BiasPrecision>()) {}

  Value of_product(const Value& value) const { return rounded(value, s_.scale.type()); }

  /// Rounds a number that depends on the zero point.
  Value of_sum(const Value& value) const {
    const bool has_wide_operand = s_.zero_point->type() == ElementType::float32;
    return rounded(value, has_wide_operand ? ElementType::float32 : s_.scale.type());
  }

  /// The zero point may have a wider type than Scale.
  Value of_zero_point(const Value& zero_point) const {
    const ElementType type = s_.scale.type();
    const Value rounded = converted_operand(round_to_type(zero_point, type), type, in_);
    if (rounded == zero_point || reading_ == spec::BiasPrecision::in_scale_type) return rounded;
    if (reading_ == spec::BiasPrecision::promoted) return zero_point;
    const bool as_given = in_.reading<spec::MixedFloatZeroPoint>() == spec::MixedFloatZeroPoint::as_given;
    return as_given ? zero_point : rounded;
  }

 private:
  Value rounded(const Value& value, ElementType promoted_type) const {
    switch (reading_) {
      case spec::BiasPrecision::in_float32: return rounded_to(ElementType::float32, value);
      case spec::BiasPrecision::in_scale_type: return rounded_to(s_.scale.type(), value);
      case spec::BiasPrecision::promoted: return rounded_to(promoted_type, value);
      case spec::BiasPrecision::fused: break;
    }
    return value;
  }

  Value rounded_to(ElementType type, const Value& value) const {
    return flushed(round_to_type(value, type), type, in_);
  }

  const Signature& s_;
  Interpretation& in_;
  spec::BiasPrecision::Reading reading_;
};

/// Computes Y for one element.
class Formula {
 public:
  Formula(const Signature& s, ElementType y_type, ZeroPointTerm term, Interpretation& in)
      : s_(s), y_type_(y_type), term_(term), in_(in) {}

  std::optional<Value> operator()(const Value& x, const Value& scale, const Value* zero_point) const {
    switch (term_) {
      case ZeroPointTerm::none: return times(symmetric(x, s_.x.type(), in_), scale);
      case ZeroPointTerm::subtracted: return scaled_difference(x, scale, *zero_point);
      case ZeroPointTerm::added: return biased(x, scale, *zero_point);
      case ZeroPointTerm::open: break;
    }
    return std::nullopt;
  }

 private:
  /// The integer has few bits, so every type can represent it: there is one rounding, whatever the precision.
  Value times(const Value& integer, const Value& scale) const {
    return product(integer, scale, Multiplication{}, y_type_, in_);
  }

  /// scale * (quantized - zeropoint)
  Value scaled_difference(const Value& x, const Value& scale, const Value& zero_point) const {
    if (spec::is_integer(s_.zero_point->type())) return times(less_integer(x, zero_point, s_.x.type(), in_), scale);
    const Value quantized = traditional_quantized(x, s_.x.type(), in_);
    const Precision precision(s_, in_);
    const Value difference = precision.of_sum(subtract(quantized, precision.of_zero_point(zero_point)));
    return result(precision.of_sum(multiply(scale, difference)), scale, zero_point);
  }

  /// scale * quantized + zeropoint
  Value biased(const Value& x, const Value& scale, const Value& zero_point) const {
    if (s_.x.type() == ElementType::int8) return sum(int8_quantized(x, in_), scale, zero_point);
    switch (in_.reading<spec::Int4FloatZeroPoint>()) {
      case spec::Int4FloatZeroPoint::offset_8: break;
      case spec::Int4FloatZeroPoint::twos_complement: return sum(as_twos_complement(x), scale, zero_point);
      case spec::Int4FloatZeroPoint::no_offset: return sum(x, scale, zero_point);
      case spec::Int4FloatZeroPoint::truncated_zero_point: {
        const Value integer = zero_point.is_finite() ? truncate(zero_point) : Value::zero(false);
        return times(subtract(x, modulo(integer, 4)), scale);
      }
    }
    return sum(less_half_the_range(x, 4), scale, zero_point);
  }

  Value sum(const Value& quantized, const Value& scale, const Value& zero_point) const {
    const Precision precision(s_, in_);
    const Value bias = precision.of_zero_point(zero_point);
    const Value product = precision.of_product(multiply(scale, quantized));
    return result(precision.of_sum(add(product, bias)), scale, zero_point);
  }

  Value result(const Value& value, const Value& scale, const Value& zero_point) const {
    return round_to_output(value, scale.is_finite() && zero_point.is_finite(), y_type_, in_);
  }

  const Signature& s_;
  ElementType y_type_;
  ZeroPointTerm term_;
  Interpretation& in_;
};

void cite_formula(ZeroPointTerm term, Interpretation& in) {
  switch (term) {
    case ZeroPointTerm::none: return in.cite("pmx-without-zero-point");
    case ZeroPointTerm::subtracted: return in.cite("dq-formula");
    case ZeroPointTerm::added: return in.cite("pmx-float-zero-point");
    case ZeroPointTerm::open: return;
  }
}

}  // namespace

ZeroPointTerm read_zero_point_term(const Signature& s, Interpretation& in) {
  const bool has_zero_point = read_flag(s, "has_zeropoint", in);
  const bool is_float = read_flag(s, "float_zeropoint", in);
  if (is_float && s.zero_point != nullptr) {
    in.cite("pmx-float-zero-point-type");
    if (spec::is_integer(s.zero_point->type()))
      in.reject("pmx-float-zero-point-type", "float_zeropoint is true, and ZeroPoint has the type {}",
                spec::name(s.zero_point->type()));
  }
  if (has_zero_point) return required_term(s, is_float, in);
  if (is_float) return lone_float_flag(s, in);
  return s.zero_point == nullptr ? ZeroPointTerm::none : unannounced(s, in);
}

Result opmx_dequantize(const Signature& s, const ParameterMap& map, ElementType y_type, ZeroPointTerm term,
                       Interpretation& in) {
  cite_formula(term, in);
  check_scales(s, "dq-formula", in);
  return for_each_element(s, map, y_type, in, Formula(s, y_type, term, in));
}

}  // namespace touchstone::reference
