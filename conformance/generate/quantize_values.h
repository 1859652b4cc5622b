// Revealing inputs of QuantizeLinear.
#pragma once

#include <vector>

#include "conformance/generate/directed_values.h"

namespace touchstone::conformance {

std::vector<DirectedValues> quantize_values(const ValueKind& kind);

}  // namespace touchstone::conformance
