#include "fuzz/differential.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

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

const std::vector<Subject>& subjects() {
  static const auto available = [] {
    std::vector<Subject> all;
    for (const optimized::Isa isa : {optimized::Isa::portable, optimized::Isa::avx2})
      if (optimized::is_available(isa)) all.push_back(optimized_subject(isa));
    return all;
  }();
  return available;
}

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

/// Equivalent to running the subject on the model, but faster.
bool passes(const Subject& subject, const Example& example, const Node& node, const Outcome* outcome,
            const optimized::Executor* executor = nullptr) {
  std::optional<OptimizedAnswer> answer;
  const bool is_restored =
      optimized::is_restored_by(example.environment, [&] { answer = run_optimized(node, subject.isa, executor); });
  return is_restored && agree(outcome, *answer);
}

[[noreturn]] void report_difference(const Subject& subject, const Example& example) {
  try {
    if (auto fault = find_fault(subject, example, strictly)) report(*std::move(fault), strictly);
  } catch (const std::exception& error) {
    fmt::print(stderr, "\nit cannot be written as a model: {}", error.what());
  }
  fmt::print(stderr, "\n{} fails, but only in parts, or without a model:\n{}", name_of(subject), to_text(example));
  std::abort();
}

}  // namespace

void compare_with_reference(std::span<const std::uint8_t> bytes, Operators operators) {
  const Example example = decode(bytes, operators);
  const Node node = node_in_model(example);
  const std::optional<Outcome> outcome = interpreted(node);
  const Outcome* expected = outcome ? &*outcome : nullptr;
  for (const Subject& subject : subjects())
    if (!passes(subject, example, node, expected) || !passes(subject, example, node, expected, &in_parts))
      report_difference(subject, example);
}

}  // namespace touchstone::fuzz
