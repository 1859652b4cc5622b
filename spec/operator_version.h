// The operator versions of QuantizeLinear and DequantizeLinear: one block per version, newest last.
//
// Source: the operators' pages and registered schemas; for com.microsoft and opmx only the pages. Each block repeats
// its page, so that it can be read next to that page. Only lists of types and of attributes are shared by name. The
// lists of quantized types show what each version adds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>

#include "spec/applicability.h"
#include "spec/element_type.h"

namespace touchstone::spec {

/// A formal input or output. Parameters with the same type variable have the same type in a node; a parameter without a
/// type variable has the single type that its page names.
struct Parameter {
  std::string_view name;
  std::string_view type_variable;  ///< "T1" ..., or empty
  TypeList types;
  bool optional = false;
  bool constant = false;  ///< whether the page requires it to be a constant of the graph
};

/// AttributeProto.AttributeType.
enum class AttributeType : std::uint8_t { integer, string };

/// The meaning of an attribute, independent of its name in a domain.
enum class AttributeMeaning : std::uint8_t {
  axis,
  block_size,
  output_dtype,
  precision,
  saturate,
  type_of_x,       ///< the name of the element type of x
  has_zero_point,  ///< whether there is a zero point
  zero_point_is_float,
  reserved,
};

struct Attribute {
  std::string_view name;
  AttributeMeaning meaning;
  std::optional<std::int64_t> default_value;  ///< for integers; std::nullopt if absence has its own meaning
  AttributeType type = AttributeType::integer;
  bool required = false;  ///< an optional string is empty if absent
};

enum class Granularity : std::uint8_t { per_tensor, per_axis, blocked };

constexpr std::string_view name(Granularity granularity) {
  constexpr std::array<std::string_view, 3> names{"per_tensor", "per_axis", "blocked"};
  return names[static_cast<std::size_t>(granularity)];
}

/// The shape of a per-axis scale.
enum class PerAxisScale : std::uint8_t {
  along_axis,   ///< one dimension, the length of x along axis: each index along axis has its own scale
  across_axis,  ///< the shape of x, but 1 along axis: all indices along axis share a scale
};

/// Requirements of a version on shapes, in addition to those of its granularities.
struct ShapeRules {
  PerAxisScale per_axis_scale = PerAxisScale::along_axis;
  std::optional<std::int64_t> rank = std::nullopt;  ///< the only rank of x that some readings accept
  bool negative_axis = true;                        ///< whether axis may count from the back
  bool whole_blocks = false;                        ///< whether block_size must divide the length of the axis
};

/// The source of the element type of y.
enum class OutputTypeRule : std::uint8_t {
  zero_point_else_uint8,  ///< the zero point's type, or uint8 without one
  zero_point_else_output_dtype_else_uint8,
  float32,  ///< fixed by the page
  scale_type,
  output_dtype_else_scale_type,
};

struct OperatorVersion {
  std::string_view domain;
  Operator op;
  int since_version;
  std::array<Parameter, 3> inputs;  ///< x, scale, zero point
  Parameter output;
  std::span<const Attribute> attributes;
  std::span<const Granularity> granularities;
  OutputTypeRule output_type_rule;
  /// The types that the attribute `precision` may name; empty without the attribute.
  TypeList precisions = {};
  ShapeRules shapes = {};

  constexpr const Attribute* attribute(std::string_view attribute_name) const {
    for (const Attribute& row : attributes)
      if (row.name == attribute_name) return &row;
    return nullptr;
  }
  constexpr const Attribute* attribute(AttributeMeaning meaning) const {
    for (const Attribute& row : attributes)
      if (row.meaning == meaning) return &row;
    return nullptr;
  }
  constexpr bool has(Granularity granularity) const {
    for (Granularity member : granularities)
      if (member == granularity) return true;
    return false;
  }
};

namespace tables {

using enum ElementType;

inline constexpr std::array float32_only{float32};
inline constexpr std::array floats{float32, float16, bfloat16};
inline constexpr std::array floats_and_e8m0{float32, float16, bfloat16, float8e8m0};

// The input types of QuantizeLinear.
inline constexpr std::array float32_and_int32{float32, int32};
inline constexpr std::array floats_and_int32{float32, float16, bfloat16, int32};
inline constexpr std::array floats_int32_and_e8m0{float32, float16, bfloat16, int32, float8e8m0};

/// The types of a list, and more after them.
constexpr auto with(const auto& types, auto... more) {
  return std::apply([&](auto... type) { return std::array{type..., more...}; }, types);
}

// The output types of QuantizeLinear, by version.
inline constexpr std::array quantized_10{uint8, int8};
inline constexpr auto quantized_19 = with(quantized_10, float8e4m3fn, float8e4m3fnuz, float8e5m2, float8e5m2fnuz);
inline constexpr auto quantized_21 = with(quantized_19, uint16, int16, uint4, int4);
inline constexpr auto quantized_23 = with(quantized_21, float4e2m1);
inline constexpr auto quantized_25 = with(quantized_23, uint2, int2);
inline constexpr auto quantized_28 = with(quantized_25, float6e2m3, float6e3m2);

/// The input types of DequantizeLinear: the pages list int32 after uint8 and int8, and then the other output types of
/// QuantizeLinear.
constexpr auto with_int32(const auto& quantized) {
  const auto insert = [](auto first, auto second, auto... others) {
    return std::array{first, second, int32, others...};
  };
  return std::apply(insert, quantized);
}
inline constexpr auto dequantized_10 = with_int32(quantized_10);
inline constexpr auto dequantized_19 = with_int32(quantized_19);
inline constexpr auto dequantized_21 = with_int32(quantized_21);
inline constexpr auto dequantized_23 = with_int32(quantized_23);
inline constexpr auto dequantized_25 = with_int32(quantized_25);
inline constexpr auto dequantized_28 = with_int32(quantized_28);

// The types of com.microsoft and opmx.
inline constexpr std::array float32_and_float16{float32, float16};
inline constexpr std::array microsoft_quantized{uint8, int8, uint16, int16, uint4, int4};
inline constexpr std::array microsoft_dequantized{uint8, int8, uint16, int16, int32, uint4, int4};
inline constexpr std::array int8_and_int4x4{int8, int4x4};
inline constexpr std::array int8_and_floats{int8, float32, float16};

inline constexpr Attribute axis{"axis", AttributeMeaning::axis, 1};
inline constexpr Attribute block_size{"block_size", AttributeMeaning::block_size, 0};
inline constexpr Attribute output_dtype{"output_dtype", AttributeMeaning::output_dtype, 0};
inline constexpr Attribute precision{"precision", AttributeMeaning::precision, 0};
inline constexpr Attribute saturate{"saturate", AttributeMeaning::saturate, 1};
inline constexpr std::array axis_only{axis};
inline constexpr std::array axis_saturate{axis, saturate};
inline constexpr std::array axis_block_size{axis, block_size};
inline constexpr std::array axis_block_size_output_dtype{axis, block_size, output_dtype};
inline constexpr std::array axis_block_size_output_dtype_saturate{axis, block_size, output_dtype, saturate};
inline constexpr std::array axis_block_size_output_dtype_precision_saturate{axis, block_size, output_dtype, precision,
                                                                            saturate};
inline constexpr std::array axis_without_default{Attribute{"axis", AttributeMeaning::axis, std::nullopt}};
// clang-format off
inline constexpr std::array opmx_attributes{
    Attribute{"quant_data_type", AttributeMeaning::type_of_x, std::nullopt, AttributeType::string, true},
    Attribute{"quant_method", AttributeMeaning::reserved, std::nullopt, AttributeType::string},
    Attribute{"quant_axis", AttributeMeaning::axis, 1},
    Attribute{"group_size", AttributeMeaning::block_size, 128},
    Attribute{"has_zeropoint", AttributeMeaning::has_zero_point, 0},
    Attribute{"float_zeropoint", AttributeMeaning::zero_point_is_float, 0}};
// clang-format on

inline constexpr std::array tensor_only{Granularity::per_tensor};
inline constexpr std::array tensor_axis{Granularity::per_tensor, Granularity::per_axis};
inline constexpr std::array tensor_axis_blocked{Granularity::per_tensor, Granularity::per_axis, Granularity::blocked};

// clang-format off
inline constexpr std::array operator_versions{
    OperatorVersion{.domain = ai_onnx, .op = Operator::quantize_linear, .since_version = 10,
        .inputs = {{{"x", "T1", float32_and_int32}, {"y_scale", "", float32_only}, {"y_zero_point", "T2", quantized_10, true}}},
        .output = {"y", "T2", quantized_10},
        .attributes = {}, .granularities = tensor_only,
        .output_type_rule = OutputTypeRule::zero_point_else_uint8},
    OperatorVersion{.domain = ai_onnx, .op = Operator::quantize_linear, .since_version = 13,
        .inputs = {{{"x", "T1", float32_and_int32}, {"y_scale", "", float32_only}, {"y_zero_point", "T2", quantized_10, true}}},
        .output = {"y", "T2", quantized_10},
        .attributes = axis_only, .granularities = tensor_axis,
        .output_type_rule = OutputTypeRule::zero_point_else_uint8},
    OperatorVersion{.domain = ai_onnx, .op = Operator::quantize_linear, .since_version = 19,
        .inputs = {{{"x", "T1", floats_and_int32}, {"y_scale", "T1", floats_and_int32}, {"y_zero_point", "T2", quantized_19, true}}},
        .output = {"y", "T2", quantized_19},
        .attributes = axis_saturate, .granularities = tensor_axis,
        .output_type_rule = OutputTypeRule::zero_point_else_uint8},
    OperatorVersion{.domain = ai_onnx, .op = Operator::quantize_linear, .since_version = 21,
        .inputs = {{{"x", "T1", floats_and_int32}, {"y_scale", "T1", floats_and_int32}, {"y_zero_point", "T2", quantized_21, true}}},
        .output = {"y", "T2", quantized_21},
        .attributes = axis_block_size_output_dtype_saturate, .granularities = tensor_axis_blocked,
        .output_type_rule = OutputTypeRule::zero_point_else_output_dtype_else_uint8},
    OperatorVersion{.domain = ai_onnx, .op = Operator::quantize_linear, .since_version = 23,
        .inputs = {{{"x", "T1", floats_and_int32}, {"y_scale", "T2", floats_and_int32}, {"y_zero_point", "T3", quantized_23, true}}},
        .output = {"y", "T3", quantized_23},
        .attributes = axis_block_size_output_dtype_precision_saturate, .granularities = tensor_axis_blocked,
        .output_type_rule = OutputTypeRule::zero_point_else_output_dtype_else_uint8, .precisions = floats},
    OperatorVersion{.domain = ai_onnx, .op = Operator::quantize_linear, .since_version = 24,
        .inputs = {{{"x", "T1", floats_and_int32}, {"y_scale", "T2", floats_int32_and_e8m0}, {"y_zero_point", "T3", quantized_23, true}}},
        .output = {"y", "T3", quantized_23},
        .attributes = axis_block_size_output_dtype_precision_saturate, .granularities = tensor_axis_blocked,
        .output_type_rule = OutputTypeRule::zero_point_else_output_dtype_else_uint8, .precisions = floats},
    OperatorVersion{.domain = ai_onnx, .op = Operator::quantize_linear, .since_version = 25,
        .inputs = {{{"x", "T1", floats_and_int32}, {"y_scale", "T2", floats_int32_and_e8m0}, {"y_zero_point", "T3", quantized_25, true}}},
        .output = {"y", "T3", quantized_25},
        .attributes = axis_block_size_output_dtype_precision_saturate, .granularities = tensor_axis_blocked,
        .output_type_rule = OutputTypeRule::zero_point_else_output_dtype_else_uint8, .precisions = floats},
    OperatorVersion{.domain = ai_onnx, .op = Operator::quantize_linear, .since_version = 28,
        .inputs = {{{"x", "T1", floats_and_int32}, {"y_scale", "T2", floats_int32_and_e8m0}, {"y_zero_point", "T3", quantized_28, true}}},
        .output = {"y", "T3", quantized_28},
        .attributes = axis_block_size_output_dtype_precision_saturate, .granularities = tensor_axis_blocked,
        .output_type_rule = OutputTypeRule::zero_point_else_output_dtype_else_uint8, .precisions = floats},

    OperatorVersion{.domain = ai_onnx, .op = Operator::dequantize_linear, .since_version = 10,
        .inputs = {{{"x", "T", dequantized_10}, {"x_scale", "", float32_only}, {"x_zero_point", "T", dequantized_10, true}}},
        .output = {"y", "", float32_only},
        .attributes = {}, .granularities = tensor_only,
        .output_type_rule = OutputTypeRule::float32},
    OperatorVersion{.domain = ai_onnx, .op = Operator::dequantize_linear, .since_version = 13,
        .inputs = {{{"x", "T", dequantized_10}, {"x_scale", "", float32_only}, {"x_zero_point", "T", dequantized_10, true}}},
        .output = {"y", "", float32_only},
        .attributes = axis_only, .granularities = tensor_axis,
        .output_type_rule = OutputTypeRule::float32},
    OperatorVersion{.domain = ai_onnx, .op = Operator::dequantize_linear, .since_version = 19,
        .inputs = {{{"x", "T1", dequantized_19}, {"x_scale", "T2", floats}, {"x_zero_point", "T1", dequantized_19, true}}},
        .output = {"y", "T2", floats},
        .attributes = axis_only, .granularities = tensor_axis,
        .output_type_rule = OutputTypeRule::scale_type},
    OperatorVersion{.domain = ai_onnx, .op = Operator::dequantize_linear, .since_version = 21,
        .inputs = {{{"x", "T1", dequantized_21}, {"x_scale", "T2", floats}, {"x_zero_point", "T1", dequantized_21, true}}},
        .output = {"y", "T2", floats},
        .attributes = axis_block_size, .granularities = tensor_axis_blocked,
        .output_type_rule = OutputTypeRule::scale_type},
    OperatorVersion{.domain = ai_onnx, .op = Operator::dequantize_linear, .since_version = 23,
        .inputs = {{{"x", "T1", dequantized_23}, {"x_scale", "T2", floats}, {"x_zero_point", "T1", dequantized_23, true}}},
        .output = {"y", "T3", floats},
        .attributes = axis_block_size_output_dtype, .granularities = tensor_axis_blocked,
        .output_type_rule = OutputTypeRule::output_dtype_else_scale_type},
    OperatorVersion{.domain = ai_onnx, .op = Operator::dequantize_linear, .since_version = 24,
        .inputs = {{{"x", "T1", dequantized_23}, {"x_scale", "T2", floats_and_e8m0}, {"x_zero_point", "T1", dequantized_23, true}}},
        .output = {"y", "T3", floats},
        .attributes = axis_block_size_output_dtype, .granularities = tensor_axis_blocked,
        .output_type_rule = OutputTypeRule::output_dtype_else_scale_type},
    OperatorVersion{.domain = ai_onnx, .op = Operator::dequantize_linear, .since_version = 25,
        .inputs = {{{"x", "T1", dequantized_25}, {"x_scale", "T2", floats_and_e8m0}, {"x_zero_point", "T1", dequantized_25, true}}},
        .output = {"y", "T3", floats},
        .attributes = axis_block_size_output_dtype, .granularities = tensor_axis_blocked,
        .output_type_rule = OutputTypeRule::output_dtype_else_scale_type},
    OperatorVersion{.domain = ai_onnx, .op = Operator::dequantize_linear, .since_version = 28,
        .inputs = {{{"x", "T1", dequantized_28}, {"x_scale", "T2", floats_and_e8m0}, {"x_zero_point", "T1", dequantized_28, true}}},
        .output = {"y", "T3", floats},
        .attributes = axis_block_size_output_dtype, .granularities = tensor_axis_blocked,
        .output_type_rule = OutputTypeRule::output_dtype_else_scale_type},

    OperatorVersion{.domain = com_microsoft, .op = Operator::quantize_linear, .since_version = 1,
        .inputs = {{{"x", "T1", float32_and_float16}, {"y_scale", "T1", float32_and_float16},
                    {"y_zero_point", "T2", microsoft_quantized, true}}},
        .output = {"y", "T2", microsoft_quantized},
        .attributes = axis_without_default, .granularities = tensor_axis,
        .output_type_rule = OutputTypeRule::zero_point_else_uint8},
    OperatorVersion{.domain = com_microsoft, .op = Operator::dequantize_linear, .since_version = 1,
        .inputs = {{{"x", "T1", microsoft_dequantized}, {"x_scale", "T2", float32_and_float16},
                    {"x_zero_point", "T1", microsoft_dequantized, true}}},
        .output = {"y", "T2", float32_and_float16},
        .attributes = axis_without_default, .granularities = tensor_axis,
        .output_type_rule = OutputTypeRule::scale_type},

    OperatorVersion{.domain = opmx, .op = Operator::dequantize_linear, .since_version = 1,
        .inputs = {{{"X", "T1", int8_and_int4x4}, {"Scale", "T2", float32_and_float16, false, true},
                    {"ZeroPoint", "T3", int8_and_floats, true, true}}},
        .output = {"Y", "T2", float32_and_float16},
        .attributes = opmx_attributes, .granularities = tensor_axis_blocked,
        .output_type_rule = OutputTypeRule::scale_type,
        .shapes = {.per_axis_scale = PerAxisScale::across_axis, .rank = 2, .negative_axis = false, .whole_blocks = true}},
};
// clang-format on

}  // namespace tables

using tables::operator_versions;

/// The row with exactly this since_version, or null.
constexpr const OperatorVersion* find_operator_version(std::string_view domain, Operator op, int since_version) {
  for (const OperatorVersion& row : operator_versions)
    if (row.domain == domain && row.op == op && row.since_version == since_version) return &row;
  return nullptr;
}

/// The newest version not above the opset that a model imports, or null if the operator does not exist there.
constexpr const OperatorVersion* resolve(std::string_view domain, Operator op, int opset) {
  const OperatorVersion* newest = nullptr;
  for (const OperatorVersion& row : operator_versions)
    if (row.domain == domain && row.op == op && row.since_version <= opset &&
        (newest == nullptr || row.since_version > newest->since_version))
      newest = &row;
  return newest;
}

}  // namespace touchstone::spec
