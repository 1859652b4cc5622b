// Converts a quotient to an integer type: rounds to nearest even, adds the zero point, saturates.
#pragma once

#include <optional>

#include "reference/division.h"
#include "reference/interpretation.h"
#include "reference/value.h"
#include "spec/element_type.h"

namespace touchstone::reference {

/// How elements become integers. Decided once per node.
struct IntegerTarget {
  ElementType type;
  Division division;      ///< the division that gave the quotient
  bool saturates = true;  ///< false only under a wrong reading of the attribute `saturate`
};

/// `has_finite_operands`: the quotient is that of two finite numbers, the second of which is not zero. It may be
/// infinite in the type of the division. Returns std::nullopt if the specification leaves the integer open.
std::optional<Value> integer_result(const Value& quotient, bool has_finite_operands, const Value& zero_point,
                                    const IntegerTarget& target, Interpretation& in);

/// The value of an absent zero point.
Value default_zero_point(ElementType type, Interpretation& in);

}  // namespace touchstone::reference
