// Converts a quotient to float8, float6 or float4: adds the zero point and rounds to the type as Cast does.
#pragma once

#include <optional>

#include "reference/division.h"
#include "reference/interpretation.h"
#include "reference/value.h"
#include "reference/zero_point_use.h"
#include "spec/element_type.h"

namespace touchstone::reference {

/// The result of infinities in the FNUZ types with saturate = 1: the only difference between the versions of Cast's
/// float8 tables.
enum class FnuzInfinity {
  is_nan,     ///< Cast 19 to 23
  saturates,  ///< from Cast 24 on
};

/// How elements become small floating-point numbers. Decided once per node.
struct FloatTarget {
  ElementType type;
  Division division;  ///< the division that gave the quotient
  bool saturates;     ///< the attribute `saturate`
  FnuzInfinity fnuz_infinity;
  ZeroPointUse zero_points;  ///< how ambiguous zero points are used
};

/// `zero_point` is null if absent. Returns std::nullopt if the specification leaves the value open.
std::optional<Value> float_result(const Value& quotient, const Value* zero_point, const FloatTarget& target,
                                  Interpretation& in);

}  // namespace touchstone::reference
