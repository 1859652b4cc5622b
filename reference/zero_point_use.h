// Zero points of the types that usually have none: the floating-point types, and int32 in DequantizeLinear.
#pragma once

#include "reference/interpretation.h"
#include "reference/signature.h"
#include "reference/value.h"
#include "spec/element_type.h"

namespace touchstone::reference {

/// What becomes of the zero points that are in question.
enum class ZeroPointUse { as_in_formula, ignored };

/// QuantizeLinear to a floating-point type: of all zero points of the node, also those that no element of x meets.
/// Rejects them where a reading calls them invalid.
ZeroPointUse added_zero_points(const Signature& signature, Interpretation& in);

/// The same of DequantizeLinear from a floating-point type or int32.
ZeroPointUse subtracted_zero_points(const Signature& signature, Interpretation& in);

/// The same of com.microsoft, whose page has no words of its own on int32.
ZeroPointUse subtracted_zero_points_of_microsoft(const Signature& signature, Interpretation& in);

/// Whether a zero point is one that not everybody adds.
bool is_addition_in_question(const Value& zero_point);

/// Whether a zero point is one that not everybody subtracts: of float8 any but +0, of the other types any but 0.
bool is_subtraction_in_question(const Value& zero_point, spec::ElementType type);

}  // namespace touchstone::reference
