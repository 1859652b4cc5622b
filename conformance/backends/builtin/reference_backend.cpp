#include "conformance/backends/builtin/reference_backend.h"

#include <fmt/format.h>

#include "conformance/version.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

BackendIdentity ReferenceBackend::identity() const {
  return {"reference", std::string(touchstone_version), "literal interpreter of the specification, exact arithmetic"};
}

std::variant<Tensor, Refusal> ReferenceBackend::compute(const Node& node) const {
  const reference::Outcome outcome = reference::interpret(node, policy_);
  if (const reference::Rejection* rejection = outcome.rejection())
    return Refusal{fmt::format("{}: {}", rejection->clause->id, rejection->reason)};
  return outcome.result()->y;
}

}  // namespace touchstone::conformance
