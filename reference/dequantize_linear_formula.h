// y = (x - x_zero_point) * x_scale: shared by all versions of every domain.
#pragma once

#include "reference/interpretation.h"
#include "reference/model/parameter_map.h"
#include "reference/product.h"
#include "reference/signature.h"
#include "reference/zero_point_use.h"
#include "spec/element_type.h"

namespace touchstone::reference {

/// For versions in which x_scale and y both have type T2.
spec::ElementType scale_type_output(const Signature& signature, Interpretation& in);

/// A page's rule for unusual zero points: one of the functions of zero_point_use.h.
using ZeroPointRule = ZeroPointUse (*)(const Signature&, Interpretation&);

Result dequantize(const Signature& signature, const ParameterMap& map, spec::ElementType y_type,
                  const Multiplication& multiplication, ZeroPointRule zero_point_rule, Interpretation& in);

}  // namespace touchstone::reference
