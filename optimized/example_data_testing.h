// For tests: random data for examples, and the reference's node with these data.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "optimized/codes_testing.h"
#include "optimized/example_testing.h"
#include "optimized/random_codes_testing.h"
#include "reference/model/node.h"
#include "reference/testing.h"

namespace touchstone::optimized {

using reference::Node;
using reference::Tensor;

/// x, scale and zero point of a node.
struct Data {
  Tensor x;
  Tensor scale;
  std::optional<Tensor> zero_point;
};

inline Node node_of(const Example& example, const Data& data) {
  Node node =
      reference::node(example.version->op, example.version->since_version, data.x, data.scale, data.zero_point, {});
  node.domain = example.version->domain;
  const auto set = [&](const char* attribute, std::int64_t value) {
    if (example.version->attribute(attribute) != nullptr) node.attributes[attribute] = value;
  };
  const bool has_default_axis = node.domain == spec::ai_onnx;  // in other domains the attribute implies an axis
  if (has_default_axis || !example.is_per_tensor()) set("axis", 1);
  set("block_size", example.geometry.block);
  set("saturate", example.saturate ? 1 : 0);
  set("precision", example.precision);
  if (!example.quantizes() || !example.has_zero_point) set("output_dtype", reference::type_code(example.y_type));
  return node;
}

/// Random data. For QuantizeLinear, most elements of x are close to a value at which y changes.
inline Data random_data(Random& random, const Example& example) {
  Data data{random_tensor(random, example.x_type, x_shape(example)),
            random_tensor(random, example.scale_type, scale_shape(example)), std::nullopt};
  if (example.has_zero_point) {
    data.zero_point = Tensor(example.quantized_type(), scale_shape(example));
    const bool must_be_zero =
        example.quantized_type() == ElementType::int32 && example.version->domain == spec::ai_onnx;
    const bool is_zero = must_be_zero || random() % 4 == 0;
    if (!is_zero) data.zero_point = random_tensor(random, example.quantized_type(), scale_shape(example));
  }
  if (!example.quantizes()) return data;
  const auto& [outer, axis, inner, block] = example.geometry;
  for (std::int64_t i = 0; i < data.x.size(); ++i) {
    if (random() % 8 == 0) continue;
    const std::int64_t along = i / inner % axis;
    const std::int64_t blocks = block > 0 ? (axis + block - 1) / block : 0;
    const std::int64_t parameter =
        block == 0 ? along : (i / (inner * axis) * blocks + along / block) * inner + i % inner;
    const double scale = number_of(example.scale_type, data.scale.code(parameter));
    const double zero_point = data.zero_point ? number_of(example.y_type, data.zero_point->code(parameter)) : 0;
    const double x = scale * random_threshold(random, example.y_type, zero_point);
    if (std::isnan(x) || std::isinf(x)) continue;
    data.x.set_code(i, rounded_code(example.x_type, x) + static_cast<std::uint64_t>(random_in(random, -2, 2)));
  }
  return data;
}

}  // namespace touchstone::optimized
