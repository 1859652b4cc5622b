// QuantizeLinear of float16 and bfloat16 in 64-bit integers: as exact as the reference, and a hundred times as fast.
// The remainder rounds the quotient of two 11-bit significands; there is no floating-point arithmetic.
#pragma once

#include <cstdint>

#include "conformance/exhaustive/output_steps.h"
#include "conformance/files/names.h"

namespace touchstone::conformance {

/// significand * 2^exponent, infinity or NaN.
struct BinaryNumber {
  enum class Kind { finite, infinity, nan } kind = Kind::finite;
  bool negative = false;
  std::uint64_t significand = 0;
  int exponent = 0;

  bool is_zero() const { return kind == Kind::finite && significand == 0; }
};

struct NarrowQuantization {
  ElementType operands;   ///< of x and scale: float16 or bfloat16
  ElementType quotients;  ///< the type to which x / scale is rounded: the same, or float32
  ElementType y;          ///< an integer type of at most 16 bits
};

/// x / scale + zero point for one scale and one zero point, under the primary readings. Arguments are codes.
class NarrowQuantizer {
 public:
  NarrowQuantizer(const NarrowQuantization& types, std::uint64_t scale, std::uint64_t zero_point);

  ExpectedOutput operator()(std::uint64_t x) const;

 private:
  NarrowQuantization types_;
  BinaryNumber scale_;
  std::int64_t zero_point_;
  std::int64_t low_;
  std::int64_t high_;
  std::uint64_t mask_;  ///< of the bits of y
};

}  // namespace touchstone::conformance
