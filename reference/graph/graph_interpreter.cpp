#include "reference/graph/graph_interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/graph/factors.h"
#include "reference/graph/named_value.h"
#include "reference/graph/operator_run.h"
#include "reference/graph/quantization.h"
#include "reference/graph/scope.h"
#include "reference/interpreter.h"
#include "reference/interruption.h"
#include "reference/model/shape.h"
#include "spec/opset.h"

namespace touchstone::reference {

namespace {

using spec::ElementType;

/// Nodes that are executed, including those of functions, branches and bodies, with one more for each iteration of a
/// loop, and how deep these are nested.
constexpr std::size_t most_steps = 10'000;
constexpr std::size_t most_depth = 32;

/// Adds the names that the node, and the nodes of its branches and bodies, read and define.
void add_names(const GraphNode& node, std::set<std::string_view>& names) {
  names.insert(node.inputs.begin(), node.inputs.end());
  names.insert(node.outputs.begin(), node.outputs.end());
  for (const auto& [attribute, value] : node.attributes)
    if (const auto* graph = std::get_if<std::shared_ptr<const Graph>>(&value)) {
      for (const GraphNode& inner : (*graph)->nodes) add_names(inner, names);
      names.insert((*graph)->outputs.begin(), (*graph)->outputs.end());
    }
}

/// For each node, the names that neither a later node nor an output needs.
std::vector<std::vector<std::string_view>> last_uses(const std::vector<GraphNode>& nodes,
                                                     const std::vector<std::string>& outputs) {
  std::set<std::string_view> needed(outputs.begin(), outputs.end());
  std::vector<std::vector<std::string_view>> last(nodes.size());
  for (std::size_t i = nodes.size(); i-- > 0;) {
    std::set<std::string_view> names;
    add_names(nodes[i], names);
    for (const std::string_view name : names)
      if (needed.insert(name).second) last[i].push_back(name);
  }
  return last;
}

/// Raised to end the interpretation of a graph.
struct GraphRejection {
  Rejection rejection;
};

class GraphRun {
 public:
  /// `quantize` may be another implementation of the quantization operators than the reference.
  GraphRun(const GraphModel& model, const Quantize& quantize, bool is_reference, const Policy& policy,
           KnownValues* known)
      : model_(model),
        quantize_(quantize),
        is_reference_(is_reference),
        policy_(policy),
        known_(known),
        operators_(model, policy, notes_) {}

  GraphOutcome run(std::span<const Tensor> inputs) {
    const Graph& graph = model_.graph;
    if (inputs.size() != graph.inputs.size())
      throw GraphError(fmt::format("{} inputs for a graph with {}", inputs.size(), graph.inputs.size()));
    Scope scope;
    for (std::size_t i = 0; i < inputs.size(); ++i) scope.define(graph.inputs[i], {inputs[i]});
    GraphOutcome outcome;
    try {
      Values values = evaluate(graph, scope, model_.opsets);
      if (model_.is_part) notes_.add_consulted({spec::ambiguity_index<spec::FactorPrecision>});
      const FactorTreatment& treatment = treatment_of(policy_.reading<spec::FactorPrecision>());
      const bool narrows_products = treatment.type != nullptr && !treatment.folds_scale;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (model_.fuses_scales && values[i].has_bounds() && !is_moved(model_, graph.outputs[i])) {
          values[i].bounds = values[i].all_bounds();
          values[i].is_exact = false;
        }
        const bool is_narrowed = is_product(graph, graph.outputs[i]) && (narrows_products || !model_.is_part);
        if (is_narrowed || (values[i].is_exact && !model_.is_part)) continue;
        if (std::optional<NamedValue> kept = operators_.as_kept(values[i])) {
          values[i] = *std::move(kept);
          values[i].is_exact = false;
        }
      }
      outcome.value = outputs_of(std::move(values));
      operators_.note_replacements();
    } catch (GraphRejection& found) {
      outcome.value = std::move(found.rejection);
    }
    static_cast<GraphNotes&>(outcome) = std::move(notes_);
    return outcome;
  }

 private:
  using Opsets = std::map<std::string, int>;
  using AttributeMap = std::map<std::string, GraphAttribute>;

  std::vector<Output> outputs_of(Values values) const {
    std::vector<Output> outputs;
    for (NamedValue& value : values) {
      value.unspecified.resize(static_cast<std::size_t>(value.value.size()));
      std::optional<CodeRange> range;
      if (!value.is_exact && value.bounds) {
        const std::vector<bool> open = open_elements(value.value.type(), *value.bounds);
        range = ends(value.value.type(), value.value.shape(), *value.bounds);
        for (std::size_t i = 0; i < open.size(); ++i) {
          if (!open[i] || value.unspecified[i]) continue;
          value.unspecified[i] = true;
          range->too_wide += (*value.bounds)[i].is_known() || !notes_.leaves_open ? 1 : 0;
        }
      }
      outputs.push_back({std::move(value.value), std::move(value.unspecified), std::move(range)});
    }
    return outputs;
  }

  Values evaluate(const Graph& graph, Scope& scope, const Opsets& opsets) {
    for (const auto& [name, tensor] : graph.initializers) scope.define(name, {tensor, {}, true});
    return evaluate(graph.nodes, graph.outputs, scope, opsets);
  }

  Values evaluate(const std::vector<GraphNode>& nodes, const std::vector<std::string>& outputs, Scope& scope,
                  const Opsets& opsets) {
    if (++depth_ > most_depth) throw GraphError("functions, branches and bodies are nested too deeply, or recursive");
    std::vector<std::string> kept = outputs;
    for (const WrittenNormalization& written : operators_.written_normalizations())
      kept.insert(kept.end(), {written.x, written.epsilon, written.axes});
    const std::vector<std::vector<std::string_view>> last = last_uses(nodes, kept);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const GraphNode& node = nodes[i];
      count_step();
      const auto label = [&] { return node.label.empty() ? fmt::format("node {} {}", i, node.op_type) : node.label; };
      Values results;
      try {
        results = execute(node, scope, opsets);
      } catch (const InvalidNode& error) {
        throw InvalidNode(fmt::format("{}: {}", label(), error.what()));
      } catch (const GraphError& error) {
        throw GraphError(fmt::format("{}: {}", label(), error.what()));
      }
      for (const NamedValue& result : results) Interruptible::note_work(result.value.size());
      for (const NamedValue& result : results) result.is_weight ? count_weights(result) : count_elements(result);
      if (results.size() < node.outputs.size())
        throw GraphError(
            fmt::format("{} has {} outputs, but the operator {}", label(), node.outputs.size(), results.size()));
      for (std::size_t o = 0; o < node.outputs.size(); ++o) {
        results[o].is_computed = !results[o].is_constant;
        results[o].follows_weights = results[o].is_weight || follows_weights(node, scope);
        scope.define(node.outputs[o], std::move(results[o]));
      }
      for (const std::string_view name : last[i]) scope.release(name);
    }
    Values found;
    for (const std::string& name : outputs) {
      count_elements(scope.value(name));  // each output is a copy
      found.push_back(scope.value(name));
    }
    --depth_;
    return found;
  }

  static bool follows_weights(const GraphNode& node, const Scope& scope) {
    bool has_weight = false;
    for (const std::string& name : node.inputs) {
      if (name.empty()) continue;
      const NamedValue& input = scope.value(name);
      if (!input.is_constant && !input.follows_weights) return false;
      has_weight = has_weight || input.follows_weights;
    }
    return has_weight;
  }

  void count_step() {
    if (++steps_ > most_steps) throw GraphError(fmt::format("more than {} nodes are to be executed", most_steps));
  }

  void count_elements(const NamedValue& value) { count_elements(value.value); }
  void count_elements(const Tensor& value) {
    elements_ += value.size();
    if (elements_ > model_.limits.elements)
      throw GraphError(fmt::format("the values of the graph have more than {} elements", model_.limits.elements));
  }

  void count_weights(const NamedValue& value) {
    weights_ += value.value.size();
    if (weights_ > model_.limits.weights)
      throw GraphError(
          fmt::format("the dequantized constants of the graph have more than {} elements", model_.limits.weights));
  }

  Values execute(const GraphNode& node, const Scope& scope, const Opsets& opsets) {
    if (const auto function = model_.functions.find({node.domain, node.op_type}); function != model_.functions.end())
      return call_function(function->second, node, scope);
    const auto opset = opsets.find(node.domain);
    if (opset == opsets.end()) throw GraphError(fmt::format("no opset import of domain '{}'", node.domain));
    if (const auto op = quantization_operator(node)) {
      const auto quantized = [&] { return Values{quantize(*op, node, scope, opset->second)}; };
      return is_reference_ ? once(node, scope, opset->second, quantized) : quantized();
    }
    if (node.domain != spec::ai_onnx) throw GraphError(fmt::format("domain '{}' has no such operator", node.domain));
    if (is_constant(node)) return {{constant_value(node), {}, true}};
    if (node.op_type == "If") return branch(node, scope, opsets);
    if (node.op_type == "Loop") return loop(node, scope, opsets);
    if (node.op_type == "Scan") return scan(node, scope, opsets);
    operators_.note_terms(node, scope);
    Values values = once(node, scope, opset->second, [&] { return operators_.compute(node, scope, opset->second); });
    operators_.widen_normalization(node, scope, values);
    return values;
  }

  /// The values that `compute` gives, or those that are known.
  template <class Compute>
  Values once(const GraphNode& node, const Scope& scope, int opset, const Compute& compute) {
    std::int64_t elements = 0;
    for (const std::string& name : node.inputs) elements += name.empty() ? 0 : scope.value(name).value.size();
    if (known_ == nullptr || elements > KnownValues::most_elements) return compute();
    KnownValues::Key key{node, opset, {}, operators_.further_roundings(node)};
    for (const std::string& name : node.inputs)
      key.inputs.push_back(name.empty() ? std::nullopt : std::optional(scope.value(name)));
    if (const KnownValues::Entry* entry = known_->find(key, policy_)) {
      notes_.add(entry->notes);
      return entry->values;
    }
    GraphNotes before = std::exchange(notes_, {});
    const auto restore = [&] {
      before.add(notes_);
      notes_ = std::move(before);
    };
    Values values;
    try {
      values = compute();
    } catch (...) {
      restore();
      throw;
    }
    known_->keep({std::move(key), policy_, values, notes_});
    restore();
    return values;
  }

  static const Graph& subgraph(const GraphNode& node, const char* name) {
    const auto found = node.attributes.find(name);
    const auto* graph =
        found != node.attributes.end() ? std::get_if<std::shared_ptr<const Graph>>(&found->second) : nullptr;
    if (graph == nullptr) throw GraphError(fmt::format("attribute {} is absent, or not a graph", name));
    return **graph;
  }

  static bool is_true(const NamedValue& condition) {
    if (condition.value.type() != ElementType::boolean || condition.value.size() != 1)
      throw GraphError("cond is not a boolean tensor with one element");
    return condition.value.code(0) != 0;
  }

  // ---- If

  Values branch(const GraphNode& node, const Scope& scope, const Opsets& opsets) {
    if (node.inputs.size() != 1) throw GraphError("If has one input");
    const NamedValue& condition = scope.value(node.inputs.front());
    if (!condition.is_exact) operators_.note_inexact(node, "a condition depends on rounding");
    // "Graph to run if condition is true.", "Graph to run if condition is false."
    const char* name = is_true(condition) ? "then_branch" : "else_branch";
    const Graph& graph = subgraph(node, name);
    if (!graph.inputs.empty()) throw GraphError(fmt::format("{} has inputs", name));
    Scope inner(&scope);
    operators_.note_use(condition, node);
    return evaluate(graph, inner, opsets);
  }

  // ---- Loop and Scan

  /// The outputs of one iteration. `inputs` are those of the body.
  Values iterate(const Graph& body, Values inputs, const Scope& scope, const Opsets& opsets) {
    count_step();
    for (const auto& [name, tensor] : body.initializers) count_elements(tensor);  // each iteration has copies
    Scope inner(&scope);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      inputs[i].is_constant = false;
      inner.define(body.inputs[i], std::move(inputs[i]));
    }
    return evaluate(body, inner, opsets);
  }

  static void require_inputs_and_outputs(const Graph& body, std::size_t inputs, std::size_t least_outputs) {
    if (body.inputs.size() != inputs || body.outputs.size() < least_outputs)
      throw GraphError(
          fmt::format("the body has {} inputs and {} outputs; {} inputs and at least {} outputs are needed",
                      body.inputs.size(), body.outputs.size(), inputs, least_outputs));
  }

  /// "Each scan_output is created by concatenating the value of the specified output value at the end of each iteration
  /// of the loop." The axis is one of the result.
  static NamedValue scan_output(const OperatorCall& call, const Values& slices, std::int64_t axis) {
    if (slices.empty()) call.fail("a scan output without iterations has no known shape");
    const Tensor& first = slices.front().value;
    // "It is an error if the dimensions or data type of these scan_outputs change across loop iterations."
    for (const NamedValue& one : slices)
      if (one.value.type() != first.type() || one.value.shape() != first.shape())
        call.fail("a scan output changes from {}{} to {}{}", spec::name(first.type()), to_text(first.shape()),
                  spec::name(one.value.type()), to_text(one.value.shape()));
    const std::size_t place = call.axis(axis, first.rank() + 1);
    Shape shape = first.shape();
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(place), std::ssize(slices));
    return stack_of(slices, place, call.checked(shape));
  }

  const NamedValue* optional_input(const GraphNode& node, std::size_t place, const Scope& scope) {
    if (place >= node.inputs.size() || node.inputs[place].empty()) return nullptr;
    const NamedValue& given = scope.value(node.inputs[place]);
    operators_.note_use(given, node);
    return &given;
  }

  /// Copies of the inputs from one place on up to another.
  Values copied_inputs(const GraphNode& node, std::size_t begin, std::size_t end, const Scope& scope) {
    Values copies;
    for (std::size_t i = begin; i < end; ++i) {
      copies.push_back(scope.value(node.inputs[i]));
      count_elements(copies.back());
    }
    return copies;
  }

  static std::optional<std::int64_t> trip_count(const NamedValue* given) {
    if (given == nullptr) return std::nullopt;
    if (given->value.type() != ElementType::int64 || given->value.size() != 1)
      throw GraphError("M is not an int64 tensor with one element");
    return static_cast<std::int64_t>(given->value.code(0));
  }

  static NamedValue scalar_value(ElementType type, std::uint64_t code) {
    NamedValue made{Tensor(type, {})};
    made.value.set_code(0, code);
    return made;
  }

  Values loop(const GraphNode& node, const Scope& scope, const Opsets& opsets) {
    const OperatorCall call(node, opsets.at(node.domain), {}, policy_);
    const Graph& body = subgraph(node, "body");
    const std::optional<std::int64_t> most_trips = trip_count(optional_input(node, 0, scope));
    const NamedValue* given = optional_input(node, 1, scope);
    NamedValue condition = given != nullptr ? *given : scalar_value(ElementType::boolean, 1);
    Values carried = copied_inputs(node, std::min<std::size_t>(2, node.inputs.size()), node.inputs.size(), scope);
    // "It has 2+N inputs: (iteration_num, condition, loop carried dependencies...). It has 1+N+K outputs: (condition,
    // loop carried dependencies..., scan_outputs...)."
    require_inputs_and_outputs(body, carried.size() + 2, carried.size() + 1);
    std::vector<Values> scanned(body.outputs.size() - carried.size() - 1);
    // "input (trip_count, cond): for (int i=0; i < trip_count && cond; ++i) { cond = ...; }"
    for (std::int64_t i = 0; !most_trips || i < *most_trips; ++i) {
      if (!is_true(condition)) {
        if (given != nullptr) break;
        // "cond = ...; // ignored", but it is also called a "Loop termination condition".
        operators_.note_inexact(node, "a condition that is ignored because the input cond is absent");
      }
      Values inputs{scalar_value(ElementType::int64, static_cast<std::uint64_t>(i)), std::move(condition)};
      inputs.insert(inputs.end(), carried.begin(), carried.end());
      Values outputs = iterate(body, std::move(inputs), scope, opsets);
      operators_.note_use(outputs.front(), node);
      condition = std::move(outputs.front());
      is_true(condition);  // checks its type, also in the last iteration
      for (std::size_t v = 0; v < carried.size(); ++v) {
        if (outputs[v + 1].value.type() != carried[v].value.type())
          call.fail("loop carried dependency {} changes its type", v);
        carried[v] = std::move(outputs[v + 1]);
      }
      for (std::size_t k = 0; k < scanned.size(); ++k) scanned[k].push_back(std::move(outputs[carried.size() + 1 + k]));
    }
    for (NamedValue& value : carried) value.is_constant = false;
    for (const Values& slices : scanned) carried.push_back(scan_output(call, slices, 0));
    return carried;
  }

  /// One value for each scan input or scan output; the default is 0.
  static std::vector<std::int64_t> scan_attribute(const OperatorCall& call, const char* name, std::size_t count) {
    std::vector<std::int64_t> values = call.integers(name, std::vector<std::int64_t>(count, 0));
    if (values.size() != count) call.fail("{} has {} values; {} are needed", name, values.size(), count);
    return values;
  }

  /// "0 indicates forward direction and 1 indicates reverse direction", and for outputs "0 indicates appending and 1
  /// indicates prepending".
  static std::vector<std::int64_t> directions(const OperatorCall& call, const char* name, std::size_t count) {
    std::vector<std::int64_t> values = scan_attribute(call, name, count);
    for (const std::int64_t value : values)
      if (value != 0 && value != 1) call.fail("{} contains {}", name, value);
    return values;
  }

  /// What Scan iterates over.
  struct ScanInput {
    const NamedValue* value;
    std::size_t axis;
    bool is_reversed;

    std::int64_t length() const { return value->value.shape()[axis]; }
    NamedValue at(std::int64_t t) const { return slice_of(*value, axis, is_reversed ? length() - 1 - t : t); }
  };

  static std::vector<ScanInput> scan_inputs(const OperatorCall& call, const GraphNode& node, std::size_t states,
                                            const Scope& scope) {
    const std::size_t count = node.inputs.size() - states;
    const auto axes = scan_attribute(call, "scan_input_axes", count);
    const auto reversed = directions(call, "scan_input_directions", count);
    std::vector<ScanInput> inputs;
    for (std::size_t m = 0; m < count; ++m) {
      const NamedValue& value = scope.value(node.inputs[states + m]);
      inputs.push_back({&value, call.axis(axes[m], value.value.rank()), reversed[m] != 0});
      // "scan_i.shape[axis_i] is required to be equal to scan_j.shape[axis_j] for all i,j."
      if (inputs[m].length() != inputs[0].length())
        call.fail("scan inputs of the lengths {} and {}", inputs[0].length(), inputs[m].length());
    }
    return inputs;
  }

  Values scan(const GraphNode& node, const Scope& scope, const Opsets& opsets) {
    const OperatorCall call(node, opsets.at(node.domain), {}, policy_);
    if (call.opset() < 9) call.fail("version 8 is not supported");
    const Graph& body = subgraph(node, "body");
    const std::int64_t count = call.integer("num_scan_inputs");
    if (count < 1 || std::cmp_greater(count, node.inputs.size()))
      call.fail("num_scan_inputs is {} for {} inputs", count, node.inputs.size());
    // "It has N+M inputs: (loop state variables..., scan_input_elts...). It has N+K outputs: (loop state variables...,
    // scan_output_elts...)."
    const std::size_t states = node.inputs.size() - static_cast<std::size_t>(count);
    require_inputs_and_outputs(body, node.inputs.size(), states);
    const std::vector<ScanInput> sequences = scan_inputs(call, node, states, scope);
    std::vector<Values> scanned(body.outputs.size() - states);
    const auto axes = scan_attribute(call, "scan_output_axes", scanned.size());
    const auto reversed = directions(call, "scan_output_directions", scanned.size());
    Values carried = copied_inputs(node, 0, states, scope);
    for (std::int64_t t = 0; t < sequences.front().length(); ++t) {
      Values inputs = carried;
      for (const ScanInput& sequence : sequences) {
        inputs.push_back(sequence.at(t));
        count_elements(inputs.back());
      }
      Values outputs = iterate(body, std::move(inputs), scope, opsets);
      for (std::size_t v = 0; v < states; ++v) {
        // "All the output tensors (state_variables as well as scan_output_element tensors) are required to have the
        // same shape in each iteration of the loop"
        const Tensor &before = carried[v].value, &after = outputs[v].value;
        if (after.type() != before.type() || after.shape() != before.shape())
          call.fail("state variable {} changes its type or shape", v);
        carried[v] = std::move(outputs[v]);
      }
      for (std::size_t k = 0; k < scanned.size(); ++k) scanned[k].push_back(std::move(outputs[states + k]));
    }
    for (NamedValue& value : carried) value.is_constant = false;
    for (std::size_t k = 0; k < scanned.size(); ++k) {
      if (reversed[k] != 0) std::ranges::reverse(scanned[k]);
      carried.push_back(scan_output(call, scanned[k], axes[k]));
    }
    return carried;
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

  /// The node with its operands. Notes how they are used.
  Node node_of(spec::Operator op, const GraphNode& graph_node, const Scope& scope, int opset) {
    Node node{.domain = graph_node.domain, .op = op, .opset = opset, .inputs = {}, .attributes = {}};
    for (std::size_t i = 0; i < graph_node.inputs.size(); ++i) {
      if (graph_node.inputs[i].empty()) {
        node.inputs.emplace_back(std::nullopt);
        continue;
      }
      const NamedValue& given = scope.value(graph_node.inputs[i]);
      operators_.note_use(given, graph_node);
      if (i > 0 && !given.is_exact) operators_.note_inexact(graph_node, "a scale or a zero point is rounded");
      if (!given.is_constant) node.variable_inputs.insert(i);
      node.inputs.emplace_back(given.value);
    }
    for (const auto& [name, attribute] : graph_node.attributes)
      node.attributes.emplace(name, to_attribute_value(attribute));
    return node;
  }

  NamedValue quantize(spec::Operator op, const GraphNode& graph_node, const Scope& scope, int opset) {
    Node node = node_of(op, graph_node, scope, opset);
    const NamedValue* x = node.inputs.empty() || !node.inputs[0] ? nullptr : &scope.value(graph_node.inputs[0]);
    std::optional<NamedValue> kept = x != nullptr && !x->is_exact ? operators_.as_kept(*x) : std::nullopt;
    if (!kept && x != nullptr && x->skipped_roundings > 0 && model_.fuses_scales) {
      kept = *x;
      kept->bounds = x->all_bounds();
    }
    if (kept) x = &*kept;
    NodeResults results{[this](const Node& one) { return result_of(quantize_(one)); }, nullptr};
    if (is_reference_ && has_monotone_quantization(policy_))
      results.some = [this](const Node& one, std::span<const std::int64_t> elements) {
        return result_of(interpret(one, policy_, elements));
      };
    const bool has_one_scale = op == spec::Operator::dequantize_linear && node.inputs.size() > 1 && node.inputs[1] &&
                               node.inputs[1]->size() == 1 && !spec::is_integer(node.inputs[1]->type());
    const double scale = has_one_scale ? number_of_code(node.inputs[1]->type(), node.inputs[1]->code(0)) : 0;
    const bool is_weight = op == spec::Operator::dequantize_linear && node.variable_inputs.empty();
    NamedValue made = quantized_value(std::move(node), x, model_.fuses_scales, policy_, results, notes_.leaves_open);
    made.is_weight = is_weight;
    if (std::isfinite(scale)) made.scale = scale;
    return made;
  }

  Result result_of(Outcome outcome) {
    notes_.cited |= outcome.cited;
    notes_.add_consulted(outcome.order);
    if (auto* rejection = std::get_if<Rejection>(&outcome.value)) throw GraphRejection{std::move(*rejection)};
    return std::get<Result>(std::move(outcome.value));
  }

  const GraphModel& model_;
  const Quantize& quantize_;
  const bool is_reference_;
  const Policy& policy_;
  KnownValues* const known_;
  std::size_t steps_ = 0;
  std::size_t depth_ = 0;
  std::int64_t elements_ = 0;
  std::int64_t weights_ = 0;
  GraphNotes notes_;
  OperatorRun operators_;
};

}  // namespace

GraphOutcome interpret(const GraphModel& model, std::span<const Tensor> inputs, const Policy& policy,
                       const Known& known) {
  const Quantize quantize = [&](const Node& node) {
    return known.outcomes != nullptr ? known.outcomes->interpret(node, policy) : interpret(node, policy);
  };
  return GraphRun(model, quantize, true, policy, known.values).run(inputs);
}

GraphOutcome interpret(const GraphModel& model, std::span<const Tensor> inputs, const Quantize& quantize,
                       const Policy& policy, KnownValues* known) {
  return GraphRun(model, quantize, false, policy, known).run(inputs);
}

}  // namespace touchstone::reference
