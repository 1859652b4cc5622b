// Large tensors in parts, for several threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "optimized/executor.h"
#include "optimized/float_environment.h"
#include "optimized/operands.h"

namespace touchstone::optimized {

/// Calls kernel(part, options) for parts that together are the whole: on the executor's threads, in the floating-point
/// environment that kernels rely on. Without an executor, or if the tensor is too small for it to pay, there is one
/// part and the calling thread. What is written does not depend on the number of parts: each begins at a byte of x, y
/// and the parameters, and at an element with which a parameter, or a row of them, begins.
template <class Options>
Isa run_in_parts(const Operands& operands, const Options& options,
                 Isa (*kernel)(const Operands&, const Options&) noexcept, const Executor* executor) noexcept;

/// How many parts pay for so many elements; 1 without an executor.
std::int64_t parts_that_pay(std::int64_t elements, const Executor* executor) noexcept;

/// What can be shared out: slabs of equal units. A part has consecutive units of one slab.
struct Shares {
  std::int64_t slabs;
  std::int64_t units;  ///< in a slab
  std::int64_t step;   ///< each part, except the last of a slab, has a multiple of this number of units
};

/// The part of that index, on any thread.
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
    if (index == 0) parts.ran = ran;  // as in all parts, whose types are the same
  }
};

/// Calls part(slab, first unit, units), which says what ran, for about so many parts that are everything.
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
