// Revealing inputs of DequantizeLinear.
#pragma once

#include <vector>

#include "conformance/generate/directed_values.h"

namespace touchstone::conformance {

std::vector<DirectedValues> dequantize_values(const ValueKind& kind);

}  // namespace touchstone::conformance
