// The backend `reference`: the interpreter behind the interface of a backend.
#pragma once

#include "conformance/backends/builtin/node_backend.h"
#include "reference/policy.h"

namespace touchstone::conformance {

class ReferenceBackend : public NodeBackend {
 public:
  explicit ReferenceBackend(const reference::Policy& policy = {}) : policy_(policy) {}

  BackendIdentity identity() const override;

 private:
  std::variant<Tensor, Refusal> compute(const Node& node) const override;
  reference::Policy policy() const override { return policy_; }

  reference::Policy policy_;
};

}  // namespace touchstone::conformance
