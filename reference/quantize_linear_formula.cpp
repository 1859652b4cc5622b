#include "reference/quantize_linear_formula.h"

#include "reference/elementwise.h"
#include "reference/integer_result.h"
#include "reference/zero_point_use.h"

namespace touchstone::reference {

using spec::ElementType;

namespace {

/// "It only applies for float 8 quantization."
bool integers_saturate(bool saturate, Interpretation& in) {
  if (saturate) return true;
  in.cite("ql-saturate-is-for-float8");
  return in.reading<spec::SaturateValues>() != spec::SaturateValues::touches_other_types;
}

/// The text does not restrict the scale, though some implementations do.
void check_scale(const Value& scale, ElementType type, Interpretation& in) {
  const bool ordinary = scale.kind() == Value::Kind::number && !scale.is_negative() && !is_subnormal(scale, type);
  if (ordinary) return;
  const bool finite_number = scale.kind() == Value::Kind::number;
  switch (in.reading<spec::ScaleDomain>()) {
    case spec::ScaleDomain::ieee_division: return;
    case spec::ScaleDomain::zero_or_non_finite_invalid:
      if (finite_number) return;
      break;
    case spec::ScaleDomain::non_positive_invalid: break;
  }
  in.reject("ql-formula", "a scale of type {} is {}", spec::name(type), to_string(scale));
}

}  // namespace

ElementType type_of_zero_point(const Signature& s, Interpretation& in) {
  if (s.zero_point == nullptr) {
    in.cite("ql-default-uint8");
    return ElementType::uint8;
  }
  in.cite("ql-zero-point-decides-type");
  return s.zero_point->type();
}

/// y = saturate((x / y_scale) + y_zero_point)
Result quantize(const Signature& s, const ParameterMap& map, const Target& target, Interpretation& in) {
  in.cite("ql-formula");
  for (std::int64_t i = 0; i < s.scale.size(); ++i) check_scale(operand(s.scale, i, in), s.scale.type(), in);

  if (spec::is_integer(target.type)) {
    const IntegerTarget integer{target.type, target.division, integers_saturate(target.saturate, in)};
    const Value absent = s.zero_point == nullptr ? default_zero_point(target.type, in) : Value::zero(false);
    return for_each_element(s, map, target.type, in, [&](const Value& x, const Value& scale, const Value* zero_point) {
      const Value q = quotient(x, scale, target.division);
      const bool overflowed = q.is_infinity() && x.is_finite() && scale.kind() == Value::Kind::number;
      return integer_result(q, overflowed, zero_point != nullptr ? *zero_point : absent, integer, in);
    });
  }

  if (!target.saturate && !spec::is_float8(target.type)) in.cite("ql-saturate-is-for-float8");
  const FloatTarget floating{target.type, target.division, target.saturate, target.fnuz_infinity,
                             added_zero_points(s, in)};
  return for_each_element(s, map, target.type, in, [&](const Value& x, const Value& scale, const Value* zero_point) {
    const auto y = float_result(quotient(x, scale, target.division), zero_point, floating, in);
    return y ? flushed(*y, target.type, in) : y;
  });
}

}  // namespace touchstone::reference
