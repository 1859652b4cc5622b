// The backend `optimized`: the library optimized/ behind the same interface as everybody else's.
#pragma once

#include <optional>

#include "conformance/backends/backend.h"
#include "optimized/isa.h"

namespace touchstone::conformance {

class OptimizedBackend : public Backend {
 public:
  /// Without `isa` the library chooses: optimized::default_isa().
  explicit OptimizedBackend(std::optional<optimized::Isa> isa = std::nullopt) : isa_(isa) {}

  BackendIdentity identity() const override;
  std::optional<Refusal> declines(const OperatorModel& model) const override;
  UnitAnswer run(const Unit& unit) override;

 private:
  std::optional<optimized::Isa> isa_;
};

}  // namespace touchstone::conformance
