// y = saturate((x / y_scale) + y_zero_point), and the type of y: shared by all versions of every domain.
#pragma once

#include "reference/division.h"
#include "reference/float_result.h"
#include "reference/interpretation.h"
#include "reference/model/parameter_map.h"
#include "reference/signature.h"
#include "spec/element_type.h"

namespace touchstone::reference {

/// "y_zero_point and y must have same type"; "default is uint8 typed 0 if it's not specified".
spec::ElementType type_of_zero_point(const Signature& signature, Interpretation& in);

/// The parameters of the formula, apart from its operands.
struct Target {
  spec::ElementType type;
  Division division;
  // These matter only if y is float8. Versions without a float8 y leave them at their defaults.
  bool saturate = true;
  FnuzInfinity fnuz_infinity = FnuzInfinity::is_nan;
};

Result quantize(const Signature& signature, const ParameterMap& map, const Target& target, Interpretation& in);

}  // namespace touchstone::reference
