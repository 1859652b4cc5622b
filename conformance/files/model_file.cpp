#include "conformance/files/model_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <memory>
#include <ranges>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/files/file_io.h"
#include "conformance/files/graph_file.h"
#include "conformance/files/limits.h"
#include "conformance/files/message.h"
#include "conformance/files/tensor_file.h"
#include "spec/opset.h"

namespace touchstone::conformance {

namespace {

using reference::GraphNode;

std::string known_domains() {
  std::set<std::string_view> names;
  for (const spec::Opset& row : spec::opsets) names.insert(row.domain);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Throws FileError if the model does not import the domain.
int imported_opset(const std::map<std::string, int>& opsets, const std::string& domain, const std::string& origin) {
  const auto found = opsets.find(domain);
  if (found != opsets.end()) return found->second;
  throw FileError(origin, "no opset import of domain " + in_quotes(domain) + opset_resolution);
}

/// Whether the model is a graph of several operators, of branches, of loops or of functions.
bool is_graph(const reference::GraphModel& model) {
  const std::vector<GraphNode>& nodes = model.graph.nodes;
  const auto has_graph = [](const GraphNode& node) {
    return node.op_type == "If" || node.op_type == "Loop" || node.op_type == "Scan";
  };
  return !model.functions.empty() || std::ranges::any_of(nodes, has_graph) ||
         std::ranges::count_if(nodes, reference::is_constant) + 1 != std::ssize(nodes);
}

/// Reads the only node of a graph that is not a Constant.
class OperatorReader {
 public:
  OperatorReader(reference::GraphModel given, const std::string& origin)
      : graph_(std::move(given.graph)), opsets_(std::move(given.opsets)), origin_(origin) {}

  OperatorModel read() {
    std::string output;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const GraphNode& node = graph_.nodes[i];
      const std::string where = origin_ + ": " + node_name(i, node.op_type);
      if (node.outputs.size() != 1)
        throw FileError(where, std::to_string(node.outputs.size()) + " outputs; it has one in ONNX");
      if (node.outputs.front().empty()) throw FileError(where, "its output has no name");
      if (is_constant(node)) {
        graph_.initializers.emplace(node.outputs.front(), constant_value(node, where));
      } else {
        read_operator(node, where);
        output = node.outputs.front();
      }
    }
    read_outputs(output);
    result_.graph_inputs = std::move(graph_.inputs);
    return std::move(result_);
  }

 private:
  static Tensor constant_value(const GraphNode& node, const std::string& where) try {
    return reference::constant_value(node);
  } catch (const reference::GraphError& error) {
    throw FileError(where, printable(error.what(), 300));
  }

  void read_operator(const GraphNode& node, const std::string& where) {
    if (spec::newest_of(node.domain) == nullptr)
      throw FileError(where, "no operators are known in domain " + in_quotes(node.domain) +
                                 "; known domains: " + known_domains() + opset_resolution);
    const auto op = reference::quantization_operator(node);
    if (!op) throw FileError(where, "not an operator that Touchstone knows: QuantizeLinear or DequantizeLinear");
    result_.node.domain = node.domain;
    result_.node.op = *op;
    result_.node.opset = imported_opset(opsets_, node.domain, origin_);
    result_.node_inputs = node.inputs;
    for (const std::string& name : node.inputs) {
      const auto constant = graph_.initializers.find(name);
      result_.node.inputs.push_back(constant == graph_.initializers.end() ? std::nullopt
                                                                          : std::optional(constant->second));
    }
    for (const auto& [name, value] : node.attributes)
      result_.node.attributes.emplace(name, reference::to_attribute_value(value));
  }

  void read_outputs(const std::string& output) {
    if (graph_.outputs.size() != 1)
      throw FileError(origin_,
                      std::to_string(graph_.outputs.size()) + " graph outputs; Touchstone reads models with one");
    if (graph_.outputs.front() != output)
      throw FileError(origin_, "graph output " + in_quotes(graph_.outputs.front()) + " is not the node's output, " +
                                   in_quotes(output));
    result_.graph_outputs = graph_.outputs;
  }

  reference::Graph graph_;
  std::map<std::string, int> opsets_;
  const std::string& origin_;
  OperatorModel result_;
};

/// The first quantization operator, also in branches.
const GraphNode* find_quantization(const std::vector<GraphNode>& nodes) {
  for (const GraphNode& node : nodes) {
    if (reference::quantization_operator(node)) return &node;
    for (const auto& [name, attribute] : node.attributes)
      if (const auto* branch = std::get_if<std::shared_ptr<const reference::Graph>>(&attribute))
        if (const GraphNode* found = find_quantization((*branch)->nodes)) return found;
  }
  return nullptr;
}

/// Whether operators of ONNX alone give quantized tensors, without quantization operators.
bool moves_codes(const onnx::ModelProto& proto, const reference::Graph& graph) {
  return find_quantization(graph.nodes) == nullptr &&
         std::ranges::all_of(graph.nodes, [](const GraphNode& node) { return node.domain == spec::ai_onnx; }) &&
         std::ranges::any_of(proto.graph().output(), [](const onnx::ValueInfoProto& output) {
           const auto type = spec::element_type_from_code(output.type().tensor_type().elem_type());
           return type && is_quantized(*type);
         });
}

/// `may_move`: a graph without quantization operators is one of ONNX's operators.
OperatorModel graph_of(reference::GraphModel given, bool may_move, const std::string& origin) {
  const auto graph = std::make_shared<const reference::GraphModel>(std::move(given));
  const std::map<std::string, int>* opsets = &graph->opsets;
  const GraphNode* first = find_quantization(graph->graph.nodes);
  for (const auto& [id, function] : graph->functions)
    if (first == nullptr && (first = find_quantization(function.nodes)) != nullptr) opsets = &function.opsets;
  if (first == nullptr && !may_move)
    throw FileError(origin, "the graph has no QuantizeLinear or DequantizeLinear node");
  OperatorModel model;
  if (first != nullptr) {
    model.node.domain = first->domain;
    model.node.op = reference::quantization_operator(*first).value();
  }
  model.node.opset = imported_opset(*opsets, model.node.domain, origin);
  model.node.inputs.resize(graph->graph.inputs.size());
  model.node_inputs = graph->graph.inputs;
  model.graph_inputs = graph->graph.inputs;
  model.graph_outputs = graph->graph.outputs;
  model.graph = graph;
  return model;
}

/// Takes away the default values of the graph inputs that the caller gives.
std::vector<onnx::TensorProto> take_replaced_defaults(onnx::GraphProto& graph, std::size_t given) {
  std::set<std::string_view> initialized;
  for (const onnx::TensorProto& tensor : graph.initializer()) initialized.insert(tensor.name());
  const auto required = std::ranges::count_if(
      graph.input(), [&](const onnx::ValueInfoProto& input) { return !initialized.contains(input.name()); });
  if (std::cmp_less_equal(given, required)) return {};
  std::set<std::string> replaced;
  for (const onnx::ValueInfoProto& input : graph.input() | std::views::take(given)) replaced.insert(input.name());
  auto& defaults = *graph.mutable_initializer();
  const auto taken = std::stable_partition(defaults.begin(), defaults.end(), [&](const onnx::TensorProto& tensor) {
    return !replaced.contains(tensor.name());
  });
  std::vector<onnx::TensorProto> values(taken, defaults.end());
  defaults.erase(taken, defaults.end());
  return values;
}

struct GivenProto {
  onnx::ModelProto model;
  std::vector<onnx::TensorProto> replaced = {};  ///< default values
};

GivenProto proto_of(std::string_view bytes, const std::string& origin, std::size_t given) {
  GivenProto proto;
  parse_message(proto.model, bytes, origin);
  if (given > 0 && proto.model.has_graph())
    proto.replaced = take_replaced_defaults(*proto.model.mutable_graph(), given);
  return proto;
}

}  // namespace

reference::GraphModel parse_graph(std::string_view bytes, const std::string& origin, std::size_t given) {
  return to_graph_model(proto_of(bytes, origin, given).model, origin);
}

OperatorModel parse_model(const onnx::ModelProto& proto, const std::string& origin,
                          std::span<const std::size_t> numbers) {
  reference::GraphModel graph = to_graph_model(proto, origin, numbers);
  const bool may_move = moves_codes(proto, graph.graph);
  return may_move || is_graph(graph) ? graph_of(std::move(graph), may_move, origin)
                                     : OperatorReader(std::move(graph), origin).read();
}

OperatorModel parse_model(std::string bytes, const std::string& origin, std::size_t given) {
  const GivenProto proto = proto_of(bytes, origin, given);
  OperatorModel model = parse_model(proto.model, origin);
  if (model.graph != nullptr && !proto.replaced.empty()) {
    auto graph = std::make_shared<reference::GraphModel>(*model.graph);
    for (const onnx::TensorProto& tensor : proto.replaced) try {
        graph->replaced_defaults.emplace(tensor.name(), to_tensor(tensor, origin));
      } catch (const FileError&) {  // nobody needs it
      }
    model.graph = std::move(graph);
  }
  model.bytes = std::move(bytes);
  return model;
}

OperatorModel permitting_as(const OperatorModel& other, OperatorModel model) {
  if (model.graph == nullptr || other.graph == nullptr) return model;
  auto graph = std::make_shared<reference::GraphModel>(*model.graph);
  graph->is_part = other.graph->is_part;
  graph->fuses_scales = other.graph->fuses_scales;
  model.graph = std::move(graph);
  return model;
}

bool is_quantized(ElementType type) {
  const ElementTypeInfo& info = spec::info(type);
  return type != ElementType::boolean && (info.bits < 16 || (info.bits == 16 && spec::is_integer(type)));
}

OperatorModel read_model_file(const std::filesystem::path& path, std::size_t given) {
  return parse_model(read_bounded_file(path, limits().file_bytes), path.string(), given);
}

}  // namespace touchstone::conformance
