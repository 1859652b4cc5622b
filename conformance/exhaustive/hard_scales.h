// Scales with which division and multiplication are most likely to fail.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/element_type.h"

namespace touchstone::conformance {

/// Codes of finite, nonzero scales, in a fixed order and without repetition: first the same ones for every seed, then
/// random ones from the seed. `type` is float32, float16, bfloat16 or float8e8m0.
std::vector<std::uint64_t> hard_scales(spec::ElementType type, std::uint64_t seed);

}  // namespace touchstone::conformance
