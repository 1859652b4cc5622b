#include "reference/division.h"

#include "reference/elementwise.h"
#include "reference/rounding.h"

namespace touchstone::reference {

namespace {

using Kind = Division::Kind;

Division in_type(ElementType type) { return {Kind::in_format, type}; }
Division exactly() { return {Kind::exact}; }

Division of_float32(Interpretation& in) {
  switch (in.reading<spec::Float32Division>()) {
    case spec::Float32Division::in_float32: break;
    case spec::Float32Division::exact_quotient: return exactly();
    case spec::Float32Division::reciprocal_multiplication: return {Kind::reciprocal, ElementType::float32};
  }
  return in_type(ElementType::float32);
}

Division of_int32_scale(Interpretation& in) {
  switch (in.reading<spec::Int32Scale>()) {
    case spec::Int32Scale::exact_quotient: break;
    case spec::Int32Scale::in_float32: return in_type(ElementType::float32);
    case spec::Int32Scale::truncating_division: return {Kind::truncating};
    case spec::Int32Scale::flooring_division: return {Kind::flooring};
  }
  return exactly();
}

Division of_int32_input(ElementType scale, Interpretation& in) {
  switch (in.reading<spec::Int32InputDivision>()) {
    case spec::Int32InputDivision::through_division_type: break;
    case spec::Int32InputDivision::in_float32: return in_type(ElementType::float32);
    case spec::Int32InputDivision::in_float64: return in_type(ElementType::float64);
    case spec::Int32InputDivision::exact_quotient: return exactly();
  }
  return in_type(scale);
}

Division of_narrow_floats_before_23(ElementType type, Interpretation& in) {
  switch (in.reading<spec::SameFloatDivisionBefore23>()) {
    case spec::SameFloatDivisionBefore23::in_float32: break;
    case spec::SameFloatDivisionBefore23::in_input_type: return in_type(type);
    case spec::SameFloatDivisionBefore23::exact_quotient: return exactly();
  }
  return in_type(ElementType::float32);
}

Division of_floats_by_the_draft(ElementType type, Interpretation& in) {
  switch (in.reading<spec::DivisionOfTheDraftOf23>()) {
    case spec::DivisionOfTheDraftOf23::in_float32: break;
    case spec::DivisionOfTheDraftOf23::in_input_type: return in_type(type);
    case spec::DivisionOfTheDraftOf23::exact_quotient: return exactly();
  }
  return in_type(ElementType::float32);
}

Division of_narrow_floats(const Signature& s, Interpretation& in) {
  if (in.reading<spec::SameFloatDivision>() == spec::SameFloatDivision::in_float32)
    return in_type(ElementType::float32);
  return in_type(s.scale.type());
}

Division of_mixed_floats(ElementType x, ElementType scale, Interpretation& in) {
  switch (in.reading<spec::MixedTypeDivision>()) {
    case spec::MixedTypeDivision::in_scale_type: break;
    // float16 and bfloat16 are each wider in one respect. float32 can represent both.
    case spec::MixedTypeDivision::in_wider_type: return in_type(ElementType::float32);
    case spec::MixedTypeDivision::in_input_type: return in_type(x);
  }
  return in_type(scale);
}

Division of_e8m0_scale(ElementType x, Interpretation& in) {
  switch (in.reading<spec::E8m0ScaleWithoutPrecision>()) {
    case spec::E8m0ScaleWithoutPrecision::in_float32: break;
    case spec::E8m0ScaleWithoutPrecision::in_input_type:
      return in_type(x == ElementType::int32 ? ElementType::float32 : x);
    case spec::E8m0ScaleWithoutPrecision::exact_quotient: return exactly();
    case spec::E8m0ScaleWithoutPrecision::invalid:
      in.reject("ql-division-in-scale-type",
                "y_scale is float8e8m0, in which no division can be done, and precision is absent");
    case spec::E8m0ScaleWithoutPrecision::in_scale_type: return in_type(ElementType::float8e8m0);
  }
  return in_type(ElementType::float32);
}

Division of_operands(const Signature& s, Interpretation& in) {
  const ElementType x = s.x.type();
  const ElementType scale = s.scale.type();
  if (scale == ElementType::int32) return of_int32_scale(in);
  if (scale == ElementType::float8e8m0) return of_e8m0_scale(x, in);
  if (x == ElementType::int32) return of_int32_input(scale, in);
  if (x != scale) return of_mixed_floats(x, scale, in);
  return x == ElementType::float32 ? of_float32(in) : of_narrow_floats(s, in);
}

Division by_scale_type(const Signature& s, Interpretation& in) {
  const Division division = of_operands(s, in);
  if (division.kind == Kind::in_format && division.type == s.scale.type()) in.cite("ql-division-in-scale-type");
  return division;
}

bool has_int32_operand(const Signature& s) {
  return s.x.type() == ElementType::int32 || s.scale.type() == ElementType::int32;
}

/// If y is float8 or smaller, some implementations convert to it from float32 alone, whatever the types of the
/// operands.
Division before_float8(Division division, const Signature& s, ElementType y_type, Interpretation& in) {
  if (spec::is_integer(y_type)) return division;
  const bool in_format = division.kind == Kind::in_format;
  const bool narrow = in_format && (division.type == ElementType::float16 || division.type == ElementType::bfloat16);
  const bool wide =
      has_int32_operand(s) && (division.kind == Kind::exact || (in_format && division.type == ElementType::float64));
  if (!narrow && !wide) return division;
  if (in.reading<spec::DoubleRoundingToFloat8>() == spec::DoubleRoundingToFloat8::through_division_type)
    return division;
  if (narrow) return in_type(ElementType::float32);
  division.result_through_float32 = true;
  return division;
}

/// By the attribute `precision` if it is set, otherwise by the type of the scale.
Division by_precision_or_scale_type(const Signature& s, ElementType y_type, Interpretation& in) {
  const std::int64_t precision = s.attribute("precision");
  if (precision == 0) return before_float8(by_scale_type(s, in), s, y_type, in);

  const auto reading = in.reading<spec::PrecisionValues>();
  if (reading == spec::PrecisionValues::ignored) return by_scale_type(s, in);
  in.cite("ql-division-in-precision");
  const auto type = spec::element_type_from_code(precision);
  const bool usual = type && spec::contains(s.version.precisions, *type);
  const bool unusual = type == ElementType::float64 && reading != spec::PrecisionValues::unusual_types_invalid;
  if (usual || unusual) return in_type(*type);
  in.reject("ql-division-in-precision", "precision is {}", describe_type(precision));
}

/// `converted` converts an operand to the type of the division, and `rounded` rounds a result to it.
template <class Convert, class Round>
Value quotient(const Value& x, const Value& scale, const Division& division, const Convert& converted,
               const Round& rounded) {
  switch (division.kind) {
    case Kind::in_format: return rounded(divide(converted(x), converted(scale)));
    case Kind::exact: return divide(x, scale);
    case Kind::reciprocal: return rounded(multiply(x, rounded(divide(Value::of(Integer(1)), scale))));
    case Kind::truncating: return truncate(divide(x, scale));
    case Kind::flooring: return floor(divide(x, scale));
  }
  return Value::nan();
}

}  // namespace

Division division_by_float32(const Signature& s, Interpretation& in) {
  return s.x.type() == ElementType::int32 ? of_int32_input(s.scale.type(), in) : of_float32(in);
}

Division division_in_one_type(const Signature& s, ElementType y_type, Interpretation& in) {
  switch (s.scale.type()) {
    case ElementType::int32: return before_float8(of_int32_scale(in), s, y_type, in);
    case ElementType::float32: return before_float8(division_by_float32(s, in), s, y_type, in);
    default: return before_float8(of_narrow_floats_before_23(s.scale.type(), in), s, y_type, in);
  }
}

Division division_by_the_draft_of_23(const Signature& s, ElementType y_type, Interpretation& in) {
  return before_float8(of_floats_by_the_draft(s.scale.type(), in), s, y_type, in);
}

Division division_by_precision_or_scale_type(const Signature& s, ElementType y_type, Interpretation& in) {
  Division division = by_precision_or_scale_type(s, y_type, in);
  if (has_int32_operand(s) && division.kind == Kind::in_format)
    division.through_float32 = rounds_int32_through_float32(division.type, in);
  return division;
}

Value quotient(const Value& x, const Value& scale, const Division& division) {
  const auto converted = [&](const Value& value) {
    return rounded_operand(value, division.type, division.through_float32);
  };
  const auto rounded = [&](const Value& value) { return round_to_type(value, division.type); };
  return quotient(x, scale, division, converted, rounded);
}

Value quotient(const Value& x, const Value& scale, const Division& division, Interpretation& in) {
  const ElementType type = division.type;
  const auto converted = [&](const Value& value) {
    return converted_operand(rounded_operand(value, type, division.through_float32), type, in);
  };
  const auto rounded = [&](const Value& value) { return flushed(round_to_type(value, type), type, in); };
  return quotient(x, scale, division, converted, rounded);
}

}  // namespace touchstone::reference
