#include "conformance/units/quantization_nodes.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <exception>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/files/attribute.h"
#include "conformance/files/graph_file.h"
#include "conformance/files/text.h"
#include "conformance/generate/stored_tensor.h"
#include "reference/graph/graph_interpreter.h"
#include "reference/graph/operators.h"
#include "spec/opset.h"

namespace touchstone::conformance {

/// The values of a graph, and those of the graphs around it.
class ValueScope {
 public:
  ValueScope(const UserModel& model, const onnx::GraphProto& graph, const ValueScope* outer, std::string place)
      : model_(model), outer_(outer), depth_(outer == nullptr ? 0 : outer->depth_ + 1), place_(std::move(place)) {
    for (const onnx::TensorProto& tensor : graph.initializer()) initializers_.emplace(tensor.name(), &tensor);
    if (outer != nullptr)
      for (const auto* values : {&graph.input(), &graph.value_info(), &graph.output()})
        for (const onnx::ValueInfoProto& value : *values)
          own_forms_.insert_or_assign(value.name(), form_of_type(value.type()));
    for (int i = 0; i < graph.node_size(); ++i) {
      const onnx::NodeProto& node = graph.node(i);
      const Producer producer{&node, {depth_, i}, computes_constants(node)};
      for (const std::string& output : node.output()) producers_.emplace(output, producer);
    }
  }

  const std::string& place() const { return place_; }

  std::optional<ValueForm> form_of(const std::string& value) const {
    if (outer_ == nullptr) return model_.form_of(value);
    if (const auto tensor = initializers_.find(value); tensor != initializers_.end()) {
      const auto type = spec::element_type_from_code(tensor->second->data_type());
      if (!type) return std::nullopt;
      return ValueForm{*type, {tensor->second->dims().begin(), tensor->second->dims().end()}};
    }
    if (const auto own = own_forms_.find(value); own != own_forms_.end()) return own->second;
    return producers_.contains(value) ? std::nullopt : outer_->form_of(value);
  }

  bool is_constant(const std::string& value) const {
    return initializer_of(value) != nullptr || constant_producer_of(value) != nullptr;
  }

  /// The node as a model.
  onnx::ModelProto model_of(const onnx::NodeProto& node) const {
    onnx::ModelProto made;
    made.set_ir_version(model_.proto().ir_version());
    *made.mutable_opset_import() = model_.proto().opset_import();
    onnx::GraphProto& graph = *made.mutable_graph();
    graph.set_name("node");
    *graph.add_node() = node;
    std::set<std::string> added;
    for (const std::string& input : node.input())
      if (!input.empty() && added.insert(input).second) add_to(graph, input);
    for (const std::string& output : node.output())
      if (!output.empty()) graph.add_output()->set_name(output);
    return made;
  }

 private:
  using Order = std::pair<std::size_t, int>;  ///< in which nodes can run: depth of the graph, index in it
  struct Producer {
    const onnx::NodeProto* node;
    Order order;
    bool is_constant;
  };

  /// Adds an input of a node to the graph: as an initializer if it is constant.
  void add_to(onnx::GraphProto& graph, const std::string& value) const {
    if (const onnx::TensorProto* initializer = initializer_of(value)) {
      *graph.add_initializer() = model_.with_data(*initializer);
      return;
    }
    if (is_constant(value))
      if (const auto computed = computed_constant(value)) {
        *graph.add_initializer() = to_tensor_proto(*computed, value);
        return;
      }
    const auto form = form_of(value);
    if (!form) throw FileError(in_quotes(value), "the type or the shape of this value is not known");
    declare(*graph.add_input(), value, form->type, form->shape);
  }

  bool is_own(const std::string& value) const {
    return initializers_.contains(value) || own_forms_.contains(value) || producers_.contains(value);
  }

  const onnx::TensorProto* initializer_of(const std::string& value) const {
    if (const auto found = initializers_.find(value); found != initializers_.end()) return found->second;
    return outer_ == nullptr || is_own(value) ? nullptr : outer_->initializer_of(value);
  }

  /// The node that computes the constant; null for an initializer, and for what is not constant.
  const Producer* constant_producer_of(const std::string& value) const {
    if (const auto found = producers_.find(value); found != producers_.end())
      return found->second.is_constant ? &found->second : nullptr;
    return outer_ == nullptr || is_own(value) ? nullptr : outer_->constant_producer_of(value);
  }

  bool computes_constants(const onnx::NodeProto& node) const {
    if (is_quantization(node) || canonical_domain(node.domain()) != spec::ai_onnx) return false;
    int opset = 0;
    for (const onnx::OperatorSetIdProto& import : model_.proto().opset_import())
      if (canonical_domain(import.domain()) == spec::ai_onnx) opset = static_cast<int>(import.version());
    return (node.op_type() == "Constant" || reference::find_operator_function(node.op_type(), opset) != nullptr) &&
           std::ranges::all_of(node.input(), [&](const auto& input) { return input.empty() || is_constant(input); });
  }

  /// What the nodes give that compute the value from constants; std::nullopt if the interpreter cannot tell.
  std::optional<Tensor> computed_constant(const std::string& value) const try {
    std::map<Order, const onnx::NodeProto*> nodes;
    onnx::ModelProto single;
    *single.mutable_opset_import() = model_.proto().opset_import();
    onnx::GraphProto& graph = *single.mutable_graph();
    std::set<std::string> seen;
    std::vector<std::string> rest{value};
    while (!rest.empty()) {
      const std::string next = std::move(rest.back());
      rest.pop_back();
      if (next.empty() || !seen.insert(next).second) continue;
      if (const onnx::TensorProto* initializer = initializer_of(next)) {
        *graph.add_initializer() = model_.with_data(*initializer);
      } else if (const Producer* producer = constant_producer_of(next)) {
        nodes.emplace(producer->order, producer->node);
        rest.insert(rest.end(), producer->node->input().begin(), producer->node->input().end());
      }
    }
    for (const auto& [order, node] : nodes) *graph.add_node() = *node;
    graph.add_output()->set_name(value);
    const reference::GraphOutcome outcome = reference::interpret(to_graph_model(single, "a constant"), {});
    if (outcome.outputs() == nullptr || outcome.inexact) return std::nullopt;
    return outcome.outputs()->front().value;
  } catch (const FileError&) {
    throw;  // external data
  } catch (const std::exception&) {
    return std::nullopt;
  }

  const UserModel& model_;
  const ValueScope* outer_;
  std::size_t depth_;
  std::string place_;
  std::map<std::string, const onnx::TensorProto*> initializers_;
  std::map<std::string, std::optional<ValueForm>> own_forms_;  ///< of an inner graph
  std::map<std::string, Producer> producers_;
};

namespace {

void visit_graph(const onnx::GraphProto& graph, const ValueScope& scope, const UserModel& model,
                 const std::function<void(const ModelNode&)>& visit) {
  constexpr std::size_t longest_name = 60;
  for (int i = 0; i < graph.node_size(); ++i) visit({graph.node(i), static_cast<std::size_t>(i), scope});
  for (int i = 0; i < graph.node_size(); ++i) {
    const onnx::NodeProto& node = graph.node(i);
    for_each_inner_graph(node, [&](const onnx::GraphProto& inner, const std::string& attribute) {
      const std::string place =
          fmt::format("{} of node {} {}{}{}", printable(attribute, longest_name), i,
                      printable(node.op_type(), longest_name), scope.place().empty() ? "" : " in ", scope.place());
      visit_graph(inner, ValueScope(model, inner, &scope, place), model, visit);
    });
  }
}

}  // namespace

const std::string& ModelNode::place() const { return scope_.place(); }
std::optional<ValueForm> ModelNode::form_of(const std::string& value) const { return scope_.form_of(value); }
bool ModelNode::is_constant(const std::string& value) const { return scope_.is_constant(value); }
onnx::ModelProto ModelNode::model() const { return scope_.model_of(node_); }

void for_each_node(const UserModel& model, const std::function<void(const ModelNode&)>& visit) {
  const onnx::GraphProto& graph = model.proto().graph();
  visit_graph(graph, ValueScope(model, graph, nullptr, ""), model, visit);
}

bool is_quantization(const onnx::NodeProto& node) {
  return (node.op_type() == "QuantizeLinear" || node.op_type() == "DequantizeLinear") &&
         spec::newest_of(canonical_domain(node.domain())) != nullptr;
}

bool has_inner_graph(const onnx::NodeProto& node) {
  return std::ranges::any_of(node.attribute(), [](const auto& one) { return one.has_g() || one.graphs_size() > 0; });
}

void for_each_inner_graph(const onnx::NodeProto& node,
                          const std::function<void(const onnx::GraphProto&, const std::string&)>& visit) {
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (attribute.has_g()) visit(attribute.g(), attribute.name());
    for (const onnx::GraphProto& graph : attribute.graphs()) visit(graph, attribute.name());
  }
}

}  // namespace touchstone::conformance
