// For tests: nodes of opmx, and the equivalent arguments of this library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "optimized/agreement_testing.h"
#include "optimized/dequantize_opmx.h"
#include "optimized/float_environment_testing.h"
#include "optimized/guarded_memory_testing.h"
#include "reference/opmx_testing.h"
#include "reference/random/values.h"

namespace touchstone::optimized {

/// The dimensions (rows, columns, inner) of y, and the attributes of a node.
struct OpmxLayout {
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::int64_t inner = 1;
  spec::Granularity granularity = spec::Granularity::per_tensor;
  int quant_axis = 1;
  std::int64_t group_size = 0;

  /// The argument of dequantize_opmx.
  Geometry geometry() const {
    if (granularity == spec::Granularity::per_tensor) return {rows, 1, columns * inner, 0};
    const std::int64_t length = quant_axis == 0 ? rows : columns;
    const std::int64_t block =
        granularity == spec::Granularity::blocked ? group_size : std::max<std::int64_t>(length, 1);
    if (quant_axis == 0) return {1, rows, columns * inner, block};
    return {rows, columns, inner, block};
  }
};

struct OpmxExample {
  ElementType x_type;
  ElementType type;  ///< of scale and y
  std::optional<ElementType> zero_point_type;
  OpmxZeroPoint use;
  OpmxLayout layout;

  bool is_packed() const { return x_type == ElementType::int4x4; }
};

inline std::string to_text(const OpmxExample& example) {
  const auto& [rows, columns, inner, granularity, quant_axis, group_size] = example.layout;
  std::string text = "opmx x " + std::string(name(example.x_type)) + " scale " + std::string(name(example.type)) +
                     " zero point " +
                     (example.zero_point_type ? std::string(name(*example.zero_point_type)) : "absent") +
                     (example.use == OpmxZeroPoint::added ? " added" : "") + " [" + std::to_string(rows) + ", " +
                     std::to_string(columns) + ", " + std::to_string(inner) + "] " + std::string(name(granularity));
  return text + " quant_axis " + std::to_string(quant_axis) + " group_size " + std::to_string(group_size);
}

/// Every legal combination of types and uses of the zero point.
inline std::vector<OpmxExample> opmx_examples(const OpmxLayout& layout) {
  using enum ElementType;
  std::vector<OpmxExample> all;
  for (const ElementType x : {int8, int4x4})
    for (const ElementType type : {float32, float16}) {
      all.push_back({x, type, std::nullopt, OpmxZeroPoint::subtracted, layout});
      for (const ElementType zero_point : {int8, float32, float16})
        all.push_back({x, type, zero_point, OpmxZeroPoint::subtracted, layout});
      for (const ElementType zero_point : {float32, float16})
        all.push_back({x, type, zero_point, OpmxZeroPoint::added, layout});
    }
  return all;
}

inline reference::Shape shape_of_y(const OpmxExample& example) {
  return {example.layout.rows, example.layout.columns, example.layout.inner};
}

/// The shape of x; if x is packed, that of the int16 tensor.
inline reference::Shape shape_of_x(const OpmxExample& example) {
  return {example.layout.rows / (example.is_packed() ? 4 : 1), example.layout.columns, example.layout.inner};
}

inline reference::Shape shape_of_scale(const OpmxExample& example) {
  const OpmxLayout& layout = example.layout;
  if (layout.granularity == spec::Granularity::per_tensor) return {1};
  reference::Shape shape = shape_of_y(example);
  std::int64_t& length = shape[layout.quant_axis == 0 ? 0 : 1];
  length = layout.granularity == spec::Granularity::blocked ? length / layout.group_size : 1;
  return shape;
}

/// The node for the data. Leaves out a zero point without elements, which the page does not allow.
inline Node node_of(const OpmxExample& example, const Data& data) {
  const bool is_blocked = example.layout.granularity == spec::Granularity::blocked;
  const bool has_zero_point = data.zero_point && data.zero_point->size() > 0;
  return reference::with_data_type(
      example.is_packed() ? "int4" : "int8",
      reference::opmx_node(data.x, data.scale, has_zero_point ? data.zero_point : std::nullopt,
                           reference::groups(example.layout.quant_axis, is_blocked ? example.layout.group_size : 0,
                                             has_zero_point, has_zero_point && example.use == OpmxZeroPoint::added)));
}

/// Random data. Some added zero points nearly cancel a product, which makes the sum small.
inline Data random_data(Random& random, const OpmxExample& example) {
  Data data{random_tensor(random, example.is_packed() ? ElementType::int16 : ElementType::int8, shape_of_x(example)),
            random_tensor(random, example.type, shape_of_scale(example)), std::nullopt};
  if (!example.zero_point_type) return data;
  data.zero_point = random_tensor(random, *example.zero_point_type, shape_of_scale(example));
  if (example.use != OpmxZeroPoint::added) return data;
  for (std::int64_t i = 0; i < data.scale.size(); ++i) {
    const double product = number_of(example.type, data.scale.code(i)) * static_cast<double>(random_in(random, -8, 7));
    if (random() % 2 == 0 || std::isnan(product) || std::isinf(product)) continue;
    data.zero_point->set_code(
        i, rounded_code(*example.zero_point_type, product) + static_cast<std::uint64_t>(random_in(random, -2, 2)));
  }
  return data;
}

/// The scales or zero points that a call gets: an axis without elements has no block, while a node still has a scale
/// for each channel.
inline std::span<const std::byte> bytes_of_blocks(const OpmxExample& example, const Tensor& parameters) {
  const Geometry geometry = example.layout.geometry();
  return geometry.axis == 0 ? std::span<const std::byte>{} : parameters.bytes();
}

/// A call with copies of the operands between guard pages.
class OpmxCall {
 public:
  OpmxCall(const OpmxExample& example, const Data& data, Edge edge)
      : example_(example),
        x_(data.x.bytes(), edge),
        scale_(bytes_of_blocks(example, data.scale), edge),
        zero_point_(data.zero_point ? bytes_of_blocks(example, *data.zero_point) : std::span<const std::byte>{}, edge),
        y_(Tensor(example.type, shape_of_y(example)).bytes().size(), edge) {}

  Status operator()(Isa isa) const {
    std::optional<ConstTensorView> zero_point;
    if (example_.zero_point_type) zero_point = {*example_.zero_point_type, zero_point_.bytes()};
    std::fill(y_.bytes().begin(), y_.bytes().end(), std::byte{0xA5});
    return dequantize_opmx({example_.x_type, x_.bytes()}, {example_.type, scale_.bytes()}, zero_point,
                           {example_.type, y_.bytes()}, example_.layout.geometry(), {example_.use, isa});
  }

  Tensor y() const { return Tensor(example_.type, shape_of_y(example_), {y_.bytes().begin(), y_.bytes().end()}); }

 private:
  const OpmxExample& example_;
  GuardedBytes x_;
  GuardedBytes scale_;
  GuardedBytes zero_point_;
  GuardedBytes y_;
};

}  // namespace touchstone::optimized
