#include "conformance/backends/backend.h"

namespace touchstone::conformance {

std::optional<Refusal> Backend::declines(const OperatorModel& model) const {
  auto reason = declined(declares(), model);
  return reason ? std::optional(Refusal{*std::move(reason)}) : std::nullopt;
}

}  // namespace touchstone::conformance
