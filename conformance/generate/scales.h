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
/// same, below zero. Subnormal: subnormal numbers of the scale's type; none for integers. Smallest: only for
/// floating-point types with a sign.
std::vector<ScaleChoice> quantize_scales(const ValueKind& kind);

/// Ordinary: includes a scale that a narrower output type rounds, and scales with subnormal products, with products
/// beyond the largest number, and with products that do not fit float16. The other kinds are as for quantize_scales().
std::vector<ScaleChoice> dequantize_scales(const ValueKind& kind);

/// The same numbers below zero. Only for types with a sign.
std::vector<ScaleChoice> negated(std::vector<ScaleChoice> scales, ElementType type);

/// The smallest number, a few more, and the largest one below the normal numbers. For float8e8m0, the numbers that are
/// not normal in float32.
std::vector<ScaleChoice> subnormal_scales(ElementType type);

/// Whether two numbers of the type may differ by so little that an optimizer takes them for equal.
bool has_neighbours(ElementType type);

/// Two scales that differ by little: 1/2 and the next number, in float32 1/2 + 2^-12.
std::uint64_t similar_scale(ElementType type, bool is_larger);

}  // namespace touchstone::conformance
