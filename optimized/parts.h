// Splits large tensors into parts for several threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "optimized/executor.h"
#include "optimized/float_environment.h"
#include "optimized/operands.h"

namespace touchstone::optimized {

/// Calls kernel(part, options) for parts that together make up the whole tensor, on the executor's threads and in the
/// floating-point environment that kernels require. Without an executor, or if the tensor is too small for splitting to
/// pay, the calling thread runs one part. The result does not depend on the number of parts: each part begins at a byte
/// boundary of x, y and the parameters, and at the first element of a parameter or of a row of parameters.
template <class Options>
Isa run_in_parts(const Operands& operands, const Options& options,
                 Isa (*kernel)(const Operands&, const Options&) noexcept, const Executor* executor) noexcept;

/// The number of parts that pay off for `elements` elements; 1 without an executor.
std::int64_t parts_that_pay(std::int64_t elements, const Executor* executor) noexcept;

/// Work to divide: slabs of equal units. A part consists of consecutive units of one slab.
struct Shares {
  std::int64_t slabs;
  std::int64_t units;  ///< per slab
  std::int64_t step;   ///< each part, except the last of a slab, has a multiple of this number of units
};

/// Runs the part with a given index, on any thread.
template <class Part>
struct PartsInTurn {
  const Part& part;
  std::int64_t units_of_slab;
  std::int64_t units_of_part;
  std::int64_t parts_of_slab;
  Isa ran;

  static void run(void* context, std::int64_t index) {
    auto& parts = *static_cast<PartsInTurn*>(context);
    const std::int64_t first = index % parts.parts_of_slab * parts.units_of_part;
    const std::int64_t units = std::min(parts.units_of_part, parts.units_of_slab - first);
    const FloatEnvironment environment;
    const Isa ran = parts.part(index / parts.parts_of_slab, first, units);
    if (index == 0) parts.ran = ran;  // all parts have the same types, so the same kernels
  }
};

/// Calls part(slab, first unit, units) for about `parts` parts that together are everything. `part` returns the
/// instruction set that ran.
template <class Part>
Isa share_out(const Shares& shares, std::int64_t parts, const Executor& executor, const Part& part) noexcept {
  const auto divided_up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  const std::int64_t least = divided_up(shares.units, divided_up(parts, shares.slabs));
  const std::int64_t units = divided_up(least, shares.step) * shares.step;
  PartsInTurn<Part> all{part, shares.units, units, divided_up(shares.units, units), Isa::portable};
  executor.run(executor.self, shares.slabs * all.parts_of_slab, &PartsInTurn<Part>::run, &all);
  return all.ran;
}

}  // namespace touchstone::optimized
