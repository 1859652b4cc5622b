#include "conformance/backends/limited_backend.h"

#include <utility>

namespace touchstone::conformance {

LimitedBackend::LimitedBackend(std::unique_ptr<Backend> backend, Capabilities assumed)
    : backend_(std::move(backend)), assumed_(std::move(assumed)) {}

std::optional<Refusal> LimitedBackend::declines(const OperatorModel& model) const {
  if (auto reason = declined(assumed_, model, assumption)) return Refusal{*std::move(reason)};
  return backend_->declines(model);
}

std::unique_ptr<Backend> limited(std::unique_ptr<Backend> backend, const Capabilities& assumed) {
  if (assumed == Capabilities{}) return backend;
  return std::make_unique<LimitedBackend>(std::move(backend), assumed);
}

}  // namespace touchstone::conformance
