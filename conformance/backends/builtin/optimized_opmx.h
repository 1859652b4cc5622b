// Translates DequantizeLinear of opmx into a call of optimized/dequantize_opmx.h.
#pragma once

#include "conformance/backends/builtin/optimized_typed_node.h"
#include "optimized/dequantize_opmx.h"
#include "reference/model/tensor.h"
#include "spec/element_type.h"

namespace touchstone::conformance {

struct OpmxCall {
  spec::ElementType x_type;             ///< int8 or int4x4
  reference::Shape y_shape;             ///< the unpacked shape of x
  const reference::Tensor* zero_point;  ///< null if there is none or it is ignored
  optimized::Geometry geometry;
  optimized::OpmxOptions options;
};

/// Throws Refusal for types, attributes, zero points and shapes that the page forbids.
OpmxCall opmx_call_of(const TypedNode& node);

}  // namespace touchstone::conformance
