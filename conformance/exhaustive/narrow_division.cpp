#include "conformance/exhaustive/narrow_division.h"

#include <algorithm>
#include <bit>

#include "conformance/generate/ordered_codes.h"

namespace touchstone::conformance {

namespace {

using Number = BinaryNumber;

Number unpack(ElementType type, std::uint64_t code) {
  const spec::FloatFormat& format = spec::format_of(type);
  const int bits = spec::info(type).bits;
  const std::uint64_t hidden = std::uint64_t{1} << format.fraction_bits;
  const std::uint64_t fields = (std::uint64_t{1} << (bits - 1 - format.fraction_bits)) - 1;  // of the exponent
  const std::uint64_t field = (code >> format.fraction_bits) & fields;
  const std::uint64_t fraction = code & (hidden - 1);
  Number number{.negative = (code >> (bits - 1)) != 0};
  if (field == fields) {
    number.kind = fraction == 0 ? Number::Kind::infinity : Number::Kind::nan;
    return number;
  }
  number.significand = field == 0 ? fraction : fraction + hidden;
  number.exponent = static_cast<int>(std::max<std::uint64_t>(field, 1)) - format.exponent_bias - format.fraction_bits;
  return number;
}

int bit_width(std::uint64_t number) { return 64 - std::countl_zero(number); }

/// The quotient, rounded up if the remainder is more than half, or half and the quotient is odd.
std::uint64_t divide_half_even(std::uint64_t dividend, std::uint64_t divisor) {
  const std::uint64_t quotient = dividend / divisor;
  const std::uint64_t twice = 2 * (dividend % divisor);
  return quotient + (twice > divisor || (twice == divisor && quotient % 2 == 1) ? 1 : 0);
}

/// x / scale of finite nonzero numbers, rounded to the type.
Number divide_finite(const Number& x, const Number& scale, ElementType type) {
  const spec::FloatFormat& format = spec::format_of(type);
  Number quotient{.negative = x.negative != scale.negative};
  // 2^binade <= x / scale < 2^(binade + 1)
  const int width = bit_width(x.significand) - bit_width(scale.significand);
  const bool below =
      width >= 0 ? x.significand < scale.significand << width : x.significand << -width < scale.significand;
  const int binade = x.exponent - scale.exponent + width - (below ? 1 : 0);
  quotient.exponent = std::max(binade, 1 - format.exponent_bias) - format.fraction_bits;
  const int shift = x.exponent - scale.exponent - quotient.exponent;
  // Significands are below 2^11, so a left shift is at most 24 + 11. A right shift by more than 32 leaves less than a
  // half.
  if (shift < -32) return quotient;
  quotient.significand = shift >= 0 ? divide_half_even(x.significand << shift, scale.significand)
                                    : divide_half_even(x.significand, scale.significand << -shift);
  if (quotient.exponent + bit_width(quotient.significand) - 1 > format.exponent_bias)
    quotient.kind = Number::Kind::infinity;
  return quotient;
}

Number divide(const Number& x, const Number& scale, ElementType type) {
  using enum Number::Kind;
  Number quotient{.negative = x.negative != scale.negative};
  const bool is_nan = x.kind == nan || scale.kind == nan || (x.kind == infinity && scale.kind == infinity) ||
                      (x.is_zero() && scale.is_zero());
  if (is_nan) quotient.kind = nan;
  if (is_nan || x.is_zero() || scale.kind == infinity) return quotient;
  if (x.kind == infinity || scale.is_zero()) {
    quotient.kind = infinity;
    return quotient;
  }
  return divide_finite(x, scale, type);
}

/// Saturates every 16-bit type, whatever is added to it.
constexpr std::int64_t huge = std::int64_t{1} << 40;

std::int64_t round_to_integer(const Number& number) {
  const auto magnitude = [&]() -> std::int64_t {
    if (number.kind == Number::Kind::infinity) return huge;
    if (number.exponent < -60) return 0;  // the significand has fewer than 25 bits
    if (number.exponent < 0)
      return static_cast<std::int64_t>(divide_half_even(number.significand, std::uint64_t{1} << -number.exponent));
    if (number.significand == 0) return 0;
    return number.exponent > 16 ? huge : static_cast<std::int64_t>(number.significand << number.exponent);
  }();
  return number.negative ? -magnitude : magnitude;
}

std::int64_t integer_of(ElementType type, std::uint64_t code) {
  const auto number = static_cast<std::int64_t>(code);
  return number > highest_place(type) ? number - (std::int64_t{1} << spec::info(type).bits) : number;
}

}  // namespace

NarrowQuantizer::NarrowQuantizer(const NarrowQuantization& types, std::uint64_t scale, std::uint64_t zero_point)
    : types_(types),
      scale_(unpack(types.operands, scale)),
      zero_point_(integer_of(types.y, zero_point)),
      low_(lowest_place(types.y)),
      high_(highest_place(types.y)),
      mask_((std::uint64_t{1} << spec::info(types.y).bits) - 1) {}

ExpectedOutput NarrowQuantizer::operator()(std::uint64_t x) const {
  const Number quotient = divide(unpack(types_.operands, x), scale_, types_.quotients);
  if (quotient.kind == Number::Kind::nan) return {.code = 0, .open = true};
  const std::int64_t sum = round_to_integer(quotient) + zero_point_;
  return {.code = static_cast<std::uint64_t>(std::clamp(sum, low_, high_)) & mask_};
}

}  // namespace touchstone::conformance
