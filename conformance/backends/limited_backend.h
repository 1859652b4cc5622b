// A backend of which it is assumed that it cannot take everything: what goes beyond that it is not asked.
#pragma once

#include <memory>

#include "conformance/backends/backend.h"

namespace touchstone::conformance {

class LimitedBackend : public Backend {
 public:
  LimitedBackend(std::unique_ptr<Backend> backend, Capabilities assumed);

  BackendIdentity identity() const override { return backend_->identity(); }
  /// What the backend declares itself.
  Capabilities declares() const override { return backend_->declares(); }
  /// What goes beyond the assumptions, and what the backend itself declines.
  std::optional<Refusal> declines(const OperatorModel& model) const override;
  bool works_ahead() const override { return backend_->works_ahead(); }
  void announce(const Unit& unit) override { backend_->announce(unit); }
  UnitAnswer run(const Unit& unit) override { return backend_->run(unit); }
  std::string take_output() override { return backend_->take_output(); }

 private:
  std::unique_ptr<Backend> backend_;
  Capabilities assumed_;
};

/// The backend itself, if nothing is assumed of it.
std::unique_ptr<Backend> limited(std::unique_ptr<Backend> backend, const Capabilities& assumed);

}  // namespace touchstone::conformance
