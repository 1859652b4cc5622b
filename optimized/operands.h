// The operands of a node as kernels take them: checked, and without spans.
#pragma once

#include <cstddef>
#include <cstdint>

#include "optimized/dequantize_linear.h"
#include "optimized/quantize_linear.h"
#include "optimized/tensor_view.h"

namespace touchstone::optimized {

struct Operands {
  spec::ElementType x_type;
  spec::ElementType scale_type;
  spec::ElementType quantized_type;  ///< that of the zero point: of y (QuantizeLinear) or x (DequantizeLinear)
  spec::ElementType y_type;
  const std::byte* x;
  const std::byte* scale;
  const std::byte* zero_point;  ///< null where it is absent
  std::byte* y;
  Geometry geometry;
  std::int64_t count;  ///< of the elements of x
};

/// Both say which kernels ran. The floating-point environment is the default one.
using QuantizeKernel = Isa (*)(const Operands&, const QuantizeOptions&) noexcept;
using DequantizeKernel = Isa (*)(const Operands&, const DequantizeOptions&) noexcept;

Isa quantize_portable(const Operands&, const QuantizeOptions&) noexcept;
Isa dequantize_portable(const Operands&, const DequantizeOptions&) noexcept;

/// What they have no kernels for goes to the portable ones. Only where is_available(Isa::avx2).
Isa quantize_avx2(const Operands&, const QuantizeOptions&) noexcept;
Isa dequantize_avx2(const Operands&, const DequantizeOptions&) noexcept;

}  // namespace touchstone::optimized
