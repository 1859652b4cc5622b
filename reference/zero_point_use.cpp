#include "reference/zero_point_use.h"

#include <optional>
#include <stdexcept>
#include <string>

#include "reference/elementwise.h"

namespace touchstone::reference {

namespace {

template <class InQuestion>
std::optional<Value> find(const Tensor& zero_points, InQuestion in_question, Interpretation& in) {
  for (std::int64_t i = 0; i < zero_points.size(); ++i) {
    const Value zero_point = operand(zero_points, i, in);
    if (in_question(zero_point)) return zero_point;
  }
  return std::nullopt;
}

/// The reading of the ambiguity A. Each such ambiguity has the readings `invalid` and `ignored`, and one that follows
/// the formula.
template <class A>
ZeroPointUse read(const Value& zero_point, ElementType type, spec::ClauseRef clause, Interpretation& in) {
  const auto reading = in.reading<A>();
  if (reading == A::invalid)
    in.reject(clause, "a zero point of type {} is {}", spec::name(type), to_string(zero_point));
  return reading == A::ignored ? ZeroPointUse::ignored : ZeroPointUse::as_in_formula;
}

/// The text treats float8, float6 and float4 separately, so each has its own ambiguity.
template <class Float8, class Float6, class Float4>
ZeroPointUse read_by_width(const Value& zero_point, ElementType type, spec::ClauseRef clause, Interpretation& in) {
  if (spec::is_float8(type)) return read<Float8>(zero_point, type, clause, in);
  if (spec::is_float6(type)) return read<Float6>(zero_point, type, clause, in);
  if (spec::is_float4(type)) return read<Float4>(zero_point, type, clause, in);
  throw std::logic_error("no rule for zero points of type " + std::string(spec::name(type)));
}

}  // namespace

bool is_addition_in_question(const Value& zero_point) { return !zero_point.is_zero(); }

bool is_subtraction_in_question(const Value& zero_point, ElementType type) {
  return spec::is_float8(type) ? zero_point != Value::zero(false) : !zero_point.is_zero();
}

ZeroPointUse added_zero_points(const Signature& s, Interpretation& in) {
  if (s.zero_point == nullptr) return ZeroPointUse::as_in_formula;
  in.cite("ql-float-zero-point");
  const auto unusual = find(*s.zero_point, is_addition_in_question, in);
  if (!unusual) return ZeroPointUse::as_in_formula;
  return read_by_width<spec::Float8ZeroPointQuantize, spec::Float6ZeroPointQuantize, spec::Float4ZeroPointQuantize>(
      *unusual, s.zero_point->type(), "ql-float-zero-point", in);
}

ZeroPointUse subtracted_zero_points(const Signature& s, Interpretation& in) {
  const ElementType type = s.x.type();
  if (type == ElementType::int32) in.cite("dq-int32-zero-point");
  if (s.zero_point == nullptr || (spec::is_integer(type) && type != ElementType::int32))
    return ZeroPointUse::as_in_formula;
  if (!spec::is_integer(type)) in.cite("dq-float-zero-point");
  const auto unusual = find(
      *s.zero_point, [&](const Value& value) { return is_subtraction_in_question(value, type); }, in);
  if (!unusual) return ZeroPointUse::as_in_formula;
  if (type == ElementType::int32) return read<spec::Int32ZeroPoint>(*unusual, type, "dq-int32-zero-point", in);
  return read_by_width<spec::Float8ZeroPointDequantize, spec::Float6ZeroPointDequantize,
                       spec::Float4ZeroPointDequantize>(*unusual, type, "dq-float-zero-point", in);
}

ZeroPointUse subtracted_zero_points_of_microsoft(const Signature& s, Interpretation& in) {
  const ElementType type = s.x.type();
  if (s.zero_point == nullptr || type != ElementType::int32) return ZeroPointUse::as_in_formula;
  const auto unusual = find(
      *s.zero_point, [&](const Value& value) { return is_subtraction_in_question(value, type); }, in);
  return unusual ? read<spec::Int32ZeroPointOfMicrosoft>(*unusual, type, "dq-formula", in)
                 : ZeroPointUse::as_in_formula;
}

}  // namespace touchstone::reference
