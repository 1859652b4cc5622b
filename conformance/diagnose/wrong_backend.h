// The backend `wrong:NAME`: a wrong model as a backend, which the suite must find.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/diagnose/wrong_model.h"

namespace touchstone::conformance {

/// The prefix of the names of these backends.
inline constexpr std::string_view wrong_prefix = "wrong:";

/// A backend with all of these defects. It refuses what the reference refuses.
class WrongBackend : public Backend {
 public:
  explicit WrongBackend(std::vector<const WrongModel*> models) : models_(std::move(models)) {}

  BackendIdentity identity() const override;
  std::optional<Refusal> declines(const OperatorModel& model) const override;
  UnitAnswer run(const Unit& unit) override;

 private:
  Answer run_graph(const OperatorModel& model, std::span<const NamedTensor> inputs, std::size_t run) const;

  std::vector<const WrongModel*> models_;
};

}  // namespace touchstone::conformance
