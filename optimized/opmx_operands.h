// The operands of opmx.DequantizeLinear in the form in which kernels read them: checked, and without spans.
#pragma once

#include <cstdint>

#include "optimized/dequantize_opmx.h"
#include "optimized/operands.h"

namespace touchstone::optimized {

struct OpmxOperands {
  Operands operands;        ///< its quantized_type is the type of the zero point
  std::int64_t row_length;  ///< the number of elements of a row
  bool adds_zero_point;     ///< otherwise subtracts it
  /// Subtracted from each code: half the range of 4 bits if no zero point replaces it, else 0.
  std::int32_t offset;
};

/// Kernels return the instruction set that ran. They require the default floating-point environment.
using OpmxKernel = Isa (*)(const OpmxOperands&) noexcept;

Isa dequantize_opmx_portable(const OpmxOperands&) noexcept;

/// Call this only if is_available(Isa::avx2).
Isa dequantize_opmx_avx2(const OpmxOperands&) noexcept;

}  // namespace touchstone::optimized
