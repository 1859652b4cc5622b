#include "conformance/backends/backend.h"

#include <array>

#include "conformance/backends/optimized_backend.h"
#include "conformance/backends/reference_backend.h"

namespace touchstone::conformance {

namespace {

constexpr std::array backends{
    BackendInfo{"optimized", "the library of kernels for this CPU, or of the instruction set that TOUCHSTONE_ISA names",
                []() -> std::unique_ptr<Backend> { return std::make_unique<OptimizedBackend>(); }},
    BackendInfo{"reference",
                "the literal interpreter of the specification, in exact arithmetic; generated cases expect what it "
                "computes, and so say little of it",
                []() -> std::unique_ptr<Backend> { return std::make_unique<ReferenceBackend>(); }},
};

}  // namespace

std::optional<Refusal> Backend::declines(const OperatorModel& model) const {
  auto reason = declined(declares(), model);
  return reason ? std::optional(Refusal{*std::move(reason)}) : std::nullopt;
}

std::span<const BackendInfo> builtin_backends() { return backends; }

std::unique_ptr<Backend> make_backend(std::string_view name) {
  for (const BackendInfo& row : backends)
    if (row.name == name) return row.make();
  return nullptr;
}

}  // namespace touchstone::conformance
