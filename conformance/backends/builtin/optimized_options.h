// The type of y, and how it is computed: what attributes and types of a node are in the words of optimized/.
#pragma once

#include "conformance/backends/builtin/optimized_typed_node.h"
#include "optimized/dequantize_linear.h"
#include "optimized/quantize_linear.h"
#include "spec/element_type.h"

namespace touchstone::conformance {

/// Throws Refusal: an output_dtype that y cannot have, or one that is not the type of the zero point; a type of scale
/// that y cannot have, without one.
spec::ElementType y_type_of(const TypedNode& node);

/// Throws Refusal: a precision in which no division can be done.
optimized::QuantizeOptions quantize_options_of(const TypedNode& node);

/// Throws Refusal: a zero point of int32, where the version has none.
optimized::DequantizeOptions dequantize_options_of(const TypedNode& node, spec::ElementType y_type);

}  // namespace touchstone::conformance
