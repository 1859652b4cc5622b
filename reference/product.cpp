#include "reference/product.h"

#include "reference/codec.h"
#include "reference/elementwise.h"
#include "reference/integer_result.h"
#include "reference/rounding.h"

namespace touchstone::reference {

using spec::format_of;

namespace {

Multiplication in_type(ElementType type) { return {.type = type}; }
Multiplication exactly() { return {.exact = true}; }

/// Integers that the type of the multiplication may not represent. If it can represent all integers with the bits of x,
/// it can represent their differences too.
Multiplication of_large_integers(const Signature& s, Multiplication multiplication, Interpretation& in) {
  const int significand_bits = format_of(multiplication.type).fraction_bits + 1;
  const bool large = spec::is_integer(s.x.type()) && spec::info(s.x.type()).bits > significand_bits;
  if (!large) return multiplication;
  switch (in.reading<spec::LargeIntegerProduct>()) {
    case spec::LargeIntegerProduct::rounded_difference: break;
    case spec::LargeIntegerProduct::exact_product: return exactly();
    case spec::LargeIntegerProduct::rounded_operands: multiplication.rounds_operands_first = true; break;
  }
  if (s.x.type() == ElementType::int32)
    multiplication.through_float32 = rounds_int32_through_float32(multiplication.type, in);
  return multiplication;
}

Multiplication of_e8m0_scale_to_float16(Interpretation& in) {
  return in_type(in.reading<spec::E8m0ScaleToFloat16>() == spec::E8m0ScaleToFloat16::in_float32 ? ElementType::float32
                                                                                                : ElementType::float16);
}

Multiplication from_version_23(const Signature& s, ElementType y_type, Interpretation& in) {
  if (s.scale.type() == ElementType::float8e8m0 && y_type == ElementType::float16)
    return of_large_integers(s, of_e8m0_scale_to_float16(in), in);
  if (y_type == ElementType::float32) return of_large_integers(s, in_type(ElementType::float32), in);
  switch (in.reading<spec::ProductPrecision>()) {
    case spec::ProductPrecision::in_output_type: break;
    case spec::ProductPrecision::in_float32: return of_large_integers(s, in_type(ElementType::float32), in);
    case spec::ProductPrecision::exact_product: return exactly();
  }
  return of_large_integers(s, in_type(y_type), in);
}

// ---- the zero point of floating-point inputs

Value float_difference(const Value& x, const Value* zero_point, ElementType type, ZeroPointUse use) {
  if (zero_point == nullptr) return x;
  if (is_subtraction_in_question(*zero_point, type) && use == ZeroPointUse::ignored) return x;
  return round_to_ieee(subtract(x, *zero_point), format_of(ElementType::float32));
}

// ---- the zero point of integers

Value wrapped(const Value& difference, ElementType type) {
  const Integer modulus = Integer(1) << spec::info(type).bits;
  if (difference.is_negative()) return add(difference, Value::of(modulus));
  return subtract(difference, Value::of(modulus));
}

bool fits(const Value& difference, ElementType type) {
  if (difference.kind() != Value::Kind::number) return true;
  const Integer limit = difference.is_negative() ? Integer(-lowest(type)) : highest(type);
  return !(difference.magnitude() > Magnitude{limit, 1, 0});
}

/// int32. ai.onnx says "there is no zero point (zero point is supposed to be 0)". Other zero points were rejected
/// before, unless a reading permits them. com.microsoft does not have this sentence.
Value int32_difference(const Value& x, const Value& zero_point, ZeroPointUse use, Interpretation& in) {
  if (zero_point.is_zero() || use == ZeroPointUse::ignored) return x;
  in.cite("dq-exact-difference");
  const Value exact = subtract(x, zero_point);
  const bool wraps = !fits(exact, ElementType::int32) &&
                     in.reading<spec::Int32SubtractionOverflow>() == spec::Int32SubtractionOverflow::wrapping_int32;
  return wraps ? wrapped(exact, ElementType::int32) : exact;
}

Value integer_difference(const Value& x, const Value& zero_point, ElementType type, ZeroPointUse use,
                         Interpretation& in) {
  if (type == ElementType::int32) return int32_difference(x, zero_point, use, in);
  in.cite("dq-exact-difference");
  const Value exact = subtract(x, zero_point);
  const bool wraps = !fits(exact, type) && in.reading<spec::SubtractionWidth>() == spec::SubtractionWidth::wrapping;
  return wraps ? wrapped(exact, type) : exact;
}

}  // namespace

Multiplication multiplication_in_float32(const Signature& s, Interpretation& in) {
  return of_large_integers(s, in_type(ElementType::float32), in);
}

Multiplication multiplication_of_scale_type(const Signature& s, Interpretation& in) {
  if (s.scale.type() == ElementType::float32) return multiplication_in_float32(s, in);
  switch (in.reading<spec::ProductPrecisionBefore23>()) {
    case spec::ProductPrecisionBefore23::in_float32: break;
    case spec::ProductPrecisionBefore23::in_output_type: return of_large_integers(s, in_type(s.scale.type()), in);
    case spec::ProductPrecisionBefore23::exact_product: return exactly();
  }
  return of_large_integers(s, in_type(ElementType::float32), in);
}

Multiplication multiplication_in_output_type(const Signature& s, ElementType y_type, Interpretation& in) {
  const Multiplication multiplication = from_version_23(s, y_type, in);
  if (!multiplication.exact && multiplication.type == y_type) in.cite("dq-product-in-output-type");
  return multiplication;
}

Value difference(const Value& x, const Value* zero_point, ElementType x_type, const Multiplication& multiplication,
                 ZeroPointUse use, Interpretation& in) {
  if (!spec::is_integer(x_type)) return float_difference(x, zero_point, x_type, use);
  if (zero_point == nullptr) return integer_difference(x, default_zero_point(x_type, in), x_type, use, in);
  if (!multiplication.rounds_operands_first) return integer_difference(x, *zero_point, x_type, use, in);
  const auto rounded = [&](const Value& value) {
    return rounded_operand(value, multiplication.type, multiplication.through_float32);
  };
  return integer_difference(rounded(x), rounded(*zero_point), x_type, use, in);
}

Value round_to_output(const Value& value, bool from_finite, ElementType y_type, Interpretation& in) {
  const Value y = flushed(round_to_type(value, y_type), y_type, in);
  if (y.is_infinity() && from_finite) {
    in.cite("dq-product-overflow");
    if (in.reading<spec::DequantizeOverflow>() == spec::DequantizeOverflow::clamped)
      return Value::number(y.is_negative(), largest_finite(format_of(y_type)));
  }
  if (y == Value::zero(true) && in.reading<spec::DequantizeSignedZero>() == spec::DequantizeSignedZero::positive_zero)
    return Value::zero(false);
  return y;
}

Value product(const Value& difference, const Value& scale, const Multiplication& multiplication, ElementType y_type,
              Interpretation& in) {
  const bool from_finite = difference.is_finite() && scale.is_finite();
  if (multiplication.exact) return round_to_output(multiply(difference, scale), from_finite, y_type, in);
  const ElementType type = multiplication.type;
  const auto converted = [&](const Value& value) {
    return converted_operand(rounded_operand(value, type, multiplication.through_float32), type, in);
  };
  const auto rounded = [&](const Value& value) { return flushed(round_to_type(value, type), type, in); };
  return round_to_output(rounded(multiply(converted(difference), converted(scale))), from_finite, y_type, in);
}

}  // namespace touchstone::reference
