// Translates the shapes of a node into a Geometry of optimized/: which elements of x share a scale and a zero point.
#pragma once

#include <cstddef>
#include <cstdint>

#include "conformance/backends/builtin/optimized_typed_node.h"
#include "conformance/files/names.h"
#include "optimized/tensor_view.h"

namespace touchstone::conformance {

/// Whether the shape is [] or [1]. Scale and zero point may differ in this (amb-scalar-shape).
bool is_scalar(const Shape& shape);

/// Throws Refusal unless the zero point has the shape of the scale.
void check_same_shape(const TypedNode& node);

/// One scale for all elements of a tensor of this shape.
optimized::Geometry geometry_of_tensor(const Shape& x);

/// One scale for each index along the axis; with a block size, one scale for each block at every index of the other
/// dimensions. `axis` must be the number of a dimension.
optimized::Geometry geometry_along(const Shape& x, std::size_t axis, std::int64_t block_size);

/// The shape of a scale with one element for each block along the axis. `axis` must be the number of a dimension, and
/// `block_size` must be positive.
Shape shape_of_blocks(const Shape& x, std::size_t axis, std::int64_t block_size);

/// The geometry of a node of ai.onnx or com.microsoft. For a tensor without elements, it may exceed the limits of the
/// library. Throws Refusal for shapes, axis or block_size that the version does not allow.
optimized::Geometry geometry_of(const TypedNode& node);

}  // namespace touchstone::conformance
