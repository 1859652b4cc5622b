// For tests: nodes of ai.onnx and com.microsoft as arguments of this library.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "optimized/dequantize_linear.h"
#include "optimized/quantize_linear.h"
#include "reference/model/tensor.h"
#include "spec/operator_version.h"
#include "spec/opset.h"

namespace touchstone::optimized {

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

}  // namespace touchstone::optimized
