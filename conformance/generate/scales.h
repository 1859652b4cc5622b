// Scales with which inputs are telling.
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/generate/directed_values.h"

namespace touchstone::conformance {

struct ScaleChoice {
  std::uint64_t code;
  bool ordinary;  ///< with it most inputs give results of their own
};

/// Ordinary and negative ones with room for ties; such as some division rounds, or brings out of its range; subnormal
/// ones.
std::vector<ScaleChoice> quantize_scales(const ValueKind& kind);

/// Ordinary, negative, one that a narrower output type rounds; subnormal products, products beyond the largest number,
/// and what float16 has no room for.
std::vector<ScaleChoice> dequantize_scales(const ValueKind& kind);

}  // namespace touchstone::conformance
