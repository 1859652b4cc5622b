// The backend `reference`: the interpreter behind the same interface as everybody else's.
#pragma once

#include "conformance/backends/backend.h"
#include "reference/policy.h"

namespace touchstone::conformance {

class ReferenceBackend : public Backend {
 public:
  explicit ReferenceBackend(const reference::Policy& policy = {}) : policy_(policy) {}

  BackendIdentity identity() const override;
  std::optional<Refusal> declines(const OperatorModel& model) const override;
  UnitAnswer run(const Unit& unit) override;

 private:
  reference::Policy policy_;
};

}  // namespace touchstone::conformance
