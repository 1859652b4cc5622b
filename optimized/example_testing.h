// For tests: nodes of ai.onnx and com.microsoft as arguments of this library, and random data for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "optimized/dequantize_linear.h"
#include "optimized/quantize_linear.h"
#include "reference/model/node.h"
#include "reference/model/parameter_map.h"
#include "reference/model/tensor.h"
#include "reference/random/values.h"
#include "reference/testing.h"
#include "spec/operator_version.h"
#include "spec/opset.h"

namespace touchstone::optimized {

using reference::Node;
using reference::number_of;
using reference::Random;
using reference::random_code;
using reference::random_in;
using reference::random_tensor;
using reference::random_threshold;
using reference::rounded_code;
using reference::Tensor;
using spec::ElementType;

/// A node of ai.onnx or com.microsoft as arguments of this library.
struct Example {
  const spec::OperatorVersion* version;
  ElementType x_type;
  ElementType scale_type;
  ElementType y_type;
  Geometry geometry;
  bool has_zero_point;
  bool saturate = true;
  std::int64_t precision = 0;

  bool quantizes() const { return version->op == spec::Operator::quantize_linear; }
  ElementType quantized_type() const { return quantizes() ? y_type : x_type; }
  bool is_per_tensor() const { return geometry.axis == 1 && geometry.block == 0; }
};

inline std::string to_text(const Example& example) {
  std::string text = std::string(spec::name(example.version->op)) + "-" +
                     std::to_string(example.version->since_version) + " x " + std::string(name(example.x_type)) +
                     " scale " + std::string(name(example.scale_type)) + " y " + std::string(name(example.y_type));
  const auto& [outer, axis, inner, block] = example.geometry;
  for (const std::int64_t number : {outer, axis, inner, block}) text += " " + std::to_string(number);
  text += example.has_zero_point ? " zero point" : "";
  text += example.saturate ? "" : " saturate=0";
  return text + (example.precision != 0 ? " precision=" + std::to_string(example.precision) : "");
}

/// The precision of the division that the pages specify; see Division.
inline Division division_of(const Example& example) {
  const auto of_type = [](ElementType type) {
    switch (type) {
      case ElementType::float16: return Division::in_float16;
      case ElementType::bfloat16: return Division::in_bfloat16;
      case ElementType::float64: return Division::in_float64;
      default: return Division::in_float32;
    }
  };
  if (example.precision != 0) return of_type(*spec::element_type_from_code(example.precision));
  if (example.scale_type == ElementType::int32) return Division::exact;
  return example.version->since_version < 23 ? Division::in_float32 : of_type(example.scale_type);
}

inline QuantizeOptions quantize_options(const Example& example) {
  return {division_of(example), example.saturate,
          example.version->since_version < 24 ? FnuzInfinity::is_nan : FnuzInfinity::saturates};
}

inline DequantizeOptions dequantize_options(const Example& example) {
  const bool in_y = example.version->since_version >= 23;
  if (in_y && example.y_type == ElementType::float16) return {Multiplication::in_float16};
  if (in_y && example.y_type == ElementType::bfloat16) return {Multiplication::in_bfloat16};
  return {Multiplication::in_float32};
}

inline reference::Shape x_shape(const Example& example) {
  return {example.geometry.outer, example.geometry.axis, example.geometry.inner};
}

inline reference::Shape scale_shape(const Example& example) {
  const auto& [outer, axis, inner, block] = example.geometry;
  if (block > 0) return {outer, (axis + block - 1) / block, inner};
  return example.is_per_tensor() ? reference::Shape{} : reference::Shape{axis};
}

inline reference::ParameterMap parameters_of(const Example& example) {
  const auto& [outer, axis, inner, block] = example.geometry;
  const reference::Sharing sharing =
      block > 0 ? reference::Sharing{{{outer, outer, 1}, {axis, (axis + block - 1) / block, block}, {inner, inner, 1}}}
                : reference::one_for_each_along(x_shape(example), 1);
  return {block > 0 ? spec::Granularity::blocked : spec::Granularity::per_axis, sharing, sharing};
}

inline const spec::OperatorVersion& newest_version(spec::Operator op) {
  return *spec::resolve(spec::ai_onnx, op, spec::newest_opset);
}

/// Every combination of types that the newest versions allow, with one granularity.
inline std::vector<Example> every_combination(const Geometry& geometry) {
  std::vector<Example> all;
  for (const spec::Operator op : {spec::Operator::quantize_linear, spec::Operator::dequantize_linear}) {
    const spec::OperatorVersion& version = newest_version(op);
    for (const ElementType x : version.inputs[0].types)
      for (const ElementType scale : version.inputs[1].types)
        for (const ElementType y : version.output.types)
          for (const bool has_zero_point : {false, true})
            all.push_back({&version, x, scale, y, geometry, has_zero_point});
  }
  return all;
}

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
    const bool must_be_zero =
        example.quantized_type() == ElementType::int32 && example.version->domain == spec::ai_onnx;
    data.zero_point = must_be_zero || random() % 4 == 0
                          ? Tensor(example.quantized_type(), scale_shape(example))
                          : random_tensor(random, example.quantized_type(), scale_shape(example));
  }
  if (example.quantizes())
    move_to_thresholds(random, data.x, data.scale, data.zero_point ? &*data.zero_point : nullptr, example.y_type,
                       parameters_of(example));
  return data;
}

}  // namespace touchstone::optimized
