#include "conformance/backends/capabilities.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>

#include "spec/opset.h"

namespace touchstone::conformance {

namespace {

using Limit = std::optional<std::string>;  // the limit that the model exceeds, in words

Limit by_opset(const std::vector<OpsetRange>& opsets, const OperatorModel& model) {
  const auto has = [&](const OpsetRange& row) {
    const bool same_domain = (row.domain.empty() ? spec::ai_onnx : row.domain) == model.node.domain;
    return same_domain && row.oldest <= model.node.opset && model.node.opset <= row.newest;
  };
  if (opsets.empty() || std::ranges::any_of(opsets, has)) return std::nullopt;
  std::vector<std::string> all;
  for (const OpsetRange& row : opsets)
    all.push_back(fmt::format("{} {} to {}", row.domain.empty() ? spec::ai_onnx : row.domain, row.oldest, row.newest));
  return fmt::format("the opsets {}; this is {} {}", fmt::join(all, ", "), model.node.domain, model.node.opset);
}

/// Checks the inputs after the first: the scale and, if there is one, the zero point.
Limit by_constants(const OperatorModel& model) {
  for (std::size_t i = 1; i < model.node_inputs.size(); ++i)
    if (std::ranges::find(model.graph_inputs, model.node_inputs[i]) != model.graph_inputs.end())
      return fmt::format("constant scales and zero points only; '{}' is an input of the graph", model.node_inputs[i]);
  return std::nullopt;
}

Limit by_type(const std::vector<std::int32_t>& types, const std::string& name, std::int32_t type) {
  if (types.empty() || type == onnx::TensorProto::UNDEFINED || std::ranges::find(types, type) != types.end())
    return std::nullopt;
  const std::string type_name = onnx::TensorProto::DataType_IsValid(type)
                                    ? onnx::TensorProto::DataType_Name(static_cast<onnx::TensorProto::DataType>(type))
                                    : fmt::format("{}", type);
  return fmt::format("some element types only; '{}' is of {}", name, type_name);
}

Limit by_type(const std::vector<std::int32_t>& types, const onnx::ValueInfoProto& value) {
  return by_type(types, value.name(), value.type().tensor_type().elem_type());
}

/// The element type of the tensor that an attribute of a Constant node gives.
std::int32_t type_of_constant(const onnx::AttributeProto& attribute) {
  switch (attribute.type()) {
    case onnx::AttributeProto::TENSOR: return attribute.t().data_type();
    case onnx::AttributeProto::SPARSE_TENSOR: return attribute.sparse_tensor().values().data_type();
    case onnx::AttributeProto::FLOAT:
    case onnx::AttributeProto::FLOATS: return onnx::TensorProto::FLOAT;
    case onnx::AttributeProto::INT:
    case onnx::AttributeProto::INTS: return onnx::TensorProto::INT64;
    case onnx::AttributeProto::STRING:
    case onnx::AttributeProto::STRINGS: return onnx::TensorProto::STRING;
    default: return onnx::TensorProto::UNDEFINED;
  }
}

/// Checks initializers and the outputs of Constant nodes.
Limit by_constant_types(const std::vector<std::int32_t>& types, const onnx::GraphProto& graph) {
  for (const onnx::TensorProto& tensor : graph.initializer())
    if (auto limit = by_type(types, tensor.name(), tensor.data_type())) return limit;
  for (const onnx::SparseTensorProto& tensor : graph.sparse_initializer())
    if (auto limit = by_type(types, tensor.values().name(), tensor.values().data_type())) return limit;
  for (const onnx::NodeProto& node : graph.node())
    if (node.op_type() == "Constant" && node.output_size() > 0)
      for (const onnx::AttributeProto& attribute : node.attribute())
        if (auto limit = by_type(types, node.output(0), type_of_constant(attribute))) return limit;
  return std::nullopt;
}

Limit by_shape(const onnx::ValueInfoProto& value) {
  const onnx::TypeProto::Tensor& tensor = value.type().tensor_type();
  const auto is_open = [](const onnx::TensorShapeProto::Dimension& dimension) { return !dimension.has_dim_value(); };
  if (tensor.has_shape() && std::ranges::none_of(tensor.shape().dim(), is_open)) return std::nullopt;
  return fmt::format("static shapes only; that of '{}' is not", value.name());
}

Limit exceeded(const Capabilities& capabilities, const OperatorModel& model) {
  if (auto limit = by_opset(capabilities.opsets, model)) return limit;
  if (capabilities.constant_scales_only)
    if (auto limit = by_constants(model)) return limit;
  if (capabilities.element_types.empty() && !capabilities.static_shapes_only) return std::nullopt;
  onnx::ModelProto proto;
  if (!proto.ParseFromString(model.bytes)) return std::nullopt;
  const auto has_name = [&](const std::string& name) {
    return std::ranges::find(model.graph_inputs, name) != model.graph_inputs.end();
  };
  for (const onnx::ValueInfoProto& input : proto.graph().input()) {
    if (!has_name(input.name())) continue;  // an initializer
    if (auto limit = by_type(capabilities.element_types, input)) return limit;
    if (!capabilities.static_shapes_only) continue;
    if (auto limit = by_shape(input)) return limit;
  }
  for (const onnx::ValueInfoProto& output : proto.graph().output())
    if (auto limit = by_type(capabilities.element_types, output)) return limit;
  return by_constant_types(capabilities.element_types, proto.graph());
}

}  // namespace

Capabilities with_assumed(Capabilities known, const Capabilities& assumed) {
  if (!assumed.element_types.empty()) known.element_types = assumed.element_types;
  if (!assumed.opsets.empty()) known.opsets = assumed.opsets;
  known.constant_scales_only |= assumed.constant_scales_only;
  known.static_shapes_only |= assumed.static_shapes_only;
  return known;
}

std::optional<std::string> declined(const Capabilities& capabilities, const OperatorModel& model,
                                    std::string_view known_by) {
  const Limit limit = exceeded(capabilities, model);
  return limit ? std::optional(fmt::format("{} {}", known_by, *limit)) : std::nullopt;
}

}  // namespace touchstone::conformance
