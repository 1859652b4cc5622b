#include "conformance/files/graph_file.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "conformance/files/attribute.h"
#include "conformance/files/case_size.h"
#include "conformance/files/limits.h"
#include "conformance/files/tensor_file.h"

namespace touchstone::conformance {

namespace {

using onnx::AttributeProto;
using reference::Graph;
using reference::GraphAttribute;
using reference::GraphFunction;
using reference::GraphModel;
using reference::GraphNode;

/// The names that a graph can use: its own, and those of the graphs around it.
class Names {
 public:
  explicit Names(const Names* outer = nullptr) : outer_(outer) {}

  bool contains(const std::string& name) const {
    return own_.contains(name) || (outer_ != nullptr && outer_->contains(name));
  }

  /// Throws FileError if the name is empty, or is defined here or around.
  void define(const std::string& name, const std::string& what, const std::string& origin) {
    if (name.empty()) throw FileError(origin, what + " has no name");
    if (contains(name)) throw FileError(origin, what + " " + in_quotes(name) + ": this name is already defined");
    own_.insert(name);
  }

 private:
  const Names* outer_;
  std::set<std::string> own_;
};

/// A function by domain and name.
using FunctionId = std::pair<std::string, std::string>;

class GraphReader {
 public:
  GraphReader(const onnx::ModelProto& model, const std::string& origin, std::span<const std::size_t> numbers)
      : model_(model), origin_(origin), numbers_(numbers) {}

  GraphModel read() {
    if (!model_.has_graph()) throw FileError(origin_, "no graph: not an ONNX model");
    if (model_.training_info_size() > 0) throw FileError(origin_, "a model with training_info is not supported");
    GraphModel made;
    made.opsets = opsets(model_.opset_import());
    for (const onnx::FunctionProto& function : model_.functions()) read_function(function, made);
    refuse_recursion(made);
    Names names;
    made.graph = read_graph(model_.graph(), names, Place{});
    return made;
  }

 private:
  struct Place {
    std::string where = {};  ///< "function 'f': "
    bool is_in_function = false;
  };

  [[noreturn]] void fail(const Place& place, const std::string& reason) const {
    throw FileError(origin_, place.where + reason);
  }

  template <class Imports>
  std::map<std::string, int> opsets(const Imports& imports) const {
    std::map<std::string, int> versions;
    for (const onnx::OperatorSetIdProto& import : imports) {
      const std::string domain = canonical_domain(import.domain());
      if (!std::in_range<int>(import.version()))
        throw FileError(origin_, fmt::format("opset import of domain {}: no such version as {}{}", in_quotes(domain),
                                             import.version(), opset_resolution));
      if (!versions.emplace(domain, static_cast<int>(import.version())).second)
        throw FileError(origin_, "two opset imports of domain " + in_quotes(domain));
    }
    return versions;
  }

  // ---- graphs

  Graph read_graph(const onnx::GraphProto& proto, Names& names, const Place& place) {
    Graph graph;
    const auto read_initializer = [&](const std::string& name, const auto& tensor) {
      names.define(name, place.where + "initializer", origin_);
      graph.initializers.emplace(name, read_tensor(tensor, place.where + "initializer " + in_quotes(name)));
    };
    for (const onnx::TensorProto& tensor : proto.initializer()) read_initializer(tensor.name(), tensor);
    for (const onnx::SparseTensorProto& sparse : proto.sparse_initializer())
      read_initializer(sparse.values().name(), sparse);
    std::set<std::string> seen;
    for (const onnx::ValueInfoProto& input : proto.input()) {
      if (!seen.insert(input.name()).second) fail(place, "graph input " + in_quotes(input.name()) + " is listed twice");
      if (graph.initializers.contains(input.name())) continue;
      names.define(input.name(), place.where + "graph input", origin_);
      graph.inputs.push_back(input.name());
    }
    graph.nodes = read_nodes(proto.node(), names, place);
    if (proto.output_size() == 0) fail(place, "the graph has no outputs");
    for (const onnx::ValueInfoProto& output : proto.output()) {
      if (!names.contains(output.name()))
        fail(place, "graph output " + in_quotes(output.name()) + " is not defined in the graph");
      graph.outputs.push_back(output.name());
    }
    return graph;
  }

  template <class Nodes>
  std::vector<GraphNode> read_nodes(const Nodes& protos, Names& names, const Place& place) {
    nodes_ += static_cast<std::uint64_t>(protos.size());
    if (nodes_ > limits().nodes_per_model)
      throw FileError(origin_, fmt::format("more than {} nodes (nodes_per_model)", limits().nodes_per_model));
    std::vector<GraphNode> nodes;
    for (int i = 0; i < protos.size(); ++i) {
      const onnx::NodeProto& proto = protos.Get(i);
      const Place here{place.where + node_name(static_cast<std::size_t>(i), proto.op_type()) + ": ",
                       place.is_in_function};
      GraphNode node{
          .domain = canonical_domain(proto.domain()), .op_type = proto.op_type(), .inputs = {}, .outputs = {}};
      const auto number = static_cast<std::size_t>(i);
      node.label = node_label(place.where.empty() && number < numbers_.size() ? numbers_[number] : number, proto);
      if (std::cmp_greater(proto.input_size(), limits().inputs_per_node))
        fail(here, fmt::format("{} inputs; the limit is {}", proto.input_size(), limits().inputs_per_node));
      for (const std::string& name : proto.input()) {
        if (!name.empty() && !names.contains(name))
          fail(here,
               "input " + in_quotes(name) + " is not a graph input, an initializer or an output of an earlier node");
        node.inputs.push_back(name);
      }
      for (const AttributeProto& attribute : proto.attribute())
        if (const bool is_sparse = reference::is_constant(node) && is_sparse_value(attribute);
            !node.attributes.emplace(is_sparse ? "value" : attribute.name(), read_attribute(attribute, names, here))
                 .second)
          fail(here, "attribute " + in_quotes(attribute.name()) + " is given twice");
      if (proto.output_size() == 0) fail(here, "the node has no outputs");
      for (const std::string& name : proto.output()) {
        if (!name.empty()) names.define(name, here.where + "output", origin_);
        node.outputs.push_back(name);
      }
      nodes.push_back(std::move(node));
    }
    return nodes;
  }

  GraphAttribute read_attribute(const AttributeProto& attribute, const Names& names, const Place& place) {
    check_attribute(attribute, origin_ + ": " + place.where, place.is_in_function);
    if (!attribute.ref_attr_name().empty()) return reference::AttributeReference{attribute.ref_attr_name()};
    switch (attribute.type()) {
      case AttributeProto::FLOAT: return attribute.f();
      case AttributeProto::INT: return attribute.i();
      case AttributeProto::STRING: return attribute.s();
      case AttributeProto::FLOATS: return std::vector<float>(attribute.floats().begin(), attribute.floats().end());
      case AttributeProto::INTS: return std::vector<std::int64_t>(attribute.ints().begin(), attribute.ints().end());
      case AttributeProto::TENSOR:
        return std::make_shared<const Tensor>(read_tensor(attribute.t(), place.where + described(attribute)));
      case AttributeProto::SPARSE_TENSOR:
        if (!is_sparse_value(attribute)) break;
        return std::make_shared<const Tensor>(
            read_tensor(attribute.sparse_tensor(), place.where + described(attribute)));
      case AttributeProto::GRAPH: {
        Names inner(&names);
        const Place here{place.where + described(attribute) + ": ", place.is_in_function};
        return std::make_shared<const Graph>(read_graph(attribute.g(), inner, here));
      }
      default: break;
    }
    return reference::ForeignAttribute{type_name(attribute)};
  }

  /// That of a Constant node, which is dense for the interpreter.
  static bool is_sparse_value(const AttributeProto& attribute) {
    return attribute.name() == "sparse_value" && attribute.type() == AttributeProto::SPARSE_TENSOR &&
           attribute.ref_attr_name().empty();
  }

  template <class Proto>
  Tensor read_tensor(const Proto& proto, const std::string& what) {
    Tensor tensor = to_tensor(proto, origin_ + ": " + what);
    size_.add(tensor, origin_);
    return tensor;
  }

  // ---- functions

  void read_function(const onnx::FunctionProto& proto, GraphModel& model) {
    const FunctionId id{canonical_domain(proto.domain()), proto.name()};
    const Place place{"function " + in_quotes(proto.name()) + ": ", true};
    if (proto.name().empty()) fail(place, "it has no name");
    if (!proto.overload().empty()) fail(place, "overloads are not supported");
    GraphFunction function;
    function.opsets = opsets(proto.opset_import());
    Names names;
    for (const std::string& input : proto.input()) {
      names.define(input, place.where + "input", origin_);
      function.inputs.push_back(input);
    }
    for (const AttributeProto& attribute : proto.attribute_proto()) {
      check_attribute(attribute, origin_ + ": " + place.where);
      function.defaults.emplace(attribute.name(), read_attribute(attribute, names, place));
    }
    function.nodes = read_nodes(proto.node(), names, place);
    for (const std::string& output : proto.output()) {
      if (!names.contains(output)) fail(place, "output " + in_quotes(output) + " is not defined in the function");
      function.outputs.push_back(output);
    }
    if (!model.functions.emplace(id, std::move(function)).second) fail(place, "this name is already defined");
  }

  static void add_called(const std::vector<GraphNode>& nodes, const GraphModel& model, std::set<FunctionId>& called) {
    for (const GraphNode& node : nodes) {
      if (const FunctionId id{node.domain, node.op_type}; model.functions.contains(id)) called.insert(id);
      for (const auto& [name, attribute] : node.attributes)
        if (const auto* branch = std::get_if<std::shared_ptr<const Graph>>(&attribute))
          add_called((*branch)->nodes, model, called);
    }
  }

  /// Removes functions that call no others, until none is left. A walk among those that remain ends in a cycle.
  void refuse_recursion(const GraphModel& model) const {
    std::map<FunctionId, std::set<FunctionId>> called, callers;
    std::vector<FunctionId> without_calls;
    for (const auto& [id, function] : model.functions) {
      add_called(function.nodes, model, called[id]);
      for (const FunctionId& other : called[id]) callers[other].insert(id);
      if (called[id].empty()) without_calls.push_back(id);
    }
    while (!without_calls.empty()) {
      const FunctionId id = std::move(without_calls.back());
      without_calls.pop_back();
      called.erase(id);
      for (const FunctionId& caller : callers[id])
        if (std::set<FunctionId>& others = called[caller]; others.erase(id) > 0 && others.empty())
          without_calls.push_back(caller);
    }
    if (called.empty()) return;
    std::set<FunctionId> seen;
    FunctionId id = called.begin()->first;
    while (seen.insert(id).second) id = *called.at(id).begin();
    throw FileError(origin_, "function " + in_quotes(id.second) + " calls itself, directly or through others");
  }

  const onnx::ModelProto& model_;
  const std::string& origin_;
  const std::span<const std::size_t> numbers_;
  std::uint64_t nodes_ = 0;
  CaseSize size_;
};

}  // namespace

std::string node_name(std::size_t index, const std::string& op_type) {
  return fmt::format("node {} ({})", index, in_quotes(op_type));
}

std::string node_label(std::size_t index, const onnx::NodeProto& node) {
  constexpr std::size_t longest_name = 60;
  const std::string& name = node.name().empty() && node.output_size() > 0 ? node.output(0) : node.name();
  return fmt::format("node {} {} {}", index, printable(node.op_type(), longest_name), printable(name, longest_name));
}

GraphModel to_graph_model(const onnx::ModelProto& model, const std::string& origin,
                          std::span<const std::size_t> numbers) {
  GraphModel made = GraphReader(model, origin, numbers).read();
  made.limits = {.elements = static_cast<std::int64_t>(limits().graph_elements),
                 .weights = static_cast<std::int64_t>(limits().graph_weights),
                 .terms = static_cast<std::int64_t>(limits().graph_terms)};
  return made;
}

}  // namespace touchstone::conformance
