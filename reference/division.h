// (x / y_scale): the precision of the quotient.
#pragma once

#include "reference/interpretation.h"
#include "reference/signature.h"
#include "reference/value.h"
#include "spec/element_type.h"

namespace touchstone::reference {

struct Division {
  enum class Kind {
    in_format,   ///< operands converted to the format, then IEEE division in it
    exact,       ///< the mathematical quotient
    reciprocal,  ///< in the format: x * (1 / scale)
    truncating,  ///< to an integer, towards zero
    flooring,    ///< to an integer, downwards
  };
  Kind kind;
  ElementType type = ElementType::float32;  ///< the format, for in_format and reciprocal
  bool through_float32 = false;             ///< for in_format: int32 operands are rounded to float32 before the format
  bool result_through_float32 = false;      ///< the quotient, or its sum with the zero point, is rounded to float32
};

/// Versions 10 and 13: x is float32 or int32, the scale is float32, and the text does not specify the precision.
Division division_by_float32(const Signature& signature, Interpretation& in);

/// Versions 19 and 21: x and the scale have the same type, and the text does not specify the precision.
Division division_in_one_type(const Signature& signature, ElementType y_type, Interpretation& in);

/// The draft of version 23: x and the scale have the same floating-point type, and the text does not specify the
/// precision.
Division division_by_the_draft_of_23(const Signature& signature, ElementType y_type, Interpretation& in);

/// From version 23 on: the type that `precision` names, otherwise that of the scale.
Division division_by_precision_or_scale_type(const Signature& signature, ElementType y_type, Interpretation& in);

/// The quotient, with gradual underflow.
Value quotient(const Value& x, const Value& scale, const Division& division);

/// The same, but the policy may flush subnormal numbers in the type of the division.
Value quotient(const Value& x, const Value& scale, const Division& division, Interpretation& in);

}  // namespace touchstone::reference
