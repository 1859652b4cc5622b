// Values and special codes of the floating-point types of 8, 6 and 4 bits, derived from their formats.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "spec/element_type.h"

namespace touchstone::optimized {

/// The number that a code of the format denotes.
constexpr double decode_float(const spec::FloatFormat& format, std::uint32_t code) {
  const int m = format.fraction_bits;
  const std::uint32_t fraction = code & ((1U << m) - 1);
  const std::uint32_t largest_field = (1U << format.exponent_bits) - 1;
  const std::uint32_t field = (code >> m) & largest_field;
  const bool negative =
      format.special_codes != spec::SpecialCodes::power_of_two && (code >> (m + format.exponent_bits)) != 0;
  const bool is_largest = field == largest_field;
  bool is_nan = false;
  switch (format.special_codes) {
    case spec::SpecialCodes::ieee: is_nan = is_largest && fraction != 0; break;
    case spec::SpecialCodes::fn: is_nan = is_largest && fraction == (1U << m) - 1; break;
    case spec::SpecialCodes::fnuz: is_nan = negative && field == 0 && fraction == 0; break;
    case spec::SpecialCodes::power_of_two: is_nan = is_largest; break;
    case spec::SpecialCodes::none: break;
  }
  if (is_nan) return std::numeric_limits<double>::quiet_NaN();
  if (format.special_codes == spec::SpecialCodes::ieee && is_largest)
    return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();

  const auto power_of_two = [](int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
  };
  const bool subnormal = field == 0 && format.special_codes != spec::SpecialCodes::power_of_two;
  const int exponent = (subnormal ? 1 : static_cast<int>(field)) - format.exponent_bias;
  const double significand = static_cast<double>(fraction + (subnormal ? 0U : 1U << m));
  return (negative ? -significand : significand) * power_of_two(exponent - m);
}

/// The number that each code of a type of at most 8 bits denotes. Bits above the width of the type are ignored.
template <spec::ElementType type>
inline constexpr std::array<float, 256> float_values = [] {
  std::array<float, 256> values{};
  const std::uint32_t codes = 1U << spec::info(type).bits;
  for (std::uint32_t code = 0; code < values.size(); ++code)
    values[code] = static_cast<float>(decode_float(spec::format_of(type), code % codes));
  return values;
}();

/// Special codes of a type that QuantizeLinear can output.
struct SmallFloatCodes {
  std::uint32_t sign;      ///< the sign bit
  std::uint32_t largest;   ///< the largest finite number; codes ascend from 0 to here
  std::uint32_t nan;       ///< the result of a NaN: the largest number if the type has no NaN
  std::uint32_t infinity;  ///< the result of a positive number that is too large, without saturation
};

constexpr SmallFloatCodes small_float_codes(spec::ElementType type) {
  const spec::FloatFormat& format = spec::format_of(type);
  const std::uint32_t sign = 1U << (format.exponent_bits + format.fraction_bits);
  const std::uint32_t infinity = ((1U << format.exponent_bits) - 1) << format.fraction_bits;
  switch (format.special_codes) {
    case spec::SpecialCodes::ieee: return {sign, infinity - 1, infinity | 1U << (format.fraction_bits - 1), infinity};
    case spec::SpecialCodes::fn: return {sign, sign - 2, sign - 1, sign - 1};
    case spec::SpecialCodes::fnuz: return {sign, sign - 1, sign, sign};
    default: return {sign, sign - 1, sign - 1, sign - 1};
  }
}

}  // namespace touchstone::optimized
