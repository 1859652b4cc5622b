#include "conformance/diagnose/wrong_backend.h"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "conformance/diagnose/computation.h"
#include "conformance/files/case.h"
#include "conformance/version.h"
#include "spec/opset.h"

namespace touchstone::conformance {

BackendIdentity WrongBackend::identity() const {
  std::string name;
  std::string sentences;
  for (const WrongModel* model : models_) {
    name += fmt::format("{}{}", name.empty() ? wrong_prefix : "+", model->name);
    sentences += fmt::format("{}{}", sentences.empty() ? "" : "; ", model->sentence);
  }
  return {std::move(name), std::string(touchstone_version), std::move(sentences)};
}

std::optional<Refusal> WrongBackend::declines(const OperatorModel& model) const {
  if (spec::find_opset(model.node.domain, model.node.opset) != nullptr) return std::nullopt;
  return Refusal{fmt::format("opset {} of {} is unknown", model.node.opset, model.node.domain)};
}

Answer WrongBackend::run_graph(const OperatorModel& model, std::span<const NamedTensor> inputs, std::size_t run) const {
  std::vector<Tensor> values;
  for (const NamedTensor& input : inputs) values.push_back(input.value);
  auto computed = compute(*model.graph, values, models_, run);
  if (const auto* rejection = std::get_if<reference::Rejection>(&computed))
    return Refusal{fmt::format("{}: {}", rejection->clause->id, rejection->reason)};
  auto& computed_outputs = std::get<std::vector<reference::Output>>(computed);
  Outputs outputs;
  for (std::size_t o = 0; o < computed_outputs.size(); ++o)
    outputs.push_back({model.graph_outputs[o], std::move(computed_outputs[o].value)});
  return outputs;
}

UnitAnswer WrongBackend::run(const Unit& unit) {
  try {
    const OperatorModel model = read_model(unit);
    std::vector<Answer> answers;
    std::optional<Inputs> first;
    for (std::size_t i = 0; i < unit.inputs.size(); ++i) {
      if (model.graph != nullptr) {
        answers.push_back(run_graph(model, unit.inputs[i], i));
        continue;
      }
      const Node node = bind_inputs(model, unit.inputs[i]);
      if (!first) first = node.inputs;
      auto computed = compute(node, models_, {i, *first});
      if (const auto* rejection = std::get_if<reference::Rejection>(&computed))
        answers.emplace_back(Refusal{fmt::format("{}: {}", rejection->clause->id, rejection->reason)});
      else
        answers.emplace_back(Outputs{{model.graph_outputs.front(), std::get<Tensor>(std::move(computed))}});
    }
    return answers;
  } catch (const std::exception& error) {  // FileError, a missing input, too little memory
    return Refusal{error.what()};
  }
}

}  // namespace touchstone::conformance
