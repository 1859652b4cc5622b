// "Element by element": visits the elements of x with their scale and zero point.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "reference/granularity.h"
#include "reference/interpretation.h"
#include "reference/signature.h"
#include "reference/value.h"

namespace touchstone::reference {

/// The exact value of an element as an operand. A subnormal number is kept unless the policy flushes it.
Value operand(const Tensor& tensor, std::int64_t index, Interpretation& in);

/// Whether a value of the type is one of its subnormal numbers.
bool is_subnormal(const Value& value, ElementType type);

/// A result of an operation. A subnormal number is kept unless the policy flushes it.
Value flushed(const Value& value, ElementType type, Interpretation& in);

/// An operand that was converted to the type in which an operation is done. A subnormal float16 number is kept unless
/// the policy flushes it. In wider types, a conversion makes no number subnormal that `operand` has not seen.
Value converted_operand(const Value& value, ElementType type, Interpretation& in);

/// Whether int32 operands are rounded to float32 before they are rounded to the type in which an operation is done.
bool rounds_int32_through_float32(ElementType type, Interpretation& in);

/// An operand rounded to the type in which an operation is done, and before to float32 if `through_float32`.
Value rounded_operand(const Value& value, ElementType type, bool through_float32);

/// The text does not restrict the scale, but some implementations do. Scales outside their restrictions violate the
/// clause of the formula.
void check_scales(const Signature& signature, spec::ClauseRef formula, Interpretation& in);

/// Computes y for one element. `zero_point` is null if absent. Returns std::nullopt if the specification leaves the
/// value open.
using ElementStep = std::function<std::optional<Value>(const Value& x, const Value& scale, const Value* zero_point)>;

Result for_each_element(const Signature& signature, const ParameterMap& map, ElementType y_type, Interpretation& in,
                        const ElementStep& step);

}  // namespace touchstone::reference
