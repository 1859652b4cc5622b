// Scales with which inputs are revealing.
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/generate/directed_values.h"

namespace touchstone::conformance {

struct ScaleChoice {
  std::uint64_t code;
  bool ordinary;  ///< with it most inputs give results of their own
};

/// Ordinary: with room for ties; such as some division rounds, or brings out of its range. Negative: the same, below
/// zero. Subnormal: of the type of the scale; none of integers.
std::vector<ScaleChoice> quantize_scales(const ValueKind& kind);

/// Ordinary: also one that a narrower output type rounds; with subnormal products, products beyond the largest number,
/// and what float16 has no room for. Negative and subnormal as above.
std::vector<ScaleChoice> dequantize_scales(const ValueKind& kind);

/// The same numbers below zero. Only of types that have a sign.
std::vector<ScaleChoice> negated(std::vector<ScaleChoice> scales, spec::ElementType type);

/// The smallest number, a few more, and the largest below the normal ones; of float8e8m0 what float32 has no normal
/// number for.
std::vector<ScaleChoice> subnormal_scales(spec::ElementType type);

}  // namespace touchstone::conformance
