// Rounding from float64 to floating-point formats, ties to even.
//
// A quotient or a sum that is computed in float64 and then rounded to a narrower format equals the result of a single
// rounding. S. A. Figueroa ("When is double rounding innocuous?", SIGNUM Newsletter 30 (3), 1995) shows this for +, -,
// * and / of numbers of p bits that are computed in q >= 2p + 2 bits; here p is 11 (float16) or 8 (bfloat16), and q is
// 53. It also holds for subnormal results: if a quotient x / s of numbers of p bits is not a midpoint m of the format,
// its relative distance from m is at least 1 / (m * s) > 2^-(2p + 1), with m and s taken as integers; a subnormal sum
// is exact.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "optimized/small_floats.h"
#include "spec/element_type.h"

namespace touchstone::optimized {

/// Exponent and fraction fields of |value|, rounded to the format as if its exponents had no upper limit. `value` must
/// not be NaN. Codes ascend with numbers, so a number too large for the format gives more than its largest code.
inline std::uint32_t magnitude_code(const spec::FloatFormat& format, double value) {
  constexpr std::uint64_t hidden_bit = std::uint64_t{1} << 52;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value) & ~(std::uint64_t{1} << 63);
  const int exponent = static_cast<int>(bits >> 52) - 1023;  // no operand is small enough to be subnormal in float64
  const int smallest = 1 - format.exponent_bias;
  const int excess = exponent > smallest ? exponent - smallest : 0;
  const int dropped = 52 - format.fraction_bits + (exponent < smallest ? smallest - exponent : 0);
  if (dropped > 53) return 0;  // less than half of the smallest number
  const std::uint64_t significand = (bits & (hidden_bit - 1)) | hidden_bit;
  const std::uint64_t below_half = (std::uint64_t{1} << (dropped - 1)) - 1;
  const std::uint64_t rounded = (significand + below_half + ((significand >> dropped) & 1)) >> dropped;
  // The leading bit of a normal number adds one to the exponent field.
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(excess) << format.fraction_bits) + rounded);
}

/// The code of a value in an IEEE 754 format. A number that is too large becomes an infinity.
inline std::uint32_t ieee_code(const spec::FloatFormat& format, double value) {
  const std::uint32_t infinity = ((1U << format.exponent_bits) - 1) << format.fraction_bits;
  if (std::isnan(value)) return infinity | 1U << (format.fraction_bits - 1);
  const std::uint32_t magnitude = magnitude_code(format, value);
  const std::uint32_t sign = std::signbit(value) ? 1U << (format.exponent_bits + format.fraction_bits) : 0U;
  return sign | (magnitude < infinity ? magnitude : infinity);
}

/// The value rounded to an IEEE 754 type.
template <spec::ElementType type>
double round_to(double value) {
  if constexpr (type == spec::ElementType::float64) return value;
  if constexpr (type == spec::ElementType::float32) return static_cast<double>(static_cast<float>(value));
  constexpr spec::FloatFormat format = spec::format_of(type);
  return decode_float(format, ieee_code(format, value));
}

}  // namespace touchstone::optimized
