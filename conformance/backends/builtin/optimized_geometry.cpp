#include "conformance/backends/builtin/optimized_geometry.h"

#include <functional>
#include <numeric>
#include <optional>
#include <span>

#include "reference/model/shape.h"

namespace touchstone::conformance {

using optimized::Geometry;
using reference::to_text;

namespace {

/// Does not overflow, because the product of all nonzero dimensions fits.
std::int64_t product(std::span<const std::int64_t> dimensions) {
  return std::accumulate(dimensions.begin(), dimensions.end(), std::int64_t{1}, std::multiplies<>());
}

/// The dimension that axis selects; a negative axis counts from the end.
std::size_t dimension_of(const TypedNode& node, std::int64_t axis, spec::ClauseRef clause) {
  const std::int64_t rank = node.x.rank();
  if (axis < -rank || axis >= rank) refuse(clause, "axis is {}, the rank of x {}", axis, rank);
  return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

Geometry per_axis(const TypedNode& node, std::size_t axis) {
  const std::int64_t length = node.x.shape()[axis];
  if (node.scale.size() != length)
    refuse("qdq-per-axis-length", "the scale has {} elements, x has {} along axis {}", node.scale.size(), length, axis);
  return geometry_along(node.x.shape(), axis, 0);
}

Geometry blocked(const TypedNode& node, std::size_t axis, std::int64_t block_size) {
  const Shape& scale = node.scale.shape();
  Shape expected = shape_of_blocks(node.x.shape(), axis, block_size);
  if (scale == expected) return geometry_along(node.x.shape(), axis, block_size);
  const std::int64_t blocks = std::exchange(expected[axis], scale[axis]);
  if (scale == expected && scale[axis] > 0)
    refuse("qdq-block-size-range", "the scale has {} elements along axis {}, where block_size {} makes {} blocks of {}",
           scale[axis], axis, block_size, blocks, node.x.shape()[axis]);
  refuse("qdq-blocked-shape", "x has the shape {}, the scale {}; they may differ along axis {} only",
         to_text(node.x.shape()), to_text(scale), axis);
}

/// ai.onnx: "a scalar ... a 1-D tensor ... of the rank of the input".
Geometry by_rank_of_scale(const TypedNode& node) {
  const std::int64_t block_size = node.integer(AttributeMeaning::block_size).value_or(0);
  if (block_size < 0) refuse("qdq-block-size-positive", "block_size is {}", block_size);
  const Shape& scale = node.scale.shape();
  const bool knows_scalars_only = !node.version.has(Granularity::per_axis);
  if (!knows_scalars_only) check_same_shape(node);
  if (is_scalar(scale) && (node.zero_point == nullptr || is_scalar(node.zero_point->shape())))
    return geometry_of_tensor(node.x.shape());
  if (knows_scalars_only) refuse("qdq-scale-is-scalar", "scale and zero point are not both scalars");

  const bool has_rank_of_x = scale.size() == node.x.shape().size();
  const auto axis = [&] { return dimension_of(node, node.integer(AttributeMeaning::axis).value(), "qdq-axis-range"); };
  if (has_rank_of_x && block_size > 0) return blocked(node, axis(), block_size);
  if (scale.size() == 1) return per_axis(node, axis());
  if (!node.version.has(Granularity::blocked))
    refuse("qdq-scale-rank-before-21", "the scale has the shape {}", to_text(scale));
  if (!has_rank_of_x)
    refuse("qdq-scale-rank", "the scale has the shape {}, x the rank {}", to_text(scale), node.x.rank());
  refuse("qdq-block-size-given", "the scale has the rank of x, and there is no block_size");
}

/// com.microsoft: "If it's not specified, it means per-tensor quantization ... If it's specified, it means per 'axis'".
Geometry by_presence_of_axis(const TypedNode& node) {
  check_same_shape(node);
  const Shape& scale = node.scale.shape();
  const std::optional<std::int64_t> axis = node.integer(AttributeMeaning::axis);
  if (!axis && is_scalar(scale)) return geometry_of_tensor(node.x.shape());
  if (!axis) refuse("ms-scalars-without-axis", "axis is absent, and the scale has the shape {}", to_text(scale));
  if (scale.size() != 1 || (node.zero_point != nullptr && node.zero_point->rank() != 1))
    refuse("ms-vectors-with-axis", "axis is given, and scale or zero point are not 1-D");
  return per_axis(node, dimension_of(node, *axis, "ms-axis-range"));
}

}  // namespace

bool is_scalar(const Shape& shape) { return shape.empty() || shape == Shape{1}; }

void check_same_shape(const TypedNode& node) {
  if (node.zero_point == nullptr) return;
  const Shape& scale = node.scale.shape();
  const Shape& zero_point = node.zero_point->shape();
  if (scale == zero_point || (is_scalar(scale) && is_scalar(zero_point))) return;
  refuse("qdq-same-shape", "the scale has the shape {}, the zero point {}", to_text(scale), to_text(zero_point));
}

Geometry geometry_of_tensor(const Shape& x) { return {.inner = product(x)}; }

Geometry geometry_along(const Shape& x, std::size_t axis, std::int64_t block_size) {
  return {.outer = product(std::span(x).first(axis)),
          .axis = x[axis],
          .inner = product(std::span(x).subspan(axis + 1)),
          .block = block_size};
}

Shape shape_of_blocks(const Shape& x, std::size_t axis, std::int64_t block_size) {
  Shape shape = x;
  shape[axis] = x[axis] / block_size + (x[axis] % block_size != 0 ? 1 : 0);
  return shape;
}

Geometry geometry_of(const TypedNode& node) {
  return node.has("ms-vectors-with-axis") ? by_presence_of_axis(node) : by_rank_of_scale(node);
}

}  // namespace touchstone::conformance
