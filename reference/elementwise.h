// "Element by element": the walk over x with the scale and the zero point that belong to each element.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "reference/granularity.h"
#include "reference/interpretation.h"
#include "reference/signature.h"
#include "reference/value.h"

namespace touchstone::reference {

/// The exact value of an element, as an operand: a subnormal number is kept unless the policy flushes it.
Value operand(const Tensor& tensor, std::int64_t index, Interpretation& in);

/// Whether a value of the type is a subnormal number of it.
bool is_subnormal(const Value& value, spec::ElementType type);

/// A subnormal result, kept unless the policy flushes it.
Value flushed(const Value& value, spec::ElementType type, Interpretation& in);

/// The text does not restrict the scale, though some implementations do. They violate the clause of the formula.
void check_scales(const Signature& signature, spec::ClauseRef formula, Interpretation& in);

/// y of one element; `zero_point` is null where it is absent. Nothing where the specification leaves the value open.
using ElementStep = std::function<std::optional<Value>(const Value& x, const Value& scale, const Value* zero_point)>;

Result for_each_element(const Signature& signature, const ParameterMap& map, spec::ElementType y_type,
                        Interpretation& in, const ElementStep& step);

}  // namespace touchstone::reference
