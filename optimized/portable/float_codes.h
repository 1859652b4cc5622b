// float32 numbers from and to codes of float32, float16 and bfloat16. There are no branches and no calls, so that
// compilers vectorize loops over these functions. Conversions round to nearest, ties to even.
#pragma once

#include <bit>
#include <cfloat>
#include <cstdint>

#include "spec/element_type.h"

namespace touchstone::optimized {

#ifdef __FAST_MATH__
#error "Compile without -ffast-math: the kernels rely on IEEE 754."
#endif
static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16, "float32 operations must round to float32");

/// condition ? first : second, without a branch: GCC does not move an operation that could trap out of a branch.
inline std::uint32_t select(bool condition, std::uint32_t first, std::uint32_t second) {
  const std::uint32_t mask = 0U - static_cast<std::uint32_t>(condition);
  return (first & mask) | (second & ~mask);
}

template <spec::ElementType type>
struct FloatCodes;

template <>
struct FloatCodes<spec::ElementType::float32> {
  using Code = std::uint32_t;
  static float number(Code code) { return std::bit_cast<float>(code); }
  static Code code(float number) { return std::bit_cast<Code>(number); }
};

template <>
struct FloatCodes<spec::ElementType::float16> {
  using Code = std::uint16_t;

  static float number(Code code) {
    const std::uint32_t fields = std::uint32_t{code & 0x7FFFU} << 13;
    // The difference of the exponents' biases is 112. Infinity and NaN need it twice, to reach the largest exponent.
    const std::uint32_t normal = fields + (fields >= 0x0F800000U ? 224U << 23 : 112U << 23);
    // 2^-14 * 1.f - 2^-14 is 2^-14 * 0.f, exactly.
    const float subnormal = std::bit_cast<float>(fields + (113U << 23)) - 0x1p-14F;
    const std::uint32_t magnitude = select(fields < 0x00800000U, std::bit_cast<std::uint32_t>(subnormal), normal);
    return std::bit_cast<float>(magnitude | std::uint32_t{code & 0x8000U} << 16);
  }

  static Code code(float number) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    // A carry out of the fraction increments the exponent.
    const std::uint32_t normal = (magnitude + 0xFFFU + (magnitude >> 13 & 1U) - (112U << 23)) >> 13;
    // The spacing of float32 numbers from 1/2 on is that of subnormal float16 numbers.
    const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3F000000U;
    const std::uint32_t rounded = select(magnitude < 0x38800000U, subnormal, normal);
    const std::uint32_t limited = select(magnitude < 0x477FF000U, rounded, 0x7C00U);  // from 65520 on: infinity
    const std::uint32_t result = select(magnitude > 0x7F800000U, 0x7E00U, limited);
    return static_cast<Code>(result | (bits >> 16 & 0x8000U));
  }
};

template <>
struct FloatCodes<spec::ElementType::bfloat16> {
  using Code = std::uint16_t;
  static float number(Code code) { return std::bit_cast<float>(std::uint32_t{code} << 16); }
  static Code code(float number) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    const std::uint32_t rounded = (bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16;
    return static_cast<Code>((bits & 0x7FFFFFFFU) > 0x7F800000U ? 0x7FC0U : rounded);
  }
};

/// A number with the precision of a type, but with the exponents of float32: only as much of a rounding as matters to
/// an integer. NaN stays NaN.
template <spec::ElementType type>
float with_precision_of(float number) {
  if constexpr (type == spec::ElementType::float32) {
    return number;
  } else {
    constexpr int dropped = 23 - spec::format_of(type).fraction_bits;
    constexpr std::uint32_t below_half = (1U << (dropped - 1)) - 1;
    const auto bits = std::bit_cast<std::uint32_t>(number);
    const std::uint32_t rounded = (bits + below_half + (bits >> dropped & 1U)) >> dropped << dropped;
    return number == number ? std::bit_cast<float>(rounded) : number;
  }
}

}  // namespace touchstone::optimized
