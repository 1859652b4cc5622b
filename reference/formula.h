// The formulas of both operators, and what decides the type of y: shared by all versions of ai.onnx and com.microsoft.
#pragma once

#include "reference/division.h"
#include "reference/float_result.h"
#include "reference/interpretation.h"
#include "reference/model/parameter_map.h"
#include "reference/product.h"
#include "reference/signature.h"
#include "reference/zero_point_use.h"
#include "spec/element_type.h"

namespace touchstone::reference {

/// "y_zero_point and y must have same type"; "default is uint8 typed 0 if it's not specified".
ElementType type_of_zero_point(const Signature& signature, Interpretation& in);

/// The parameters of the formula, apart from its operands.
struct Target {
  ElementType type;
  Division division;
  // These matter only if y is float8. Versions without a float8 y leave them at their defaults.
  bool saturate = true;
  FnuzInfinity fnuz_infinity = FnuzInfinity::is_nan;
};

/// y = saturate((x / y_scale) + y_zero_point)
Result quantize(const Signature& signature, const ParameterMap& map, const Target& target, Interpretation& in);

/// For versions in which x_scale and y both have type T2.
ElementType scale_type_output(const Signature& signature, Interpretation& in);

/// A page's rule for unusual zero points: one of the functions of zero_point_use.h.
using ZeroPointRule = ZeroPointUse (*)(const Signature&, Interpretation&);

/// y = (x - x_zero_point) * x_scale
Result dequantize(const Signature& signature, const ParameterMap& map, ElementType y_type,
                  const Multiplication& multiplication, ZeroPointRule zero_point_rule, Interpretation& in);

}  // namespace touchstone::reference
