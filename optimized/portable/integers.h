// The loops for integers of at most 16 bits, in float32, which is many times as fast as float64.
#pragma once

#include "optimized/operands.h"

namespace touchstone::optimized {

/// These write nothing and return false if there is no loop for the combination of types.
bool quantize_integers(const Operands& operands, const QuantizeOptions& options) noexcept;
bool dequantize_integers(const Operands& operands, const DequantizeOptions& options) noexcept;

}  // namespace touchstone::optimized
