// Plain C++ loops, written without vectors in mind, and compiled twice: for AVX2, FMA and F16C like the kernels in
// avx2/, and for the oldest CPU like those in portable/. Both with -O3.
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

/// These are null if there is no loop for these types. Packed 4-bit elements are handled in pairs with a common scale,
/// so there is no loop for an axis of them.
namespace for_avx2 {
PlainLoop find_plain_loop(bool quantizes, spec::ElementType x, spec::ElementType y, bool along_axis);
}
namespace for_any_cpu {
PlainLoop find_plain_loop(bool quantizes, spec::ElementType x, spec::ElementType y, bool along_axis);
}

}  // namespace touchstone::optimized::benchmarks
