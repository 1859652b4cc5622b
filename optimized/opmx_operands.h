// The operands of opmx.DequantizeLinear in the form in which kernels read them: checked, and without spans.
#pragma once

#include <cstdint>

#include "optimized/dequantize_opmx.h"
#include "optimized/operands.h"

namespace touchstone::optimized {

struct OpmxOperands {
  Operands operands;      ///< has the geometry of the whole tensor; its quantized_type is the type of the zero point
  OpmxGeometry geometry;  ///< the same geometry, as the caller passed it
  bool adds_zero_point;   ///< otherwise subtracts it
  /// Subtracted from each code: half the range of 4 bits if no zero point replaces it, else 0.
  std::int32_t offset;

  std::int64_t row_length() const { return geometry.columns * geometry.inner; }
};

/// The first parameter of a row. Static for the reason given in packed_codes.h.
static inline std::int64_t parameter_of_row(const OpmxOperands& opmx, std::int64_t row) {
  const std::int64_t block = opmx.operands.geometry.block;
  if (opmx.geometry.granularity == spec::Granularity::per_tensor) return 0;
  if (opmx.geometry.quant_axis == 0) return row / block * opmx.row_length();
  return row * (opmx.geometry.columns / block) * opmx.geometry.inner;
}

/// Kernels return the instruction set that ran. They require the default floating-point environment.
using OpmxKernel = Isa (*)(const OpmxOperands&) noexcept;

Isa dequantize_opmx_portable(const OpmxOperands&) noexcept;

/// Call this only if is_available(Isa::avx2).
Isa dequantize_opmx_avx2(const OpmxOperands&) noexcept;

}  // namespace touchstone::optimized
