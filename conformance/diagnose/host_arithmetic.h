// Arithmetic of the host for the formulas of wrong models. A double represents every element of the operators' types,
// and the quotients and products that are rounded to them.
#pragma once

#include <cstdint>
#include <limits>

#include "conformance/files/names.h"

namespace touchstone::conformance::host {

/// How numbers between two neighbours are rounded. All except the first are defects.
enum class Rounding : std::uint8_t {
  half_to_even,
  half_away,
  half_up,
  half_down,
  half_toward_zero,
  half_to_odd,
  toward_zero,
  away_from_zero,
  floor,
  ceil,
  /// After odd numbers half away from zero, and after even ones toward zero: the result of adding half a
  /// unit of the last kept bit without regard to the discarded bits.
  half_away_after_odd,
};

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

inline spec::SpecialCodes special_codes(ElementType type) { return spec::info(type).format->special_codes; }

/// Rounds to an integer. Infinities and NaN do not change, and a zero keeps the sign.
double round_to_integer(double number, Rounding rounding = Rounding::half_to_even);

double decode(ElementType type, std::uint64_t code);

/// The code of a number that the type can represent; of NaN only if the type has one. Integers wrap.
std::uint64_t encode(ElementType type, double number);

double lowest(ElementType type);   ///< of an integer type
double highest(ElementType type);  ///< of an integer type
/// The largest finite number of a floating-point type.
double largest(ElementType type);
/// Whether the number is subnormal in the type. A float8e8m0 number has no subnormal form, but may have one in float32.
bool is_subnormal(double number, ElementType type);

/// Rounds to the type's fraction bits with gradual underflow, and without an upper limit of the exponent.
double round_to_fraction_bits(double number, ElementType type, Rounding rounding = Rounding::half_to_even);
/// The same for types that have infinities, which larger numbers become, and for float8e8m0, in which numbers that are
/// too large, too small or negative become NaN.
double round_to_type(double number, ElementType type, Rounding rounding = Rounding::half_to_even);

double to_float32(double number);
/// Through float32, half away from zero after odd numbers, and toward zero after even ones.
double to_bfloat16_after_odd(double number);
/// The zero that replaces a subnormal number of the type.
double zero_of(double subnormal, ElementType type);

/// As float16, except that a subnormal number becomes twice as large where rounding carries its significand to 2.
double round_to_float16_doubling_carries(double number);

/// The product, such that rounding it to any type of at most 32 bits gives the rounded exact product.
double product(double left, double right);

/// In two's complement, or modulo 2^bits.
double wrap(double integer, int bits, bool is_signed);

}  // namespace touchstone::conformance::host
