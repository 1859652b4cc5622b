#include "conformance/judge/oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reference/interpreter.h"

namespace touchstone::conformance {

namespace {

/// Adds the clauses about the model file to the outcome of its node.
Outcome with_the_file(const Case& tested, const Policy& policy, Outcome outcome) {
  if (!tested.float6_padding_is_set) return outcome;
  constexpr spec::ClauseRef clause = "onnx-6-bit-padding";
  outcome.cited.set(clause.index());
  outcome.consulted.set(spec::ambiguity_index<spec::Float6Padding>);
  outcome.order.push_back(spec::ambiguity_index<spec::Float6Padding>);
  if (policy.reading<spec::Float6Padding>() == spec::Float6Padding::invalid)
    outcome.value = Rejection{clause, "the padding bits of a float6 tensor in the model are set"};
  return outcome;
}

reference::GraphOutcome interpret_graph(const Case& tested, const Node& node, const Policy& policy,
                                        const reference::Known& known) {
  std::vector<Tensor> inputs;
  for (const auto& input : node.inputs) inputs.push_back(input.value());
  return reference::interpret(*tested.model.graph, inputs, policy, known);
}

std::variant<Result, Rejection> to_value(reference::GraphOutcome& outcome) {
  if (auto* rejection = std::get_if<Rejection>(&outcome.value)) return std::move(*rejection);
  auto& outputs = std::get<std::vector<reference::Output>>(outcome.value);
  if (outcome.unbounded)
    for (reference::Output& output : outputs) output.unspecified.assign(output.unspecified.size(), true);
  reference::Output first = std::move(outputs.front());
  outputs.erase(outputs.begin());
  const Tensor x = first.value;
  return Result{.y = std::move(first.value),
                .x = x,
                .unspecified = std::move(first.unspecified),
                .parameters = {},
                .further = std::move(outputs),
                .range = std::move(first.range)};
}

Outcome to_outcome(reference::GraphOutcome outcome) {
  return {to_value(outcome), outcome.cited, outcome.consulted, outcome.order};
}

void add_versions(const std::vector<reference::GraphNode>& nodes, const std::map<std::string, int>& opsets,
                  std::vector<const OperatorVersion*>& versions) {
  for (const reference::GraphNode& node : nodes) {
    if (const auto op = reference::quantization_operator(node))
      versions.push_back(
          &reference::operator_version({.domain = node.domain, .op = *op, .opset = opsets.at(node.domain)}));
    for (const auto& [name, attribute] : node.attributes)
      if (const auto* branch = std::get_if<std::shared_ptr<const reference::Graph>>(&attribute))
        add_versions((*branch)->nodes, opsets, versions);
  }
}

}  // namespace

std::vector<const OperatorVersion*> operator_versions(const Case& tested) {
  if (tested.model.graph == nullptr) return {&reference::operator_version(tested.model.node)};
  const reference::GraphModel& model = *tested.model.graph;
  std::vector<const OperatorVersion*> versions;
  add_versions(model.graph.nodes, model.opsets, versions);
  for (const auto& [id, function] : model.functions) add_versions(function.nodes, function.opsets, versions);
  std::ranges::sort(versions);
  versions.erase(std::unique(versions.begin(), versions.end()), versions.end());
  return versions;
}

Outcome interpret(const Case& tested, const Node& node, const Policy& policy, const reference::Known& known) {
  if (tested.model.graph != nullptr) return to_outcome(interpret_graph(tested, node, policy, known));
  return with_the_file(tested, policy, reference::interpret(node, policy));
}

Outcome interpret(const Case& tested, const Node& node, const Policy& policy, std::span<const std::int64_t> elements,
                  const reference::Known& known) {
  if (tested.model.graph != nullptr) return to_outcome(interpret_graph(tested, node, policy, known));
  return with_the_file(tested, policy, reference::interpret(node, policy, elements));
}

std::vector<ReferenceOutcome> interpret(const Case& tested) {
  std::vector<ReferenceOutcome> interpreted;
  reference::KnownOutcomes constants(0, reference::outcomes_of_constants());
  for (const DataSet& data : tested.data_sets) {
    if (data.repeats) {
      interpreted.push_back(interpreted.at(*data.repeats));
      continue;
    }
    Node node = bind_inputs(tested.model, data.inputs);
    if (tested.model.graph != nullptr) {
      reference::GraphOutcome outcome = interpret_graph(tested, node, {}, {.outcomes = &constants});
      if (outcome.unbounded)
        throw reference::GraphError(fmt::format("data set {}: another implementation may get other bits: {}",
                                                interpreted.size(), *outcome.unbounded));
      interpreted.push_back({std::move(node), to_outcome(std::move(outcome))});
      continue;
    }
    Outcome outcome = interpret(tested, node);
    interpreted.push_back({std::move(node), std::move(outcome)});
  }
  return interpreted;
}

}  // namespace touchstone::conformance
