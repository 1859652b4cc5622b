#include "fuzz/differential.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <variant>

#include "conformance/backends/builtin/optimized_backend.h"
#include "conformance/backends/builtin/optimized_node.h"
#include "conformance/judge/compare.h"
#include "fuzz/report_fault.h"
#include "reference/interpreter.h"

namespace touchstone::fuzz {

using namespace conformance;
using reference::Node;
using reference::Outcome;
using reference::Tensor;

namespace {

/// std::nullopt for an unknown opset.
std::optional<Outcome> interpreted(const Node& node) try {
  return reference::interpret(node);
} catch (const reference::NoSuchOperator&) {
  return std::nullopt;
}

bool agree(const Outcome* outcome, const OptimizedAnswer& answer) {
  const reference::Result* result = outcome == nullptr ? nullptr : outcome->result();
  const auto* y = std::get_if<Tensor>(&answer);
  if (result == nullptr || y == nullptr) return result == nullptr && y == nullptr;
  return compare(result->y, *y, {.open = &result->unspecified}).none();
}

/// Runs the parts one after the other, the last one first. Splits even tensors as small as those of examples.
void run_backwards(void* /*self*/, std::int64_t parts, optimized::Executor::Task task, void* context) {
  while (parts-- > 0) task(context, parts);
}

constexpr optimized::Executor in_parts{.run = run_backwards, .threads = 3, .smallest_part = 4};

/// What is wrong with the answer of the kernels; empty if nothing is.
std::string fault_of(optimized::Isa isa, const Example& example, const Node& node, const Outcome* outcome,
                     const optimized::Executor* executor) {
  std::optional<OptimizedAnswer> answer;
  const bool is_restored =
      optimized::is_restored_by(example.environment, [&] { answer = run_optimized(node, isa, executor); });
  if (!is_restored) return "the caller's floating-point environment is another afterwards";
  return agree(outcome, *answer) ? "" : "differs from the reference";
}

}  // namespace

void compare_with_reference(std::span<const std::uint8_t> bytes, Operators operators) {
  const Example example = decode(bytes, operators);
  const Node node = node_in_model(example);
  const std::optional<Outcome> outcome = interpreted(node);
  const Outcome* expected = outcome ? &*outcome : nullptr;
  for (const optimized::Isa isa : {optimized::Isa::portable, optimized::Isa::avx2}) {
    if (!optimized::is_available(isa)) continue;
    for (const optimized::Executor* executor : {static_cast<const optimized::Executor*>(nullptr), &in_parts}) {
      const std::string fault = fault_of(isa, example, node, expected, executor);
      if (fault.empty()) continue;
      RunInfo run = run_with("optimized", {.strict = true, .sign_of_zero = true});
      run.backend = OptimizedBackend(isa).identity();
      report(fmt::format("{}{} ({})", fault, executor != nullptr ? " in parts" : "", optimized::name(isa)), example,
             run);
    }
  }
}

}  // namespace touchstone::fuzz
