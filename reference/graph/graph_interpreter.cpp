#include "reference/graph/graph_interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <iterator>
#include <utility>

#include "reference/graph/operators.h"
#include "reference/interpreter.h"
#include "spec/opset.h"

namespace touchstone::reference {

namespace {

using spec::ElementType;

/// Nodes that are executed, including those of functions and branches, and how deep these are nested.
constexpr std::size_t most_steps = 10'000;
constexpr std::size_t most_depth = 32;
/// The elements of all values that nodes compute.
constexpr std::int64_t most_elements = std::int64_t{1} << 19;

struct NamedValue {
  Tensor value;
  std::vector<bool> unspecified = {};  ///< empty: no element is
  bool is_constant = false;            ///< of the graph, not computed

  bool has_unspecified() const { return std::ranges::find(unspecified, true) != unspecified.end(); }
};

/// The values that nodes can use: their own graph's, and those of the graphs around it.
class Scope {
 public:
  explicit Scope(const Scope* outer = nullptr) : outer_(outer) {}

  void define(const std::string& name, NamedValue value) {
    if (!name.empty() && !values_.emplace(name, std::move(value)).second)
      throw GraphError(fmt::format("the value '{}' is defined twice", name));
  }

  const NamedValue& value(const std::string& name) const {
    if (const auto found = values_.find(name); found != values_.end()) return found->second;
    if (outer_ != nullptr) return outer_->value(name);
    throw GraphError(fmt::format("the value '{}' is not defined before it is used", name));
  }

 private:
  const Scope* outer_;
  std::map<std::string, NamedValue> values_;
};

/// Raised to end the interpretation of a graph.
struct GraphRejection {
  Rejection rejection;
};

class GraphRun {
 public:
  GraphRun(const GraphModel& model, const Quantize& quantize) : model_(model), quantize_(quantize) {}

  GraphOutcome run(std::span<const Tensor> inputs) {
    const Graph& graph = model_.graph;
    if (inputs.size() != graph.inputs.size())
      throw GraphError(fmt::format("{} inputs for a graph with {}", inputs.size(), graph.inputs.size()));
    Scope scope;
    for (std::size_t i = 0; i < inputs.size(); ++i) scope.define(graph.inputs[i], {inputs[i]});
    GraphOutcome outcome;
    try {
      outcome.value = outputs_of(evaluate(graph, scope, model_.opsets));
    } catch (GraphRejection& found) {
      outcome.value = std::move(found.rejection);
    }
    outcome.cited = cited_;
    outcome.consulted = consulted_;
    outcome.order = order_;
    outcome.inexact = inexact_;
    return outcome;
  }

 private:
  using Values = std::vector<NamedValue>;
  using Opsets = std::map<std::string, int>;
  using AttributeMap = std::map<std::string, GraphAttribute>;

  static std::vector<Output> outputs_of(Values values) {
    std::vector<Output> outputs;
    for (NamedValue& value : values) {
      value.unspecified.resize(static_cast<std::size_t>(value.value.size()));
      outputs.push_back({std::move(value.value), std::move(value.unspecified)});
    }
    return outputs;
  }

  Values evaluate(const Graph& graph, Scope& scope, const Opsets& opsets) {
    for (const auto& [name, tensor] : graph.initializers) scope.define(name, {tensor, {}, true});
    return evaluate(graph.nodes, graph.outputs, scope, opsets);
  }

  Values evaluate(const std::vector<GraphNode>& nodes, const std::vector<std::string>& outputs, Scope& scope,
                  const Opsets& opsets) {
    if (++depth_ > most_depth) throw GraphError("functions and branches are nested too deeply, or recursive");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const GraphNode& node = nodes[i];
      if (++steps_ > most_steps) throw GraphError(fmt::format("more than {} nodes are to be executed", most_steps));
      Values results;
      try {
        results = execute(node, scope, opsets);
      } catch (const GraphError& error) {
        throw GraphError(fmt::format("node {} ('{}'): {}", i, node.op_type, error.what()));
      }
      for (const NamedValue& result : results) count_elements(result);
      if (results.size() < node.outputs.size())
        throw GraphError(fmt::format("node {} ('{}') has {} outputs, but the operator {}", i, node.op_type,
                                     node.outputs.size(), results.size()));
      for (std::size_t o = 0; o < node.outputs.size(); ++o) scope.define(node.outputs[o], std::move(results[o]));
    }
    Values found;
    for (const std::string& name : outputs) {
      count_elements(scope.value(name));  // each output is a copy
      found.push_back(scope.value(name));
    }
    --depth_;
    return found;
  }

  void count_elements(const NamedValue& value) {
    elements_ += value.value.size();
    if (elements_ > most_elements)
      throw GraphError(fmt::format("the values of the graph have more than {} elements", most_elements));
  }

  Values execute(const GraphNode& node, const Scope& scope, const Opsets& opsets) {
    if (const auto function = model_.functions.find({node.domain, node.op_type}); function != model_.functions.end())
      return call_function(function->second, node, scope);
    const auto opset = opsets.find(node.domain);
    if (opset == opsets.end()) throw GraphError(fmt::format("no opset import of domain '{}'", node.domain));
    if (const auto op = quantization_operator(node)) return {quantize(*op, node, scope, opset->second)};
    if (node.domain != spec::ai_onnx) throw GraphError(fmt::format("domain '{}' has no such operator", node.domain));
    if (is_constant(node)) return {{constant_value(node), {}, true}};
    if (node.op_type == "If") return branch(node, scope, opsets);
    return compute(node, scope, opset->second);
  }

  // ---- If

  Values branch(const GraphNode& node, const Scope& scope, const Opsets& opsets) {
    if (node.inputs.size() != 1) throw GraphError("If has one input");
    const NamedValue& condition = scope.value(node.inputs.front());
    if (condition.value.type() != ElementType::boolean || condition.value.size() != 1)
      throw GraphError("cond is not a boolean tensor with one element");
    // "Graph to run if condition is true.", "Graph to run if condition is false."
    const char* name = condition.value.code(0) != 0 ? "then_branch" : "else_branch";
    const auto found = node.attributes.find(name);
    const auto* graph =
        found != node.attributes.end() ? std::get_if<std::shared_ptr<const Graph>>(&found->second) : nullptr;
    if (graph == nullptr) throw GraphError(fmt::format("attribute {} is absent, or not a graph", name));
    if (!(*graph)->inputs.empty()) throw GraphError(fmt::format("{} has inputs", name));
    Scope inner(&scope);
    note_use(condition, node);
    return evaluate(**graph, inner, opsets);
  }

  // ---- model-local functions

  Values call_function(const GraphFunction& function, const GraphNode& node, const Scope& scope) {
    if (node.inputs.size() > function.inputs.size())
      throw GraphError(fmt::format("{} inputs; the function has {}", node.inputs.size(), function.inputs.size()));
    Scope inner;
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      if (!node.inputs[i].empty()) inner.define(function.inputs[i], scope.value(node.inputs[i]));
    AttributeMap attributes = node.attributes;
    attributes.insert(function.defaults.begin(), function.defaults.end());
    std::vector<GraphNode> nodes = function.nodes;
    for (GraphNode& own : nodes) resolve_references(own, attributes);
    return evaluate(nodes, function.outputs, inner, function.opsets);
  }

  /// Replaces references to attributes of the function by their values. Without a value, the attribute is absent.
  static void resolve_references(GraphNode& node, const AttributeMap& given) {
    for (auto row = node.attributes.begin(); row != node.attributes.end();) {
      const auto* reference = std::get_if<AttributeReference>(&row->second);
      if (reference == nullptr) {
        ++row;
        continue;
      }
      if (const auto value = given.find(reference->name); value != given.end())
        (row++)->second = value->second;
      else
        row = node.attributes.erase(row);
    }
  }

  // ---- quantization operators

  NamedValue quantize(spec::Operator op, const GraphNode& graph_node, const Scope& scope, int opset) {
    Node node{.domain = graph_node.domain, .op = op, .opset = opset, .inputs = {}, .attributes = {}};
    for (std::size_t i = 0; i < graph_node.inputs.size(); ++i) {
      if (graph_node.inputs[i].empty()) {
        node.inputs.emplace_back(std::nullopt);
        continue;
      }
      const NamedValue& given = scope.value(graph_node.inputs[i]);
      note_use(given, graph_node);
      if (!given.is_constant) node.variable_inputs.insert(i);
      node.inputs.emplace_back(given.value);
    }
    for (const auto& [name, attribute] : graph_node.attributes)
      node.attributes.emplace(name, to_attribute_value(attribute));
    Outcome outcome = quantize_(node);
    cited_ |= outcome.cited;
    std::ranges::copy_if(outcome.order, std::back_inserter(order_), [&](std::size_t a) { return !consulted_.test(a); });
    consulted_ |= outcome.consulted;
    if (auto* rejection = std::get_if<Rejection>(&outcome.value)) throw GraphRejection{std::move(*rejection)};
    auto& result = std::get<Result>(outcome.value);
    return {std::move(result.y), std::move(result.unspecified)};
  }

  // ---- all other operators

  Values compute(const GraphNode& node, const Scope& scope, int opset) {
    const OperatorFunction* function = find_operator_function(node.op_type, opset);
    if (function == nullptr)
      throw GraphError(fmt::format("the operator is not supported at opset {} of ai.onnx", opset));
    std::vector<const Tensor*> inputs;
    for (const std::string& name : node.inputs) {
      if (name.empty()) {
        inputs.push_back(nullptr);
        continue;
      }
      const NamedValue& given = scope.value(name);
      note_use(given, node);
      inputs.push_back(&given.value);
    }
    OperatorCall call(node, opset, std::move(inputs));
    Values values;
    for (Tensor& output : function->compute(call)) values.push_back({std::move(output)});
    if (!inexact_ && call.inexact()) inexact_ = fmt::format("{}: {}", node.op_type, *call.inexact());
    return values;
  }

  void note_use(const NamedValue& given, const GraphNode& node) {
    if (!inexact_ && given.has_unspecified())
      inexact_ = fmt::format("{}: an input has an element that the specification leaves open", node.op_type);
  }

  const GraphModel& model_;
  const Quantize& quantize_;
  std::size_t steps_ = 0;
  std::size_t depth_ = 0;
  std::int64_t elements_ = 0;
  std::bitset<spec::clauses.size()> cited_;
  std::bitset<spec::ambiguities.size()> consulted_;
  std::vector<std::size_t> order_;
  std::optional<std::string> inexact_;
};

}  // namespace

GraphOutcome interpret(const GraphModel& model, std::span<const Tensor> inputs, const Policy& policy) {
  return interpret(model, inputs, [&](const Node& node) { return interpret(node, policy); });
}

GraphOutcome interpret(const GraphModel& model, std::span<const Tensor> inputs, const Quantize& quantize) {
  return GraphRun(model, quantize).run(inputs);
}

}  // namespace touchstone::reference
