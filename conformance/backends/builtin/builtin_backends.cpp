#include "conformance/backends/builtin/builtin_backends.h"

#include <array>

#include "conformance/backends/builtin/optimized_backend.h"
#include "conformance/backends/builtin/reference_backend.h"

namespace touchstone::conformance {

namespace {

constexpr std::array backends{
    BackendInfo{"optimized", "the library of kernels for this CPU, or for the instruction set in TOUCHSTONE_ISA",
                []() -> std::unique_ptr<Backend> { return std::make_unique<OptimizedBackend>(); }},
    BackendInfo{"reference",
                "the exact interpreter of the specification; it also computes the expected outputs of generated cases, "
                "so they say little about it",
                []() -> std::unique_ptr<Backend> { return std::make_unique<ReferenceBackend>(); }},
};

}  // namespace

std::span<const BackendInfo> builtin_backends() { return backends; }

std::unique_ptr<Backend> make_backend(std::string_view name) {
  for (const BackendInfo& row : backends)
    if (row.name == name) return row.make();
  return nullptr;
}

}  // namespace touchstone::conformance
