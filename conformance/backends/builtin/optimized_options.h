// Translates the attributes and types of a node into the type of y and the options of optimized/.
#pragma once

#include "conformance/backends/builtin/optimized_typed_node.h"
#include "conformance/files/names.h"
#include "optimized/dequantize_linear.h"
#include "optimized/quantize_linear.h"

namespace touchstone::conformance {

/// Throws Refusal for an output_dtype that y cannot have or that differs from the type of the zero point. Without an
/// output_dtype, throws Refusal for a type of the scale that y cannot have.
ElementType y_type_of(const TypedNode& node);

/// Throws Refusal for a precision in which no division is possible.
optimized::QuantizeOptions quantize_options_of(const TypedNode& node);

/// Throws Refusal for an int32 zero point that the version does not allow.
optimized::DequantizeOptions dequantize_options_of(const TypedNode& node, ElementType y_type);

}  // namespace touchstone::conformance
