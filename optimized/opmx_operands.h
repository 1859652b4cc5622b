// The operands of DequantizeLinear of opmx as kernels take them: checked, and without spans.
#pragma once

#include <cstdint>

#include "optimized/dequantize_opmx.h"
#include "optimized/operands.h"

namespace touchstone::optimized {

struct OpmxOperands {
  Operands operands;      ///< its geometry is that of the whole tensor, its quantized_type that of the zero point
  OpmxGeometry geometry;  ///< the same geometry, as the caller gave it
  bool adds_zero_point;   ///< otherwise it is subtracted
  /// What an element of x is less than its code: half the range of 4 bits, where no zero point stands for it.
  std::int32_t offset;

  std::int64_t row_length() const { return geometry.columns * geometry.inner; }
};

/// The first parameter of a row. Static, as the functions of packed_codes.h.
static inline std::int64_t parameter_of_row(const OpmxOperands& opmx, std::int64_t row) {
  const std::int64_t block = opmx.operands.geometry.block;
  if (opmx.geometry.granularity == spec::Granularity::per_tensor) return 0;
  if (opmx.geometry.quant_axis == 0) return row / block * opmx.row_length();
  return row * (opmx.geometry.columns / block) * opmx.geometry.inner;
}

/// It says which kernels ran. The floating-point environment is the default one.
using OpmxKernel = Isa (*)(const OpmxOperands&) noexcept;

Isa dequantize_opmx_portable(const OpmxOperands&) noexcept;

/// Only where is_available(Isa::avx2).
Isa dequantize_opmx_avx2(const OpmxOperands&) noexcept;

}  // namespace touchstone::optimized
