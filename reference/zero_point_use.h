// Zero points of types that usually have none: the floating-point types, and int32 in DequantizeLinear.
#pragma once

#include "reference/interpretation.h"
#include "reference/signature.h"
#include "reference/value.h"
#include "spec/element_type.h"

namespace touchstone::reference {

/// How ambiguous zero points are used.
enum class ZeroPointUse { as_in_formula, ignored };

/// For QuantizeLinear to a floating-point type: considers all zero points of the node, even without corresponding
/// elements of x. Rejects them if a reading makes them invalid.
ZeroPointUse added_zero_points(const Signature& signature, Interpretation& in);

/// The same for DequantizeLinear from a floating-point type or int32.
ZeroPointUse subtracted_zero_points(const Signature& signature, Interpretation& in);

/// The same for com.microsoft, whose page does not mention int32.
ZeroPointUse subtracted_zero_points_of_microsoft(const Signature& signature, Interpretation& in);

/// Whether some reading does not add this zero point.
bool is_addition_in_question(const Value& zero_point);

/// Whether some reading does not subtract this zero point: for float8 any zero point except +0, for the other types any
/// except 0.
bool is_subtraction_in_question(const Value& zero_point, ElementType type);

}  // namespace touchstone::reference
