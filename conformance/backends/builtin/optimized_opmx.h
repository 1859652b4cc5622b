// DequantizeLinear of opmx: a node in the words of optimized/dequantize_opmx.h.
#pragma once

#include "conformance/backends/builtin/optimized_typed_node.h"
#include "optimized/dequantize_opmx.h"
#include "reference/model/tensor.h"
#include "spec/element_type.h"

namespace touchstone::conformance {

struct OpmxCall {
  spec::ElementType x_type;             ///< int8 or int4x4
  reference::Shape y_shape;             ///< that of x once it is unpacked
  const reference::Tensor* zero_point;  ///< null where there is none that counts
  optimized::OpmxGeometry geometry;
  optimized::OpmxOptions options;
};

/// Throws Refusal: what the page forbids of types, attributes, zero point and shapes.
OpmxCall opmx_call_of(const TypedNode& node);

}  // namespace touchstone::conformance
