#include "conformance/backends/backend.h"

#include <fmt/format.h>

namespace touchstone::conformance {

OperatorModel read_model(const Unit& unit) {
  const std::size_t given = unit.inputs.empty() ? 0 : unit.inputs.front().size();
  return parse_model(std::string(unit.model), "the model", given);
}

std::string title(const BackendIdentity& backend) {
  std::string text = backend.name;
  if (!backend.version.empty()) text += " " + backend.version;
  if (!backend.description.empty()) text += fmt::format(" ({})", backend.description);
  return text;
}

std::optional<Refusal> Backend::declines(const OperatorModel& model) const {
  auto reason = declined(declares(), model);
  return reason ? std::optional(Refusal{*std::move(reason)}) : std::nullopt;
}

}  // namespace touchstone::conformance
