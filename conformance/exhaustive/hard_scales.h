// Scales at which division and multiplication go wrong first.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/element_type.h"

namespace touchstone::conformance {

/// Codes of scales that are finite and not zero, in a fixed order and each once: the same ones for every seed, then
/// random ones from the seed. Of float32, float16, bfloat16 and float8e8m0.
std::vector<std::uint64_t> hard_scales(spec::ElementType type, std::uint64_t seed);

}  // namespace touchstone::conformance
