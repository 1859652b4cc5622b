// Translates DequantizeLinear of opmx into a call of optimized/dequantize_opmx.h.
#pragma once

#include "conformance/backends/builtin/optimized_typed_node.h"
#include "conformance/files/names.h"
#include "optimized/dequantize_opmx.h"

namespace touchstone::conformance {

struct OpmxCall {
  ElementType x_type;        ///< int8 or int4x4
  Shape y_shape;             ///< the unpacked shape of x
  const Tensor* zero_point;  ///< null if there is none or it is ignored
  optimized::Geometry geometry;
  optimized::OpmxOptions options;
};

/// Throws Refusal for types, attributes, zero points and shapes that the page forbids.
OpmxCall opmx_call_of(const TypedNode& node);

}  // namespace touchstone::conformance
