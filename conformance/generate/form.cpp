#include "conformance/generate/form.h"

#include <array>
#include <stdexcept>

#include "conformance/generate/model_builder.h"

namespace touchstone::conformance {

namespace {

// clang-format off
constexpr std::array form_rows{
    Form{"inputs",           Source::graph_input,   Source::graph_input,   Dimensions::fixed,    Storage::raw_data,              false, "all operands are graph inputs, as in ONNX's own tests"},
    Form{"initializers",     Source::graph_input,   Source::initializer,   Dimensions::fixed,    Storage::raw_data,              false, "scale and zero point are initializers, as quantizers write them"},
    Form{"constant_nodes",   Source::graph_input,   Source::constant_node, Dimensions::fixed,    Storage::raw_data,              false, "scale and zero point come from Constant nodes"},
    Form{"all_constant",     Source::initializer,   Source::initializer,   Dimensions::fixed,    Storage::raw_data,              false, "all operands are initializers: what constant folding sees"},
    Form{"all_constant_nodes", Source::constant_node, Source::constant_node, Dimensions::fixed,  Storage::raw_data,              false, "all operands come from Constant nodes"},
    Form{"symbolic",         Source::graph_input,   Source::graph_input,   Dimensions::symbolic, Storage::raw_data,              false, "graph inputs with symbolic dimensions"},
    Form{"symbolic_initializers", Source::graph_input, Source::initializer, Dimensions::symbolic, Storage::raw_data,             false, "x with symbolic dimensions, scale and zero point initializers"},
    Form{"typed_fields",     Source::graph_input,   Source::initializer,   Dimensions::fixed,    Storage::typed_field,           false, "initializers hold int32_data and so on instead of raw_data"},
    Form{"all_typed_fields", Source::initializer,   Source::initializer,   Dimensions::fixed,    Storage::typed_field,           false, "all operands are initializers that hold int32_data and so on"},
    Form{"garbage_padding",  Source::initializer,   Source::initializer,   Dimensions::fixed,    Storage::raw_data_with_garbage, false, "all operands are initializers; the bits after their last element are set"},
    Form{"empty_name",       Source::graph_input,   Source::graph_input,   Dimensions::fixed,    Storage::raw_data,              true,  "the absent zero point has the empty name"},
    Form{"empty_name_initializer", Source::graph_input, Source::initializer, Dimensions::fixed,  Storage::raw_data,              true,  "the absent zero point has the empty name, and the scale is an initializer"},
};
// clang-format on

/// Only for 4-bit types. Types of whole bytes have no padding, and the padding of 6-bit and 2-bit types must be zero.
bool padding_may_be_garbage(ElementType type) { return spec::info(spec::tensor_type(type)).bits == 4; }

/// Whether Constant supports the types of the operands that come from Constant nodes.
bool constants_have_their_types(const Form& form, const Cell& cell) {
  const int opset = opset_of_onnx(*spec::find_opset(cell.version->domain, cell.version->since_version));
  const auto can_come_from = [&](Source source, ElementType type) {
    return source != Source::constant_node || constant_can_hold(spec::tensor_type(type), opset);
  };
  return can_come_from(form.x, cell.x) && can_come_from(form.parameters, cell.scale) &&
         (!cell.has_zero_point() || can_come_from(form.parameters, *cell.zero_point));
}

/// The number of elements of the operand of quantized type that every such case has: x, or QuantizeLinear's zero point.
std::int64_t quantized_elements(const Cell& cell, const Geometry& geometry) {
  const bool dequantizes = cell.version->op == Operator::dequantize_linear;
  return dequantizes ? geometry.elements() : *reference::element_count(geometry.parameters());
}

}  // namespace

std::span<const Form> forms() { return form_rows; }

const Form& plain_form() { return form_rows.front(); }

const Form* find_form(std::string_view name) {
  for (const Form& row : form_rows)
    if (row.name == name) return &row;
  return nullptr;
}

const Form& form_named(std::string_view name) {
  if (const Form* form = find_form(name)) return *form;
  throw std::out_of_range("no such form");
}

bool constant_can_hold(ElementType type, int opset) {
  using enum ElementType;
  switch (type) {
    case bfloat16: return opset >= 13;
    case float8e4m3fn:
    case float8e4m3fnuz:
    case float8e5m2:
    case float8e5m2fnuz: return opset >= 19;
    case uint4:
    case int4: return opset >= 21;
    case float4e2m1: return opset >= 23;
    case float8e8m0: return opset >= 24;
    case uint2:
    case int2: return opset >= 25;
    case float6e2m3:
    case float6e3m2: return false;
    default: return true;
  }
}

bool suits(const Form& form, const Cell& cell) {
  if (form.empty_name && cell.has_zero_point()) return false;
  if (!constants_have_their_types(form, cell)) return false;
  if (form.storage != Storage::raw_data_with_garbage) return true;
  const bool x_is_packed = cell.version->op == Operator::dequantize_linear;
  return padding_may_be_garbage(cell.quantized_type()) && (x_is_packed || cell.has_zero_point());
}

bool is_usual(const Form& form, const Cell& cell) {
  return form.parameters != Source::graph_input || !cell.version->inputs[1].constant;
}

bool suits(const Form& form, const Cell& cell, const Geometry& geometry) {
  if (!suits(form, cell)) return false;
  if (form.storage != Storage::raw_data_with_garbage) return true;
  return quantized_elements(cell, geometry) * spec::info(cell.quantized_type()).bits % 8 != 0;
}

bool is_within(const FormLimits& limits, const Form& form) {
  if (limits.constant_scales_only && form.parameters == Source::graph_input) return false;
  return !limits.static_shapes_only || form.dimensions == Dimensions::fixed;
}

bool is_within(const FormLimits& limits, const Form& form, const Geometry& geometry) {
  if (limits.constant_scales_only && form.parameters == Source::graph_input) return false;
  if (is_within(limits, form)) return true;
  const bool has_dimensions = (form.x == Source::graph_input && !geometry.x.empty()) ||
                              (form.parameters == Source::graph_input && !geometry.parameters().empty());
  return !has_dimensions;
}

}  // namespace touchstone::conformance
