// From a quotient to an integer type: round to nearest even, add the zero point, saturate.
#pragma once

#include <optional>

#include "reference/division.h"
#include "reference/interpretation.h"
#include "reference/value.h"
#include "spec/element_type.h"

namespace touchstone::reference {

/// How one element is to become an integer. Decided once per node.
struct IntegerTarget {
  spec::ElementType type;
  Division division;      ///< that gave the quotient
  bool saturates = true;  ///< false only by a wrong reading of the attribute `saturate`
};

/// `overflowed` says that the quotient of two finite numbers is infinite in the type of the division.
/// Nothing where the specification leaves the integer open.
std::optional<Value> integer_result(const Value& quotient, bool overflowed, const Value& zero_point,
                                    const IntegerTarget& target, Interpretation& in);

/// The zero point that an absent one stands for.
Value default_zero_point(spec::ElementType type, Interpretation& in);

}  // namespace touchstone::reference
