#include "reference/dequantize_linear_formula.h"

#include "reference/elementwise.h"

namespace touchstone::reference {

using spec::ElementType;

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
