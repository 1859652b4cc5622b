// (x - x_zero_point) * x_scale: the difference, and the precision of the multiplication.
#pragma once

#include "reference/interpretation.h"
#include "reference/signature.h"
#include "reference/value.h"
#include "reference/zero_point_use.h"
#include "spec/element_type.h"

namespace touchstone::reference {

/// How the difference is multiplied by the scale.
struct Multiplication {
  bool exact = false;                       ///< the mathematical product, rounded once to the type of y
  ElementType type = ElementType::float32;  ///< otherwise: operands converted to this type, then IEEE product in it
  bool rounds_operands_first = false;       ///< x and zero point are converted before the subtraction
  bool through_float32 = false;             ///< int32 numbers are rounded to float32 before this type
};

/// Versions 10 and 13: y and the scale are float32.
Multiplication multiplication_in_float32(const Signature& signature, Interpretation& in);

/// Versions 19 and 21: y has the type of the scale, and the text does not specify the precision.
Multiplication multiplication_of_scale_type(const Signature& signature, Interpretation& in);

/// From version 23 on: "the output type also determines the precision of the multiplication".
Multiplication multiplication_in_output_type(const Signature& signature, ElementType y_type, Interpretation& in);

/// x - x_zero_point, rounded only for floating-point types. `zero_point` is null if absent.
Value difference(const Value& x, const Value* zero_point, ElementType x_type, const Multiplication& multiplication,
                 ZeroPointUse use, Interpretation& in);

/// The IEEE 754 conversion to the type of y, including the handling of values out of range. `from_finite`: all operands
/// were finite.
Value round_to_output(const Value& value, bool from_finite, ElementType y_type, Interpretation& in);

/// The product, of type `y_type`.
Value product(const Value& difference, const Value& scale, const Multiplication& multiplication, ElementType y_type,
              Interpretation& in);

}  // namespace touchstone::reference
