// The backend `optimized`: the library optimized/ behind the same interface as everybody else's.
#pragma once

#include <optional>

#include "conformance/backends/builtin/node_backend.h"
#include "optimized/isa.h"

namespace touchstone::conformance {

class OptimizedBackend : public NodeBackend {
 public:
  /// Without `isa` the library chooses: optimized::default_isa().
  explicit OptimizedBackend(std::optional<optimized::Isa> isa = std::nullopt) : isa_(isa) {}

  /// Names the instruction set too: a run does not go on with another.
  BackendIdentity identity() const override;

 private:
  std::variant<reference::Tensor, Refusal> compute(const reference::Node& node) const override;

  std::optional<optimized::Isa> isa_;
};

}  // namespace touchstone::conformance
