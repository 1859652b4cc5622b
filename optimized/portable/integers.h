// The loops for integers of at most 16 bits, in float32, which is many times as fast as float64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "optimized/operands.h"

namespace touchstone::optimized {

/// Writes function(i, x[i]) to y[i].
template <class X, class Y, class Function>
void transform_elements(const std::byte* x, std::int64_t count, std::byte* y, const Function& function) {
  // No iteration writes what another one reads, although y may be x. To check that takes GCC's loops as long as a short
  // run.
#ifndef __clang__
#pragma GCC ivdep
#endif
  for (std::int64_t i = 0; i < count; ++i) {
    X in;
    std::memcpy(&in, x + i * std::int64_t{sizeof(X)}, sizeof in);
    const Y out = function(i, in);
    std::memcpy(y + i * std::int64_t{sizeof(Y)}, &out, sizeof out);
  }
}

/// These write nothing and return false if there is no loop for the combination of types.
bool quantize_integers(const Operands& operands, const QuantizeOptions& options) noexcept;
bool dequantize_integers(const Operands& operands, const DequantizeOptions& options) noexcept;

}  // namespace touchstone::optimized
