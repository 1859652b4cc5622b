// Large tensors in parts, for several threads.
#pragma once

#include <cstdint>

#include "optimized/executor.h"
#include "optimized/operands.h"

namespace touchstone::optimized {

/// Calls kernel(part, options) for parts that together are the whole: on the executor's threads, in the floating-point
/// environment that kernels rely on. Without an executor, or if the tensor is too small for it to pay, there is one
/// part and the calling thread. What is written does not depend on the number of parts: each begins at a byte of x, y
/// and the parameters, and at an element with which a parameter, or a row of them, begins.
template <class Options>
Isa run_in_parts(const Operands& operands, const Options& options,
                 Isa (*kernel)(const Operands&, const Options&) noexcept, const Executor* executor) noexcept;

}  // namespace touchstone::optimized
