#include "conformance/backends/reference_backend.h"

#include <fmt/format.h>

#include "conformance/plan/case.h"
#include "conformance/version.h"
#include "reference/interpreter.h"
#include "spec/opset.h"

namespace touchstone::conformance {

namespace {

Answer answer(const OperatorModel& model, std::span<const NamedTensor> inputs, const reference::Policy& policy) {
  const reference::Outcome outcome = reference::interpret(bind_inputs(model, inputs), policy);
  if (const reference::Rejection* rejection = outcome.rejection())
    return Refusal{fmt::format("{}: {}", rejection->clause->id, rejection->reason)};
  return Outputs{{model.graph_outputs.front(), outcome.result()->y}};
}

}  // namespace

BackendIdentity ReferenceBackend::identity() const {
  return {"reference", std::string(version), "literal interpreter of the specification, exact arithmetic"};
}

std::optional<Refusal> ReferenceBackend::declines(const OperatorModel& model) const {
  const std::string& domain = model.node.domain;
  if (spec::find_opset(domain, model.node.opset) != nullptr) return std::nullopt;
  return Refusal{fmt::format("opset {} of {} is not one of {} to {}", model.node.opset, domain,
                             spec::oldest_of(domain)->number, spec::newest_of(domain)->number)};
}

UnitAnswer ReferenceBackend::run(const Unit& unit) {
  try {
    const OperatorModel model = parse_model(std::string(unit.model), std::string(unit.case_id));
    std::vector<Answer> answers;
    for (std::span<const NamedTensor> inputs : unit.inputs) answers.push_back(answer(model, inputs, policy_));
    return answers;
  } catch (const std::exception& error) {  // FileError, NoSuchOperator, a missing input
    return Refusal{error.what()};
  }
}

}  // namespace touchstone::conformance
