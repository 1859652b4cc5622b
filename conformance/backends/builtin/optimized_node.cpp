#include "conformance/backends/builtin/optimized_node.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/backends/builtin/optimized_geometry.h"
#include "conformance/backends/builtin/optimized_typed_node.h"
#include "optimized/dequantize_linear.h"
#include "optimized/dequantize_opmx.h"
#include "optimized/quantize_linear.h"
#include "reference/model/shape.h"

namespace touchstone::conformance {

using optimized::ConstTensorView;
using optimized::Division;
using optimized::Geometry;
using optimized::Multiplication;
using optimized::OpmxZeroPoint;
using optimized::TensorView;
using reference::to_text;
using spec::OutputTypeRule;

namespace {

// ---- the type of y and the options

/// The type in output_dtype; nothing if it is absent or 0, or if the version does not have it.
std::optional<ElementType> output_dtype_of(const TypedNode& node) {
  const std::int64_t code = node.integer(AttributeMeaning::output_dtype).value_or(0);
  if (code == 0) return std::nullopt;
  const auto type = spec::element_type_from_code(code);
  if (type && spec::contains(node.version.output.types, *type)) return type;
  if (node.version.op == Operator::quantize_linear) refuse("ql-output-dtype-allowed", "output_dtype is {}", code);
  refuse("dq-output-dtype-allowed", "output_dtype is {}", code);
}

/// float8e8m0 has neither sign nor fraction, so a division by such a scale is done in float32
/// (amb-e8m0-scale-without-precision). A division by an int32 scale is not rounded (amb-int32-scale).
Division division_in(ElementType type) {
  switch (type) {
    case ElementType::float16: return Division::in_float16;
    case ElementType::bfloat16: return Division::in_bfloat16;
    case ElementType::float64: return Division::in_float64;
    case ElementType::int32: return Division::exact;
    default: return Division::in_float32;
  }
}

/// The page does not list float64, but the primary reading permits it (amb-precision-values).
bool is_precision(const TypedNode& node, ElementType type) {
  return spec::contains(node.version.precisions, type) || type == ElementType::float64;
}

/// The division. For versions that do not specify it: float32, except for int32 scales.
Division division_of(const TypedNode& node) {
  const ElementType scale = node.scale.type();
  const std::int64_t precision = node.integer(AttributeMeaning::precision).value_or(0);
  if (precision != 0) {
    const auto type = spec::element_type_from_code(precision);
    if (!type || !is_precision(node, *type)) refuse("ql-division-in-precision", "precision is {}", precision);
    return division_in(*type);
  }
  if (node.has("ql-division-in-scale-type") || scale == ElementType::int32) return division_in(scale);
  return Division::in_float32;
}

/// The multiplication. For versions that do not specify it: float32.
Multiplication multiplication_of(const TypedNode& node, ElementType y) {
  if (!node.has("dq-product-in-output-type")) return Multiplication::in_float32;
  if (y == ElementType::bfloat16) return Multiplication::in_bfloat16;
  return y == ElementType::float16 ? Multiplication::in_float16 : Multiplication::in_float32;
}

/// "There's no zero point in the case of dequantizing int32" (amb-int32-zero-point).
void check_int32_zero_point(const TypedNode& node) {
  if (!node.has("dq-int32-zero-point") || node.x.type() != ElementType::int32 || node.zero_point == nullptr) return;
  const auto bytes = node.zero_point->bytes();
  if (std::any_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte != std::byte{0}; }))
    refuse("dq-int32-zero-point", "a zero point of int32 is not 0");
}

/// Throws Refusal for an output_dtype that y cannot have or that differs from the type of the zero point. Without an
/// output_dtype, throws Refusal for a type of the scale that y cannot have.
ElementType y_type_of(const TypedNode& node) {
  const std::optional<ElementType> named = output_dtype_of(node);
  switch (node.version.output_type_rule) {
    case OutputTypeRule::zero_point_else_uint8:
    case OutputTypeRule::zero_point_else_output_dtype_else_uint8:
      if (node.zero_point == nullptr) return named.value_or(ElementType::uint8);
      if (named && *named != node.zero_point->type())
        refuse("ql-output-dtype-agrees", "output_dtype is {}, the zero point {}", spec::name(*named),
               spec::name(node.zero_point->type()));
      return node.zero_point->type();
    case OutputTypeRule::float32: return ElementType::float32;
    case OutputTypeRule::scale_type:
    case OutputTypeRule::output_dtype_else_scale_type: break;
  }
  const ElementType y = named.value_or(node.scale.type());
  if (!spec::contains(node.version.output.types, y))
    refuse("dq-output-dtype-allowed", "y would have the type of the scale, {}", spec::name(y));
  return y;
}

/// Throws Refusal for a precision in which no division is possible.
optimized::QuantizeOptions quantize_options_of(const TypedNode& node) {
  return {.division = division_of(node),
          .saturate = node.integer(AttributeMeaning::saturate).value_or(1) != 0,  // amb-saturate-values
          .fnuz_infinity = node.has("ql-fnuz-infinity-is-nan") ? optimized::FnuzInfinity::is_nan
                                                               : optimized::FnuzInfinity::saturates};
}

/// Throws Refusal for an int32 zero point that the version does not allow.
optimized::DequantizeOptions dequantize_options_of(const TypedNode& node, ElementType y_type) {
  check_int32_zero_point(node);
  return {.multiplication = multiplication_of(node, y_type)};
}

// ---- DequantizeLinear of opmx

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

struct OpmxCall {
  ElementType x_type;        ///< int8 or int4x4
  Shape y_shape;             ///< the unpacked shape of x
  const Tensor* zero_point;  ///< null if there is none or it is ignored
  optimized::Geometry geometry;
  optimized::OpmxOptions options;
};

/// Throws Refusal for types, attributes, zero points and shapes that the page forbids.
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

// ---- the calls

ConstTensorView view(const Tensor& tensor) { return {tensor.type(), tensor.bytes()}; }

std::optional<ConstTensorView> view(const Tensor* tensor) {
  return tensor == nullptr ? std::nullopt : std::optional(view(*tensor));
}

/// y of this shape, written by `compute`. `compute` is not called for a tensor without elements, whose dimensions may
/// exceed the limits of the library.
template <class Compute>
Tensor computed(ElementType type, const Shape& shape, const Compute& compute) {
  const std::int64_t size = reference::element_count(shape).value();
  std::vector<std::byte> bytes(static_cast<std::size_t>(optimized::packed_bytes(type, size)));
  if (size > 0) {
    const optimized::Status status = compute(TensorView{type, bytes});
    if (status.error != optimized::Error::none) throw Refusal{std::string(describe(status.error))};
  }
  return Tensor(type, shape, std::move(bytes));
}

/// The kernels and threads that compute a node.
struct KernelChoice {
  std::optional<optimized::Isa> isa;
  const optimized::Executor* executor;
};

template <class Options>
Options with(Options options, const KernelChoice& choice) {
  options.isa = choice.isa;
  options.executor = choice.executor;
  return options;
}

Tensor quantize(const TypedNode& node, const KernelChoice& choice) {
  const optimized::Geometry geometry = geometry_of(node);
  const ElementType type = y_type_of(node);
  const optimized::QuantizeOptions options = with(quantize_options_of(node), choice);
  return computed(type, node.x.shape(), [&](TensorView y) {
    return optimized::quantize_linear(view(node.x), view(node.scale), view(node.zero_point), y, geometry, options);
  });
}

Tensor dequantize(const TypedNode& node, const KernelChoice& choice) {
  const optimized::Geometry geometry = geometry_of(node);
  const ElementType type = y_type_of(node);
  const optimized::DequantizeOptions options = with(dequantize_options_of(node, type), choice);
  return computed(type, node.x.shape(), [&](TensorView y) {
    return optimized::dequantize_linear(view(node.x), view(node.scale), view(node.zero_point), y, geometry, options);
  });
}

Tensor dequantize_opmx(const TypedNode& node, const KernelChoice& choice) {
  const OpmxCall call = opmx_call_of(node);
  return computed(y_type_of(node), call.y_shape, [&](TensorView y) {
    return optimized::dequantize_opmx({call.x_type, node.x.bytes()}, view(node.scale), view(call.zero_point), y,
                                      call.geometry, with(call.options, choice));
  });
}

}  // namespace

OptimizedAnswer run_optimized(const Node& node, std::optional<optimized::Isa> isa,
                              const optimized::Executor* executor) {
  try {
    const TypedNode typed = read_typed_node(node);
    const KernelChoice choice{isa, executor};
    if (node.domain == spec::opmx) return dequantize_opmx(typed, choice);
    return node.op == Operator::quantize_linear ? quantize(typed, choice) : dequantize(typed, choice);
  } catch (Refusal& refusal) {
    return std::move(refusal);
  }
}

}  // namespace touchstone::conformance
