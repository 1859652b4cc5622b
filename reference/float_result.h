// From a quotient to float8, float6 or float4: add the zero point, round to the type as Cast does.
#pragma once

#include <optional>

#include "reference/division.h"
#include "reference/interpretation.h"
#include "reference/value.h"
#include "reference/zero_point_use.h"
#include "spec/element_type.h"

namespace touchstone::reference {

/// What Cast's float8 tables say of infinities, the FNUZ types and saturate = 1: their one difference between versions.
enum class FnuzInfinity {
  is_nan,     ///< Cast 19 to 23
  saturates,  ///< from Cast 24 on
};

/// How one element is to become a small floating-point number. Decided once per node.
struct FloatTarget {
  spec::ElementType type;
  Division division;  ///< that gave the quotient
  bool saturates;     ///< the attribute `saturate`
  FnuzInfinity fnuz_infinity;
  ZeroPointUse zero_points;  ///< how ambiguous zero points are used
};

/// `zero_point` is null where it is absent. Nothing where the specification leaves the value open.
std::optional<Value> float_result(const Value& quotient, const Value* zero_point, const FloatTarget& target,
                                  Interpretation& in);

}  // namespace touchstone::reference
