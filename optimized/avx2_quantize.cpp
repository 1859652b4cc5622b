#include "optimized/operands.h"
namespace touchstone::optimized {
Isa quantize_avx2(const Operands& o, const QuantizeOptions& p) noexcept { return quantize_portable(o, p); }
Isa dequantize_avx2(const Operands& o, const DequantizeOptions& p) noexcept { return dequantize_portable(o, p); }
}  // namespace touchstone::optimized
