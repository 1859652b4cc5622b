#include "conformance/backends/builtin/node_backend.h"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "conformance/files/case.h"
#include "reference/graph/graph_interpreter.h"
#include "spec/opset.h"

namespace touchstone::conformance {

std::optional<Refusal> NodeBackend::declines(const OperatorModel& model) const {
  const std::string& domain = model.node.domain;
  if (spec::find_opset(domain, model.node.opset) != nullptr) return std::nullopt;
  return Refusal{fmt::format("opset {} of {} is not one of {} to {}", model.node.opset, domain,
                             spec::oldest_of(domain)->number, spec::newest_of(domain)->number)};
}

namespace {

/// Raised to end the interpretation of a graph.
struct Refused {
  Refusal refusal;
};

}  // namespace

Answer NodeBackend::run_graph(const OperatorModel& model, std::span<const NamedTensor> inputs) const try {
  std::vector<Tensor> values;
  for (const NamedTensor& input : inputs) values.push_back(input.value);
  const auto quantize = [&](const Node& node) {
    auto computed = compute(node);
    if (auto* refusal = std::get_if<Refusal>(&computed)) throw Refused{std::move(*refusal)};
    const auto& y = std::get<Tensor>(computed);
    return reference::Outcome{reference::Result{.y = y, .x = y, .unspecified = {}, .parameters = {}}, {}, {}};
  };
  const reference::GraphOutcome outcome = reference::interpret(*model.graph, values, quantize, policy());
  Outputs outputs;
  for (std::size_t i = 0; i < model.graph_outputs.size(); ++i)
    outputs.push_back({model.graph_outputs[i], outcome.outputs()->at(i).value});
  return outputs;
} catch (Refused& refused) {
  return std::move(refused.refusal);
}

UnitAnswer NodeBackend::run(const Unit& unit) {
  try {
    const OperatorModel model = read_model(unit);
    std::vector<Answer> answers;
    for (std::span<const NamedTensor> inputs : unit.inputs) {
      if (model.graph != nullptr) {
        answers.push_back(run_graph(model, inputs));
        continue;
      }
      auto computed = compute(bind_inputs(model, inputs));
      if (Refusal* refusal = std::get_if<Refusal>(&computed))
        answers.emplace_back(std::move(*refusal));
      else
        answers.emplace_back(Outputs{{model.graph_outputs.front(), std::get<Tensor>(std::move(computed))}});
    }
    return answers;
  } catch (const std::exception& error) {  // FileError, a missing input, too little memory
    return Refusal{error.what()};
  }
}

}  // namespace touchstone::conformance
