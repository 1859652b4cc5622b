#include "conformance/backends/builtin/optimized_backend.h"

#include <fmt/format.h>

#include "conformance/backends/builtin/optimized_node.h"
#include "conformance/version.h"

namespace touchstone::conformance {

BackendIdentity OptimizedBackend::identity() const {
  return {"optimized", std::string(touchstone_version),
          fmt::format("native arithmetic, {} kernels", optimized::name(isa_.value_or(optimized::default_isa())))};
}

std::variant<reference::Tensor, Refusal> OptimizedBackend::compute(const reference::Node& node) const {
  return run_optimized(node, isa_);
}

}  // namespace touchstone::conformance
