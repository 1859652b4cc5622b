#include "conformance/files/model_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/files/attribute.h"
#include "conformance/files/case_size.h"
#include "conformance/files/file_io.h"
#include "conformance/files/graph_file.h"
#include "conformance/files/limits.h"
#include "conformance/files/message.h"
#include "conformance/files/tensor_file.h"
#include "spec/opset.h"

namespace touchstone::conformance {

namespace {

using onnx::AttributeProto;
using reference::Tensor;
using spec::ElementType;

// ---- the tensors that Constant nodes make

Tensor from_floats(reference::Shape shape, const std::vector<float>& values) {
  std::vector<std::uint64_t> codes;
  for (const float value : values) codes.push_back(std::bit_cast<std::uint32_t>(value));
  return Tensor::from_codes(ElementType::float32, std::move(shape), codes);
}

Tensor from_ints(reference::Shape shape, const std::vector<std::int64_t>& values) {
  const std::vector<std::uint64_t> codes(values.begin(), values.end());
  return Tensor::from_codes(ElementType::int64, std::move(shape), codes);
}

struct ConstantAttribute {
  std::string_view name;
  AttributeProto::AttributeType type;
  Tensor (*value)(const AttributeProto&, const std::string& origin);
};

const std::array constant_attributes{
    ConstantAttribute{"value", AttributeProto::TENSOR,
                      [](const AttributeProto& a, const std::string& origin) { return to_tensor(a.t(), origin); }},
    ConstantAttribute{"value_float", AttributeProto::FLOAT,
                      [](const AttributeProto& a, const std::string&) { return from_floats({}, {a.f()}); }},
    ConstantAttribute{"value_floats", AttributeProto::FLOATS,
                      [](const AttributeProto& a, const std::string&) {
                        return from_floats({a.floats_size()}, {a.floats().begin(), a.floats().end()});
                      }},
    ConstantAttribute{"value_int", AttributeProto::INT,
                      [](const AttributeProto& a, const std::string&) { return from_ints({}, {a.i()}); }},
    ConstantAttribute{"value_ints", AttributeProto::INTS,
                      [](const AttributeProto& a, const std::string&) {
                        return from_ints({a.ints_size()}, {a.ints().begin(), a.ints().end()});
                      }},
};

/// Throws FileError if the attribute has no name or no type, has a value of another type, or refers to a function's
/// attribute. A missing value is the default of the type, because writers with proto3 semantics omit it.
reference::AttributeValue to_attribute_value(const AttributeProto& attribute, const std::string& origin) {
  check_attribute(attribute, origin);
  switch (attribute.type()) {
    case AttributeProto::INT: return attribute.i();
    case AttributeProto::STRING: return attribute.s();
    default: return reference::ForeignAttribute{type_name(attribute)};
  }
}

/// The output of a Constant node with value, value_float(s) or value_int(s).
/// Throws FileError for an input, for another attribute or another number of attributes, and for the reasons of
/// to_attribute_value and to_tensor.
Tensor constant_value(const onnx::NodeProto& node, const std::string& origin) {
  if (node.input_size() != 0) throw FileError(origin, "a Constant node has no inputs");
  if (node.attribute_size() != 1)
    throw FileError(origin, std::to_string(node.attribute_size()) + " attributes; a Constant node has one");
  const AttributeProto& attribute = node.attribute(0);
  check_attribute(attribute, origin);
  for (const ConstantAttribute& row : constant_attributes) {
    if (row.name != attribute.name()) continue;
    if (row.type != attribute.type())
      throw FileError(origin, described(attribute) + " is of type " + type_name(attribute) + ", not " +
                                  AttributeProto::AttributeType_Name(row.type));
    return row.value(attribute, origin);
  }
  throw FileError(origin, described(attribute) +
                              " is not supported; a Constant node needs value, value_float, value_floats, value_int or "
                              "value_ints");
}

// ---- the model

constexpr std::array operators{spec::Operator::quantize_linear, spec::Operator::dequantize_linear};

/// The clause that a model violates if its operator cannot be found.
const std::string resolution = " (onnx-opset-resolution)";

std::string known_domains() {
  std::set<std::string> names;
  for (const spec::Opset& row : spec::opsets) names.emplace(row.domain);
  return fmt::format("{}", fmt::join(names, ", "));
}

bool is_constant(const onnx::NodeProto& node) {
  return node.op_type() == "Constant" && canonical_domain(node.domain()) == spec::ai_onnx;
}

class ModelReader {
 public:
  ModelReader(const onnx::ModelProto& model, const std::string& origin)
      : model_(model), graph_(model.graph()), origin_(origin) {}

  OperatorModel read() {
    refuse_what_is_not_an_operator();
    read_initializers();
    read_graph_inputs();
    read_nodes();
    read_graph_outputs();
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const { throw FileError(origin_, reason); }

  void refuse_what_is_not_an_operator() const {
    if (!model_.has_graph()) fail("no graph: not an ONNX model");
    if (model_.training_info_size() > 0) fail("a model with training_info is not supported");
    if (graph_.sparse_initializer_size() > 0) fail("a sparse initializer; Touchstone reads dense ones only");
    if (std::cmp_greater(graph_.node_size(), limits().nodes_per_model))
      fail(std::to_string(graph_.node_size()) + " nodes; the limit is " + std::to_string(limits().nodes_per_model));
    if (std::ranges::all_of(graph_.node(), is_constant))
      fail("the graph has no QuantizeLinear or DequantizeLinear node");
  }

  void define(const std::string& name, const std::string& what) {
    if (name.empty()) fail(what + " has no name");
    if (!definitions_.insert(name).second) fail(what + " " + in_quotes(name) + ": this name is already defined");
  }

  void read_initializers() {
    for (const onnx::TensorProto& proto : graph_.initializer()) {
      define(proto.name(), "initializer");
      constants_.emplace(proto.name(), to_tensor(proto, origin_ + ": initializer " + in_quotes(proto.name())));
    }
  }

  void read_graph_inputs() {
    std::set<std::string> seen;
    for (const onnx::ValueInfoProto& input : graph_.input()) {
      if (!seen.insert(input.name()).second) fail("graph input " + in_quotes(input.name()) + " is listed twice");
      if (constants_.contains(input.name())) continue;
      define(input.name(), "graph input");
      result_.graph_inputs.push_back(input.name());
    }
  }

  /// Reads the nodes in the order of the graph, so that a node can use only earlier outputs, as ONNX demands.
  void read_nodes() {
    for (int i = 0; i < graph_.node_size(); ++i) {
      const onnx::NodeProto& node = graph_.node(i);
      const std::string where = origin_ + ": node " + std::to_string(i) + " (" + in_quotes(node.op_type()) + ")";
      if (node.output_size() != 1)
        throw FileError(where, std::to_string(node.output_size()) + " outputs; it has one in ONNX");
      if (is_constant(node)) {
        Tensor value = constant_value(node, where);
        define(node.output(0), "Constant node's output");
        constants_.emplace(node.output(0), std::move(value));
      } else {
        read_operator(node, where);
        define(node.output(0), "node's output");
        output_ = node.output(0);
      }
    }
  }

  void read_operator(const onnx::NodeProto& node, const std::string& where) {
    result_.node.domain = canonical_domain(node.domain());
    if (spec::newest_of(result_.node.domain) == nullptr)
      throw FileError(where, "no operators are known in domain " + in_quotes(result_.node.domain) +
                                 "; known domains: " + known_domains() + resolution);
    const auto* op = std::find_if(operators.begin(), operators.end(),
                                  [&](spec::Operator known) { return spec::name(known) == node.op_type(); });
    if (op == operators.end())
      throw FileError(where, "not an operator that Touchstone knows: QuantizeLinear or DequantizeLinear");
    result_.node.op = *op;
    result_.node.opset = imported_opset(result_.node.domain);
    read_inputs(node, where);
    for (const onnx::AttributeProto& attribute : node.attribute())
      if (!result_.node.attributes.emplace(attribute.name(), to_attribute_value(attribute, where)).second)
        throw FileError(where, "attribute " + in_quotes(attribute.name()) + " is given twice");
  }

  void read_inputs(const onnx::NodeProto& node, const std::string& where) {
    if (std::cmp_greater(node.input_size(), limits().inputs_per_node))
      throw FileError(where, std::to_string(node.input_size()) + " inputs; the limit is " +
                                 std::to_string(limits().inputs_per_node));
    for (const std::string& name : node.input()) {
      result_.node_inputs.push_back(name);
      const auto constant = constants_.find(name);
      if (constant != constants_.end()) {
        size_.add(constant->second, origin_);
        result_.node.inputs.emplace_back(constant->second);
        continue;
      }
      if (!name.empty() && !definitions_.contains(name))
        throw FileError(where, "input " + std::to_string(result_.node_inputs.size() - 1) + ", " + in_quotes(name) +
                                   ", is not a graph input, an initializer or an output of an earlier Constant node");
      result_.node.inputs.emplace_back(std::nullopt);
    }
  }

  int imported_opset(const std::string& domain) const {
    std::map<std::string, std::int64_t> versions;
    for (const onnx::OperatorSetIdProto& import : model_.opset_import())
      if (!versions.emplace(canonical_domain(import.domain()), import.version()).second)
        fail("two opset imports of domain " + in_quotes(canonical_domain(import.domain())));
    const auto found = versions.find(domain);
    if (found == versions.end()) fail("no opset import of domain " + in_quotes(domain) + resolution);
    if (found->second < std::numeric_limits<int>::min() || found->second > std::numeric_limits<int>::max())
      fail("opset import of domain " + in_quotes(domain) + ": no such version as " + std::to_string(found->second) +
           resolution);
    return static_cast<int>(found->second);
  }

  void read_graph_outputs() {
    for (const onnx::ValueInfoProto& output : graph_.output()) result_.graph_outputs.push_back(output.name());
    if (result_.graph_outputs.size() != 1)
      fail(std::to_string(result_.graph_outputs.size()) + " graph outputs; Touchstone reads models with one");
    if (result_.graph_outputs.front() != output_)
      fail("graph output " + in_quotes(result_.graph_outputs.front()) + " is not the node's output, " +
           in_quotes(output_));
  }

  const onnx::ModelProto& model_;
  const onnx::GraphProto& graph_;
  const std::string& origin_;
  std::set<std::string> definitions_;  ///< the names of all values
  std::map<std::string, Tensor> constants_;
  CaseSize size_;
  std::string output_;
  OperatorModel result_;
};

/// Whether the model is a graph of several operators, of branches or of functions.
bool is_graph(const onnx::ModelProto& model) {
  const auto& nodes = model.graph().node();
  const auto is_branching = [](const onnx::NodeProto& node) { return node.op_type() == "If"; };
  return model.functions_size() > 0 || std::ranges::any_of(nodes, is_branching) ||
         std::ranges::count_if(nodes, std::not_fn(is_constant)) > 1;
}

/// The first quantization operator, also in branches.
const reference::GraphNode* find_quantization(const std::vector<reference::GraphNode>& nodes) {
  for (const reference::GraphNode& node : nodes) {
    if (reference::quantization_operator(node)) return &node;
    for (const auto& [name, attribute] : node.attributes)
      if (const auto* branch = std::get_if<std::shared_ptr<const reference::Graph>>(&attribute))
        if (const reference::GraphNode* found = find_quantization((*branch)->nodes)) return found;
  }
  return nullptr;
}

OperatorModel read_graph(const onnx::ModelProto& proto, const std::string& origin) {
  const auto graph = std::make_shared<const reference::GraphModel>(to_graph_model(proto, origin));
  const std::map<std::string, int>* opsets = &graph->opsets;
  const reference::GraphNode* first = find_quantization(graph->graph.nodes);
  for (const auto& [id, function] : graph->functions)
    if (first == nullptr && (first = find_quantization(function.nodes)) != nullptr) opsets = &function.opsets;
  if (first == nullptr) throw FileError(origin, "the graph has no QuantizeLinear or DequantizeLinear node");
  const auto opset = opsets->find(first->domain);
  if (opset == opsets->end())
    throw FileError(origin, "no opset import of domain " + in_quotes(first->domain) + resolution);
  OperatorModel model;
  model.node.domain = first->domain;
  model.node.op = reference::quantization_operator(*first).value();
  model.node.opset = opset->second;
  model.node.inputs.resize(graph->graph.inputs.size());
  model.node_inputs = graph->graph.inputs;
  model.graph_inputs = graph->graph.inputs;
  model.graph_outputs = graph->graph.outputs;
  model.graph = graph;
  return model;
}

}  // namespace

OperatorModel parse_model(std::string bytes, const std::string& origin) {
  onnx::ModelProto proto;
  parse_message(proto, bytes, origin);
  OperatorModel model = is_graph(proto) ? read_graph(proto, origin) : ModelReader(proto, origin).read();
  model.bytes = std::move(bytes);
  return model;
}

OperatorModel read_model_file(const std::filesystem::path& path) {
  return parse_model(read_bounded_file(path, limits().file_bytes), path.string());
}

}  // namespace touchstone::conformance
