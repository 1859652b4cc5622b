// A node, computed by the library optimized/: translated into one of its calls, or refused.
#pragma once

#include <optional>
#include <variant>

#include "conformance/backends/backend.h"
#include "optimized/executor.h"
#include "optimized/isa.h"
#include "reference/node.h"
#include "reference/tensor.h"

namespace touchstone::conformance {

/// y, or why there is none.
using OptimizedAnswer = std::variant<reference::Tensor, Refusal>;

/// What the specification forbids is refused; where it leaves something open the primary readings are followed. That is
/// decided from the tables of spec/ and by nothing of the interpreter, so that the two can be held against each other.
/// Without `isa` the library chooses (optimized::default_isa()); one that is not available is refused. With an executor
/// it shares large tensors out.
///
/// Throws std::bad_alloc only.
OptimizedAnswer run_optimized(const reference::Node& node, std::optional<optimized::Isa> isa = std::nullopt,
                              const optimized::Executor* executor = nullptr);

}  // namespace touchstone::conformance
