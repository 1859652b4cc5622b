#include "reference/formula.h"

#include "reference/elementwise.h"
#include "reference/integer_result.h"

namespace touchstone::reference {

// ---- QuantizeLinear

namespace {

/// "It only applies for float 8 quantization."
bool integers_saturate(bool saturate, Interpretation& in) {
  if (saturate) return true;
  in.cite("ql-saturate-is-for-float8");
  return in.reading<spec::SaturateValues>() != spec::SaturateValues::touches_other_types;
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
  check_scales(s, "ql-formula", in);

  if (spec::is_integer(target.type)) {
    const IntegerTarget integer{target.type, target.division, integers_saturate(target.saturate, in)};
    const Value absent = s.zero_point == nullptr ? default_zero_point(target.type, in) : Value::zero(false);
    return for_each_element(s, map, target.type, in, [&](const Value& x, const Value& scale, const Value* zero_point) {
      const Value q = quotient(x, scale, target.division, in);
      const bool has_finite_operands = x.is_finite() && scale.kind() == Value::Kind::number;
      return integer_result(q, has_finite_operands, zero_point != nullptr ? *zero_point : absent, integer, in);
    });
  }

  if (!target.saturate && !spec::is_float8(target.type)) in.cite("ql-saturate-is-for-float8");
  const FloatTarget floating{target.type, target.division, target.saturate, target.fnuz_infinity,
                             added_zero_points(s, in)};
  return for_each_element(s, map, target.type, in, [&](const Value& x, const Value& scale, const Value* zero_point) {
    const auto y = float_result(quotient(x, scale, target.division, in), zero_point, floating, in);
    return y ? flushed(*y, target.type, in) : y;
  });
}

// ---- DequantizeLinear

ElementType scale_type_output(const Signature& s, Interpretation& in) {
  in.cite("dq-output-has-scale-type");
  return s.scale.type();
}

/// y = (x - x_zero_point) * x_scale
Result dequantize(const Signature& s, const ParameterMap& map, ElementType y_type, const Multiplication& multiplication,
                  ZeroPointRule zero_point_rule, Interpretation& in) {
  in.cite("dq-formula");
  check_scales(s, "dq-formula", in);
  if (s.zero_point == nullptr) in.cite("dq-default-zero-point");
  if (!spec::is_integer(s.x.type())) in.cite("dq-float-values");
  const ZeroPointUse use = zero_point_rule(s, in);
  return for_each_element(s, map, y_type, in, [&](const Value& x, const Value& scale, const Value* zero_point) {
    return product(difference(x, zero_point, s.x.type(), multiplication, use, in), scale, multiplication, y_type, in);
  });
}

}  // namespace touchstone::reference
