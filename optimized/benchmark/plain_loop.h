// The loops that one writes in C++ without thinking of vectors, compiled with -O3 -mavx2 -mfma (and -mf16c, for
// float16).
#pragma once

#include <cstddef>
#include <cstdint>

#include "spec/element_type.h"

namespace touchstone::optimized::benchmarks {

struct PlainOperands {
  const std::byte* x;
  const std::byte* scale;
  const std::byte* zero_point;
  std::byte* y;
  std::int64_t outer;
  std::int64_t axis;
  std::int64_t inner;  ///< 1 where there are blocks
  std::int64_t block;  ///< divides the axis
};

using PlainLoop = void (*)(const PlainOperands& operands);

/// Null where there is none for the types. Packed 4-bit elements are taken in pairs that share their scale, so there is
/// none for an axis of them.
PlainLoop find_plain_loop(bool quantizes, spec::ElementType x, spec::ElementType y, bool along_axis);

/// Its name and version.
const char* plain_loop_compiler();

}  // namespace touchstone::optimized::benchmarks
