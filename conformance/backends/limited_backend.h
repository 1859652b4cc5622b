// A backend with assumed limits: it is not asked to run models that exceed them.
#pragma once

#include <memory>

#include "conformance/backends/backend.h"

namespace touchstone::conformance {

class LimitedBackend : public Backend {
 public:
  LimitedBackend(std::unique_ptr<Backend> backend, Capabilities assumed);

  BackendIdentity identity() const override { return backend_->identity(); }
  /// The backend's own declaration, without the assumptions.
  Capabilities declares() const override { return backend_->declares(); }
  /// Declines models that exceed the assumptions or that the backend itself declines.
  std::optional<Refusal> declines(const OperatorModel& model) const override;
  bool works_ahead() const override { return backend_->works_ahead(); }
  void announce(const Unit& unit) override { backend_->announce(unit); }
  UnitAnswer run(const Unit& unit) override { return backend_->run(unit); }
  std::string take_output() override { return backend_->take_output(); }

 private:
  std::unique_ptr<Backend> backend_;
  Capabilities assumed_;
};

/// Returns the backend itself if nothing is assumed.
std::unique_ptr<Backend> limited(std::unique_ptr<Backend> backend, const Capabilities& assumed);

}  // namespace touchstone::conformance
