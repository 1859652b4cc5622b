// Computes a node with the library optimized/: translates it into a call, or refuses it.
#pragma once

#include <optional>
#include <variant>

#include "conformance/backends/backend.h"
#include "conformance/files/names.h"
#include "optimized/executor.h"
#include "optimized/isa.h"

namespace touchstone::conformance {

/// y, or the reason why the node is refused.
using OptimizedAnswer = std::variant<Tensor, Refusal>;

/// Refuses what the specification forbids, and follows the primary readings where it is ambiguous. This uses the tables
/// of spec/ and nothing of the interpreter, so that the two can be compared. Without `isa` the library chooses
/// (optimized::default_isa()); an unavailable one is refused. With an executor the library splits large tensors among
/// threads.
///
/// Throws std::bad_alloc only.
OptimizedAnswer run_optimized(const Node& node, std::optional<optimized::Isa> isa = std::nullopt,
                              const optimized::Executor* executor = nullptr);

}  // namespace touchstone::conformance
