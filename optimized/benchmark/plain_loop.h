// Plain C++ loops, written without vectors in mind, and compiled with -O3 -mavx2 -mfma (and -mf16c for float16).
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
  std::int64_t inner;  ///< 1 with blocks
  std::int64_t block;  ///< divides the axis
};

using PlainLoop = void (*)(const PlainOperands& operands);

/// Null if there is no loop for these types. Packed 4-bit elements are handled in pairs with a common scale, so there
/// is no loop for an axis of them.
PlainLoop find_plain_loop(bool quantizes, spec::ElementType x, spec::ElementType y, bool along_axis);

/// The compiler's name and version.
const char* plain_loop_compiler();

}  // namespace touchstone::optimized::benchmarks
