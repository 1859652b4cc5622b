#include "conformance/run/single_nodes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "conformance/files/file_error.h"
#include "conformance/generate/stored_tensor.h"
#include "conformance/plan/digest.h"
#include "reference/graph/graph_interpreter.h"
#include "reference/graph/operators.h"
#include "spec/opset.h"

namespace touchstone::conformance {

using reference::Graph;
using reference::GraphModel;
using reference::GraphNode;

namespace {

constexpr std::string_view of = " of ";
constexpr std::string_view separator = " and ";

/// A value of a graph.
struct GraphValue {
  Tensor tensor;
  bool is_constant = false;
};

using GraphValues = std::map<std::string, GraphValue>;

bool is_alone(const GraphModel& model, const GraphNode& node) {
  const bool is_function = model.functions.contains({node.domain, node.op_type});
  return node.domain == spec::ai_onnx && !is_function && !reference::quantization_operator(node) &&
         reference::find_operator_function(node.op_type, model.opsets.at(node.domain)) != nullptr;
}

/// The values of all inputs and outputs of these nodes. Throws GraphError.
GraphValues values_of(const Case& tested, const std::vector<const GraphNode*>& nodes) {
  std::set<std::string> names;
  for (const GraphNode* node : nodes) {
    names.insert(node->inputs.begin(), node->inputs.end());
    names.insert(node->outputs.begin(), node->outputs.end());
  }
  names.erase("");
  GraphModel model = *tested.model.graph;
  Graph& graph = model.graph;
  graph.outputs = {names.begin(), names.end()};
  std::vector<Tensor> inputs;
  for (const NamedTensor& input : tested.data_sets.front().inputs) inputs.push_back(input.value);
  reference::GraphOutcome outcome = reference::interpret(model, inputs);
  const auto* outputs = outcome.outputs();
  if (outputs == nullptr) throw reference::GraphError(outcome.rejection()->reason);
  GraphValues values;
  for (std::size_t i = 0; i < outputs->size(); ++i)
    values.emplace(graph.outputs[i], GraphValue{(*outputs)[i].value, graph.initializers.contains(graph.outputs[i])});
  for (const GraphNode& node : graph.nodes)
    if (node.op_type == "Constant")
      if (const auto found = values.find(node.outputs.front()); found != values.end()) found->second.is_constant = true;
  return values;
}

/// The operator and its types, as in "Reshape of float8e4m3fn". The types of shapes, indices and conditions are left
/// out unless there are no others.
std::string name_of(const onnx::NodeProto& node, const GraphValues& values) {
  std::vector<std::string_view> types, all;
  const auto add = [&](const std::string& value) {
    if (value.empty()) return;
    const ElementType type = values.at(value).tensor.type();
    for (auto* list : {&types, &all}) {
      const bool is_left_out = list == &types && (type == ElementType::int64 || type == ElementType::boolean);
      if (!is_left_out && std::ranges::find(*list, spec::name(type)) == list->end()) list->push_back(spec::name(type));
    }
  };
  for (const std::string& input : node.input()) add(input);
  for (const std::string& output : node.output()) add(output);
  return fmt::format("{}{}{}", node.op_type(), of, fmt::join(types.empty() ? all : types, separator));
}

/// At least 4: before, initializers had to be graph inputs.
std::int64_t ir_version_of(int opset) {
  const spec::Opset* row = spec::find_opset(spec::ai_onnx, opset);
  return row != nullptr ? row->ir_version : 4;
}

/// A model of this node alone, with an opset of ai.onnx.
SingleNode single_node(const onnx::NodeProto& node, int opset, const GraphValues& values) {
  onnx::ModelProto model;
  model.set_ir_version(ir_version_of(opset));
  model.set_producer_name("touchstone");
  model.add_opset_import()->set_version(opset);
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name("node");
  *graph.add_node() = node;
  SingleNode single{.name = name_of(node, values), .opset = opset};
  Digest digest;
  digest.add(node.op_type()).add_word(static_cast<std::uint64_t>(opset));
  for (const onnx::AttributeProto& attribute : node.attribute()) digest.add(attribute.SerializeAsString());
  std::set<std::string> added;
  for (const std::string& name : node.input()) {
    if (name.empty()) {
      digest.add("absent");
      continue;
    }
    const auto& [tensor, is_constant] = values.at(name);
    digest.add(is_constant ? "constant" : "input").add_form(tensor);
    if (is_constant && tensor.type() == ElementType::int64) digest.add(tensor);  // a shape, which decides much
    if (!added.insert(name).second) continue;
    if (is_constant) {
      *graph.add_initializer() = stored_tensor(tensor, name, Storage::raw_data);
    } else {
      declare(*graph.add_input(), name, tensor.type(), tensor.shape());
      single.inputs.push_back({name, tensor});
    }
  }
  for (const std::string& name : node.output())
    if (!name.empty())
      declare(*graph.add_output(), name, values.at(name).tensor.type(), values.at(name).tensor.shape());
  single.model = model.SerializeAsString();
  single.digest = digest.value();
  return single;
}

}  // namespace

std::vector<SingleNode> single_nodes(const Case& tested) {
  std::vector<SingleNode> singles;
  if (tested.model.graph == nullptr) return singles;
  const GraphModel& model = *tested.model.graph;
  std::vector<const GraphNode*> nodes;
  std::set<std::string> outputs;  // of each of these nodes, the first one
  for (const GraphNode& node : model.graph.nodes)
    if (is_alone(model, node)) {
      nodes.push_back(&node);
      outputs.insert(node.outputs.front());
    }
  if (nodes.empty()) return singles;
  const GraphValues values = values_of(tested, nodes);
  onnx::ModelProto proto;
  if (!proto.ParseFromString(tested.model.bytes)) throw FileError(tested.id, "is not a model");
  for (const onnx::NodeProto& node : proto.graph().node())
    if (node.output_size() > 0 && outputs.contains(node.output(0)))
      singles.push_back(single_node(node, model.opsets.at(std::string(spec::ai_onnx)), values));
  return singles;
}

SingleNode identity_node(int opset, const Tensor& given) {
  onnx::NodeProto node;
  node.set_op_type("Identity");
  node.add_input("x");
  node.add_output("y");
  const GraphValue value{given};
  return single_node(node, opset, {{"x", value}, {"y", value}});
}

bool is_operator_of_types(const std::string& text) {
  const std::size_t end = text.find(of);
  if (end == std::string::npos) return false;
  const auto operators = reference::graph_operators();
  if (std::ranges::find(operators, text.substr(0, end), &reference::OperatorFunction::name) == operators.end())
    return false;
  std::string_view types = std::string_view(text).substr(end + of.size());
  while (true) {
    const std::size_t length = types.find(separator);
    if (std::ranges::find(spec::element_types, types.substr(0, length), &ElementTypeInfo::name) ==
        spec::element_types.end())
      return false;
    if (length == types.npos) return true;
    types.remove_prefix(length + separator.size());
  }
}

}  // namespace touchstone::conformance
