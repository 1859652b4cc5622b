// The operands of a node in the form in which kernels read them: checked, and without spans.
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
  spec::ElementType quantized_type;  ///< the type of the zero point: that of y (QuantizeLinear) or x (DequantizeLinear)
  spec::ElementType y_type;
  const std::byte* x;
  const std::byte* scale;
  const std::byte* zero_point;  ///< null if absent
  std::byte* y;
  Geometry geometry;
  std::int64_t count;  ///< the number of elements of x
};

// The functions are static for the reason given in packed_codes.h.

static inline const std::byte* moved(const std::byte* bytes, spec::ElementType type, std::int64_t elements) {
  return bytes + elements * spec::info(type).bits / 8;
}

/// The operands from an element and a parameter on, each of which must begin at a whole byte. The caller sets geometry
/// and count.
static inline Operands moved(const Operands& whole, std::int64_t element, std::int64_t parameter) {
  Operands rest = whole;
  rest.x = moved(whole.x, whole.x_type, element);
  rest.y = whole.y + (moved(whole.y, whole.y_type, element) - whole.y);
  rest.scale = moved(whole.scale, whole.scale_type, parameter);
  if (whole.zero_point != nullptr) rest.zero_point = moved(whole.zero_point, whole.quantized_type, parameter);
  return rest;
}

/// Kernels return the instruction set that ran. They require the default floating-point environment.
using QuantizeKernel = Isa (*)(const Operands&, const QuantizeOptions&) noexcept;
using DequantizeKernel = Isa (*)(const Operands&, const DequantizeOptions&) noexcept;

Isa quantize_portable(const Operands&, const QuantizeOptions&) noexcept;
Isa dequantize_portable(const Operands&, const DequantizeOptions&) noexcept;

/// These call the portable kernels for combinations that have no AVX2 kernel. Call them only if
/// is_available(Isa::avx2).
Isa quantize_avx2(const Operands&, const QuantizeOptions&) noexcept;
Isa dequantize_avx2(const Operands&, const DequantizeOptions&) noexcept;

}  // namespace touchstone::optimized
