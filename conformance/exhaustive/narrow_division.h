// QuantizeLinear of float16 and bfloat16 in integers of 64 bits: exact as the reference, and a hundred times as fast. A
// quotient of two significands of 11 bits is rounded by its remainder; no floating point takes part.
#pragma once

#include <cstdint>

#include "conformance/exhaustive/output_steps.h"
#include "spec/element_type.h"

namespace touchstone::conformance {

struct NarrowQuantization {
  spec::ElementType operands;   ///< of x and scale: float16 or bfloat16
  spec::ElementType quotients;  ///< what x / scale is rounded to: that type, or float32
  spec::ElementType y;          ///< an integer type of at most 16 bits
};

/// By the primary readings. The arguments are codes.
ExpectedOutput quantize(const NarrowQuantization& types, std::uint64_t x, std::uint64_t scale,
                        std::uint64_t zero_point);

}  // namespace touchstone::conformance
