// For builds without AVX2 kernels: is_available(Isa::avx2) is false.
#include "optimized/operands.h"
#include "optimized/opmx_operands.h"

namespace touchstone::optimized {

Isa quantize_avx2(const Operands& operands, const QuantizeOptions& options) noexcept {
  return quantize_portable(operands, options);
}

Isa dequantize_avx2(const Operands& operands, const DequantizeOptions& options) noexcept {
  return dequantize_portable(operands, options);
}

Isa dequantize_opmx_avx2(const OpmxOperands& operands) noexcept { return dequantize_opmx_portable(operands); }

}  // namespace touchstone::optimized
