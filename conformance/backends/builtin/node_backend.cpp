#include "conformance/backends/builtin/node_backend.h"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "conformance/files/case.h"
#include "spec/opset.h"

namespace touchstone::conformance {

std::optional<Refusal> NodeBackend::declines(const OperatorModel& model) const {
  const std::string& domain = model.node.domain;
  if (spec::find_opset(domain, model.node.opset) != nullptr) return std::nullopt;
  return Refusal{fmt::format("opset {} of {} is not one of {} to {}", model.node.opset, domain,
                             spec::oldest_of(domain)->number, spec::newest_of(domain)->number)};
}

UnitAnswer NodeBackend::run(const Unit& unit) {
  try {
    const OperatorModel model = parse_model(std::string(unit.model), std::string(unit.case_id));
    std::vector<Answer> answers;
    for (std::span<const NamedTensor> inputs : unit.inputs) {
      auto computed = compute(bind_inputs(model, inputs));
      if (Refusal* refusal = std::get_if<Refusal>(&computed))
        answers.emplace_back(std::move(*refusal));
      else
        answers.emplace_back(Outputs{{model.graph_outputs.front(), std::get<reference::Tensor>(std::move(computed))}});
    }
    return answers;
  } catch (const std::exception& error) {  // FileError, a missing input, too little memory
    return Refusal{error.what()};
  }
}

}  // namespace touchstone::conformance
