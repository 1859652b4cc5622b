// Scales with which inputs are revealing.
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/generate/directed_values.h"

namespace touchstone::conformance {

struct ScaleChoice {
  std::uint64_t code;
  bool ordinary;  ///< most inputs give distinct results with it
};

/// Ordinary: scales with room for ties, and scales that some division rounds or brings out of its range. Negative: the
/// same, below zero. Subnormal: subnormal numbers of the scale's type; none for integers.
std::vector<ScaleChoice> quantize_scales(const ValueKind& kind);

/// Ordinary: includes a scale that a narrower output type rounds, and scales with subnormal products, with products
/// beyond the largest number, and with products that do not fit float16. Negative and subnormal as for
/// quantize_scales().
std::vector<ScaleChoice> dequantize_scales(const ValueKind& kind);

/// The same numbers below zero. Only for types with a sign.
std::vector<ScaleChoice> negated(std::vector<ScaleChoice> scales, spec::ElementType type);

/// The smallest number, a few more, and the largest one below the normal numbers. For float8e8m0, the numbers that are
/// not normal in float32.
std::vector<ScaleChoice> subnormal_scales(spec::ElementType type);

}  // namespace touchstone::conformance
