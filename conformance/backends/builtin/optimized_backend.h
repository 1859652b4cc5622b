// The backend `optimized`: the library optimized/ behind the interface of a backend.
#pragma once

#include <optional>
#include <string>

#include "conformance/backends/builtin/node_backend.h"
#include "optimized/isa.h"

namespace touchstone::conformance {

class OptimizedBackend : public NodeBackend {
 public:
  /// Without `isa` the library chooses: optimized::default_isa().
  explicit OptimizedBackend(std::optional<optimized::Isa> isa = std::nullopt) : isa_(isa) {}

  /// Includes the instruction set, so that a run is not resumed with another one.
  BackendIdentity identity() const override;

 private:
  std::variant<Tensor, Refusal> compute(const Node& node) const override;

  std::optional<optimized::Isa> isa_;
};

/// "TOUCHSTONE_ISA=portable ", for commands: the instruction set that a backend with this identity uses, if it is an
/// OptimizedBackend and would use another one by default on this CPU. Otherwise empty.
std::string isa_prefix(const BackendIdentity& identity);

}  // namespace touchstone::conformance
