#include "conformance/backends/builtin/optimized_backend.h"

#include <fmt/format.h>

#include "conformance/backends/builtin/optimized_node.h"
#include "conformance/version.h"

namespace touchstone::conformance {

BackendIdentity OptimizedBackend::identity() const {
  return {"optimized", std::string(touchstone_version),
          fmt::format("native arithmetic, {} kernels", optimized::name(isa_.value_or(optimized::default_isa())))};
}

std::variant<Tensor, Refusal> OptimizedBackend::compute(const Node& node) const { return run_optimized(node, isa_); }

std::string isa_prefix(const BackendIdentity& identity) {
  using optimized::Isa;
  const Isa best = optimized::is_available(Isa::avx2) ? Isa::avx2 : Isa::portable;
  for (const Isa isa : {Isa::portable, Isa::avx2})
    if (isa != best && OptimizedBackend(isa).identity() == identity)
      return fmt::format("TOUCHSTONE_ISA={} ", optimized::name(isa));
  return "";
}

}  // namespace touchstone::conformance
