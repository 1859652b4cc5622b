#include "conformance/backends/builtin/optimized_opmx.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "conformance/backends/builtin/optimized_geometry.h"
#include "reference/model/shape.h"

namespace touchstone::conformance {

using optimized::Geometry;
using optimized::OpmxZeroPoint;
using reference::to_text;

namespace {

struct DataType {
  std::string_view name;  ///< the value of quant_data_type
  ElementType type;
};
constexpr std::array data_types{DataType{"int4", ElementType::int4x4}, DataType{"int8", ElementType::int8}};

ElementType data_type_of(const TypedNode& node) {
  const std::string name = node.text(AttributeMeaning::type_of_x);
  const auto* row =
      std::find_if(data_types.begin(), data_types.end(), [&](const DataType& one) { return one.name == name; });
  if (row == data_types.end())
    refuse("pmx-quant-data-type", "quant_data_type is \"{}\", neither \"int4\" nor \"int8\"", name);
  if (node.x.type() != spec::tensor_type(row->type))
    refuse("pmx-type-of-x", "X has the type {}, and quant_data_type is \"{}\"", spec::name(node.x.type()), name);
  return row->type;
}

/// "(d0/4, d1, ..., dn)"
Shape unpacked_shape(const Shape& packed, ElementType type) {
  const int rows = spec::elements_per_carrier(type);
  if (rows == 1) return packed;
  if (packed.empty()) refuse("pmx-packed-rows", "X is a scalar, which has no rows");
  Shape shape = packed;
  if (__builtin_mul_overflow(shape[0], rows, &shape[0]) || !reference::element_count(shape))
    refuse("pmx-packed-rows", "X has the shape {}; {} times as many rows are too many", to_text(packed), rows);
  return shape;
}

struct ZeroPoint {
  const Tensor* tensor;
  OpmxZeroPoint use;
};

/// A ZeroPoint without has_zeropoint may be ignored, and so may float_zeropoint without has_zeropoint; their values
/// then do not matter (pmx-unannounced-zero-point, pmx-lone-float-flag). All numbers except 0 are true
/// (pmx-boolean-values).
ZeroPoint zero_point_of(const TypedNode& node) {
  const bool is_announced = node.integer(AttributeMeaning::has_zero_point).value_or(0) != 0;
  const bool is_float = node.integer(AttributeMeaning::zero_point_is_float).value_or(0) != 0;
  if (is_float && node.zero_point != nullptr && spec::is_integer(node.zero_point->type()))
    refuse("pmx-float-zero-point-type", "float_zeropoint is true, and ZeroPoint has the type {}",
           spec::name(node.zero_point->type()));
  if (is_announced && node.zero_point == nullptr)
    refuse("pmx-zero-point-given", "has_zeropoint is true, and ZeroPoint absent or empty");
  return {is_announced ? node.zero_point : nullptr, is_float ? OpmxZeroPoint::added : OpmxZeroPoint::subtracted};
}

std::int64_t quant_axis_of(const TypedNode& node) {
  const std::int64_t axis = node.integer(AttributeMeaning::axis).value();
  if (axis != 0 && axis != 1) refuse("pmx-quant-axis", "quant_axis is {}; only 0 and 1 are accepted", axis);
  return axis;
}

std::int64_t group_size_of(const TypedNode& node) {
  const std::int64_t group_size = node.integer(AttributeMeaning::block_size).value();
  if (group_size < 0) refuse("pmx-group-size-positive", "group_size is {}", group_size);
  return group_size;
}

/// "group_size != 0"
void check_grouped(const TypedNode& node, const Shape& x, std::size_t axis, std::int64_t group_size) {
  if (axis >= x.size()) refuse("pmx-quant-axis", "quant_axis is {}, the rank of X {}", axis, x.size());
  if (x[axis] % group_size != 0)
    refuse("pmx-whole-groups", "group_size {} does not divide the {} elements along quant_axis", group_size, x[axis]);
  const Shape expected = shape_of_blocks(x, axis, group_size);
  if (node.scale.shape() != expected)
    refuse("pmx-grouped-shape", "Scale has the shape {}; with group_size {} it is {}", to_text(node.scale.shape()),
           group_size, to_text(expected));
}

/// The scale is neither grouped nor a scalar: it has the shape of Y with 1 along quant_axis.
void check_per_channel(const TypedNode& node, const Shape& x, std::size_t axis) {
  Shape expected = x;
  if (axis < x.size()) expected[axis] = 1;
  if (axis >= x.size() || node.scale.shape() != expected)
    refuse("pmx-ungrouped-shape", "Scale has the shape {}, Y {}, and there are no groups", to_text(node.scale.shape()),
           to_text(x));
}

/// `x` is the unpacked shape.
Geometry opmx_geometry_of(const TypedNode& node, const Shape& x) {
  const auto axis = static_cast<std::size_t>(quant_axis_of(node));
  const std::int64_t group_size = group_size_of(node);
  check_same_shape(node);
  if (group_size > 0) {
    check_grouped(node, x, axis, group_size);
    return geometry_along(x, axis, group_size);
  }
  if (!is_scalar(node.scale.shape())) {
    check_per_channel(node, x, axis);
    return geometry_along(x, axis, x[axis]);
  }
  if (x.empty()) return geometry_of_tensor(x);
  const Geometry rows = geometry_along(x, 0, 0);
  return {.outer = rows.axis, .inner = rows.inner};
}

}  // namespace

OpmxCall opmx_call_of(const TypedNode& given) {
  const ElementType type = data_type_of(given);
  Shape shape = unpacked_shape(given.x.shape(), type);
  // An empty ZeroPoint counts as absent.
  const bool has_zero_point = given.zero_point != nullptr && given.zero_point->size() > 0;
  const TypedNode node{given.version, given.node, given.x, given.scale, has_zero_point ? given.zero_point : nullptr};
  const ZeroPoint zero_point = zero_point_of(node);
  const Geometry geometry = opmx_geometry_of(node, shape);
  return {type, std::move(shape), zero_point.tensor, geometry, {.zero_point = zero_point.use}};
}

}  // namespace touchstone::conformance
