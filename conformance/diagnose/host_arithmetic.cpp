#include "conformance/diagnose/host_arithmetic.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace touchstone::conformance::host {

using spec::FloatFormat;
using spec::SpecialCodes;

namespace {

constexpr std::uint64_t low_bits(int count) {
  return count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// Powers of two for shifts of the exponent, without the cost of std::ldexp.
double power_of_two(int exponent) {
  constexpr int bias = 1023;
  if (exponent < -bias + 1 || exponent > bias) return std::ldexp(1.0, exponent);
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + bias) << 52);
}

int smallest_exponent(const FloatFormat& format) {
  return (format.special_codes == SpecialCodes::power_of_two ? 0 : 1) - format.exponent_bias;
}

double decode_float(ElementType type, std::uint64_t code) {
  const FloatFormat& format = *spec::info(type).format;
  const std::uint64_t all_ones = low_bits(format.exponent_bits);
  if (format.special_codes == SpecialCodes::power_of_two)
    return code == all_ones ? nan : power_of_two(static_cast<int>(code) - format.exponent_bias);
  const std::uint64_t fraction = code & low_bits(format.fraction_bits);
  const std::uint64_t field = (code >> format.fraction_bits) & all_ones;
  const bool negative = ((code >> (format.fraction_bits + format.exponent_bits)) & 1) != 0;
  const double sign = negative ? -1 : 1;
  switch (format.special_codes) {
    case SpecialCodes::ieee:
      if (field == all_ones) return fraction == 0 ? sign * infinity : nan;
      break;
    case SpecialCodes::fn:
      if (field == all_ones && fraction == low_bits(format.fraction_bits)) return nan;
      break;
    case SpecialCodes::fnuz:
      if (negative && field == 0 && fraction == 0) return nan;
      break;
    default: break;
  }
  const std::uint64_t significand = field == 0 ? fraction : fraction | std::uint64_t{1} << format.fraction_bits;
  const int exponent = std::max(static_cast<int>(field), 1) - format.exponent_bias - format.fraction_bits;
  return sign * static_cast<double>(significand) * power_of_two(exponent);
}

std::uint64_t nan_code(const FloatFormat& format) {
  const std::uint64_t exponent = low_bits(format.exponent_bits) << format.fraction_bits;
  switch (format.special_codes) {
    case SpecialCodes::ieee: return exponent | std::uint64_t{1} << (format.fraction_bits - 1);
    case SpecialCodes::fn: return exponent | low_bits(format.fraction_bits);
    case SpecialCodes::fnuz: return std::uint64_t{1} << (format.exponent_bits + format.fraction_bits);
    default: return exponent;
  }
}

std::uint64_t encode_float(ElementType type, double number) {
  const FloatFormat& format = *spec::info(type).format;
  if (std::isnan(number)) return nan_code(format);
  if (format.special_codes == SpecialCodes::power_of_two)
    return static_cast<std::uint64_t>(std::ilogb(number) + format.exponent_bias);
  const std::uint64_t sign =
      std::signbit(number) ? std::uint64_t{1} << (format.exponent_bits + format.fraction_bits) : 0;
  if (std::isinf(number)) return sign | low_bits(format.exponent_bits) << format.fraction_bits;
  if (number == 0) return sign;
  const int exponent = std::max(std::ilogb(number), smallest_exponent(format));
  const auto significand = static_cast<std::uint64_t>(std::ldexp(std::fabs(number), format.fraction_bits - exponent));
  const std::uint64_t hidden = std::uint64_t{1} << format.fraction_bits;
  const bool is_normal = significand >= hidden;
  const std::uint64_t field = is_normal ? static_cast<std::uint64_t>(exponent + format.exponent_bias) : 0;
  return sign | field << format.fraction_bits | (significand & (hidden - 1));
}

}  // namespace

double round_to_integer(double number, Rounding rounding) {
  const double below = std::floor(number);
  const double fraction = number - below;
  if (!std::isfinite(number) || fraction == 0) return number;
  const double above = below + 1;
  const double away = number < 0 ? below : above;
  const double inward = number < 0 ? above : below;
  const bool below_is_even = std::fmod(below, 2) == 0;
  const auto chosen = [&] {
    switch (rounding) {
      case Rounding::toward_zero: return inward;
      case Rounding::away_from_zero: return away;
      case Rounding::floor: return below;
      case Rounding::ceil: return above;
      case Rounding::half_away_after_odd: {
        const bool is_far = (number < 0 ? 1 - fraction : fraction) >= 0.5;
        return is_far && std::fmod(inward, 2) != 0 ? away : inward;
      }
      default: break;
    }
    if (fraction != 0.5) return fraction < 0.5 ? below : above;
    switch (rounding) {
      case Rounding::half_away: return away;
      case Rounding::half_up: return above;
      case Rounding::half_down: return below;
      case Rounding::half_toward_zero: return inward;
      case Rounding::half_to_odd: return below_is_even ? above : below;
      default: return below_is_even ? below : above;
    }
  };
  return std::copysign(chosen(), number);
}

double decode(ElementType type, std::uint64_t code) {
  const ElementTypeInfo& row = spec::info(type);
  if (row.kind == NumberKind::floating_point) return decode_float(type, code);
  const double number = static_cast<double>(code & low_bits(row.bits));
  const bool is_negative = row.kind == NumberKind::signed_integer && ((code >> (row.bits - 1)) & 1) != 0;
  return is_negative ? number - power_of_two(row.bits) : number;
}

std::uint64_t encode(ElementType type, double number) {
  const ElementTypeInfo& row = spec::info(type);
  if (row.kind == NumberKind::floating_point) return encode_float(type, number);
  return static_cast<std::uint64_t>(wrap(number, row.bits, false));
}

double lowest(ElementType type) {
  const ElementTypeInfo& row = spec::info(type);
  return row.kind == NumberKind::signed_integer ? -power_of_two(row.bits - 1) : 0;
}

double highest(ElementType type) { return lowest(type) + power_of_two(spec::info(type).bits) - 1; }

double largest(ElementType type) {
  const FloatFormat& format = *spec::info(type).format;
  const int all_ones = (1 << format.exponent_bits) - 1;
  const double unit = power_of_two(-format.fraction_bits);
  switch (format.special_codes) {
    case SpecialCodes::ieee: return (2 - unit) * power_of_two(all_ones - 1 - format.exponent_bias);
    case SpecialCodes::fn: return (2 - 2 * unit) * power_of_two(all_ones - format.exponent_bias);
    case SpecialCodes::power_of_two: return power_of_two(all_ones - 1 - format.exponent_bias);
    default: return (2 - unit) * power_of_two(all_ones - format.exponent_bias);
  }
}

bool is_subnormal(double number, ElementType type) {
  if (number == 0 || !std::isfinite(number) || spec::is_integer(type)) return false;
  const ElementType decisive = type == ElementType::float8e8m0 ? ElementType::float32 : type;
  return std::fabs(number) < power_of_two(smallest_exponent(*spec::info(decisive).format));
}

double round_to_fraction_bits(double number, ElementType type, Rounding rounding) {
  if (number == 0 || !std::isfinite(number) || type == ElementType::float64) return number;
  const FloatFormat& format = *spec::info(type).format;
  const int unit = std::max(std::ilogb(number), smallest_exponent(format)) - format.fraction_bits;
  return round_to_integer(number * power_of_two(-unit), rounding) * power_of_two(unit);
}

double round_to_type(double number, ElementType type, Rounding rounding) {
  const bool is_power_of_two = spec::info(type).format->special_codes == SpecialCodes::power_of_two;
  if (is_power_of_two && !(number > 0 && number < infinity)) return nan;
  const double rounded = round_to_fraction_bits(number, type, rounding);
  if (is_power_of_two) return rounded == 0 || rounded > largest(type) ? nan : rounded;
  return std::fabs(rounded) > largest(type) ? std::copysign(infinity, number) : rounded;
}

double to_float32(double number) { return round_to_type(number, ElementType::float32); }

double to_bfloat16_after_odd(double number) {
  return round_to_type(to_float32(number), ElementType::bfloat16, Rounding::half_away_after_odd);
}

double zero_of(double subnormal, ElementType type) {
  return special_codes(type) == spec::SpecialCodes::fnuz ? 0 : std::copysign(0.0, subnormal);
}

double round_to_float16_doubling_carries(double number) {
  const FloatFormat& format = *spec::info(ElementType::float16).format;
  const double rounded = round_to_type(number, ElementType::float16);
  // The next larger exponent is that of the normal numbers, which are right.
  if (number == 0 || !std::isfinite(number) || std::ilogb(number) >= smallest_exponent(format) - 1) return rounded;
  const int exponent = std::ilogb(number);
  const double significand = round_to_integer(std::ldexp(std::fabs(number), format.fraction_bits - exponent));
  const bool carries = significand == power_of_two(format.fraction_bits + 1);
  return carries ? std::copysign(power_of_two(exponent + 2), number) : rounded;
}

double product(double left, double right) {
  const double rounded = left * right;
  if (!std::isfinite(rounded) || rounded == 0) return rounded;
  const double rest = std::fma(left, right, -rounded);
  const bool is_odd = (std::bit_cast<std::uint64_t>(rounded) & 1) != 0;
  if (rest == 0 || is_odd) return rounded;
  return std::nextafter(rounded, rest > 0 ? infinity : -infinity);
}

double wrap(double integer, int bits, bool is_signed) {
  if (!std::isfinite(integer)) return 0;
  const double modulus = power_of_two(bits);
  double wrapped = std::fmod(integer, modulus);
  if (wrapped < 0) wrapped += modulus;
  return is_signed && wrapped >= modulus / 2 ? wrapped - modulus : wrapped;
}

}  // namespace touchstone::conformance::host
