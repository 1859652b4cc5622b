// The steps of the formula that a wrong model changes. The default of every field is the right step.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "conformance/diagnose/host_arithmetic.h"
#include "conformance/files/names.h"

namespace touchstone::conformance {

/// Which element of the scale or of the zero point applies to an element of x.
enum class Lookup : std::uint8_t {
  by_granularity,
  first,
  last,
  next,               ///< the one after the right one
  in_turn,            ///< element i of x uses parameter i modulo their number
  in_sequence,        ///< equal parts of x, in its order in memory, use one parameter after the other
  blocks_in_turn,     ///< elements are assigned to blocks in turn: index modulo, not divided
  neighbour_of_tail,  ///< an incomplete last block uses the parameter of the block before it
  by_last_axis,       ///< the index along the last axis, if x has several parameters per axis; nothing past their end
};

enum class ZeroPointStep : std::uint8_t { as_given, ignored, negated, with_other_sign, as_8_bits };
enum class ScaleStep : std::uint8_t { as_given, absolute, inverted, power_of_two, ignored };
enum class RangeStep : std::uint8_t {
  of_type,
  symmetric,      ///< without the lowest number of a signed type
  one_less,       ///< without the highest number
  other_sign,     ///< of the type with the same bits and the other signedness
  of_8_bits,      ///< of int8 or uint8
  positive_only,  ///< without negative numbers
};
enum class SaturateStep : std::uint8_t { as_given, always, never, inverted };
/// Truncates the sum of quotient, 0.4999999 and zero point, and converts it to int32. Where 0.4999999 is added:
enum class AlmostHalfStep : std::uint8_t { not_added, to_quotient, to_sum, to_zero_point };
/// The output for a NaN or an infinity.
enum class SpecialStep : std::uint8_t { as_given, zero, lowest, highest, swapped, infinity, nan, clamped };

/// What a step makes of a special number; the ends are those of the output type.
inline double special(double number, SpecialStep step, double low, double high) {
  switch (step) {
    case SpecialStep::as_given: break;
    case SpecialStep::zero: return 0;
    case SpecialStep::lowest: return low;
    case SpecialStep::highest: return high;
    case SpecialStep::swapped: return -number;
    case SpecialStep::infinity: return host::infinity;
    case SpecialStep::nan: return host::nan;
    case SpecialStep::clamped: return std::copysign(high, number);
  }
  return number;
}

struct Steps {
  bool unwritten = false;  ///< y is 0, or what the buffer contained

  // ---- operands
  Lookup scale_of = Lookup::by_granularity;
  Lookup zero_point_of = Lookup::by_granularity;
  ScaleStep scale = ScaleStep::as_given;
  ZeroPointStep zero_point = ZeroPointStep::as_given;
  bool x_has_other_sign = false;          ///< integer codes are decoded with the other signedness
  int x_exponent_error = 0;               ///< small floating-point inputs are decoded times 2^this
  bool x_negative_nan_is_zero = false;    ///< the NaN code of FNUZ types is decoded as -0
  bool x_nan_is_number = false;           ///< the NaN codes of other small types are decoded as numbers
  bool x_negative_nan_is_number = false;  ///< the same, only with the sign bit set
  bool x_flushes_subnormals = false;      ///< of small floating-point inputs
  int e8m0_exponent_error = 0;            ///< float8e8m0 scales are decoded times 2^this
  bool e8m0_code_0_is_zero = false;
  bool e8m0_nan_is_number = false;     ///< code 255 is decoded as 2^128
  bool scale_bits_are_number = false;  ///< the code of a 16-bit floating-point scale is taken for an integer
  /// The codes of constant bfloat16 inputs and scales are taken for integers, and rounded half_away_after_odd.
  bool constant_bfloat16_bits_are_numbers = false;
  std::optional<ElementType> x_type = std::nullopt;      ///< x is first rounded to this type
  std::optional<ElementType> scale_type = std::nullopt;  ///< the scale is first rounded to this type

  // ---- division or product
  std::optional<ElementType> arithmetic = std::nullopt;  ///< the type of the operation
  bool reciprocal = false;                               ///< multiplies by the rounded reciprocal, or divides by it
  bool fused = false;          ///< does not round the quotient or product before the zero point is added
  bool distributed = false;    ///< DequantizeLinear: x * scale - zero point * scale
  bool fake_quantize = false;  ///< QuantizeLinear to integers: maps the range of y to levels, and back, in float32
  bool scales_levels = false;  ///< the same without the way back: multiplies by a rounded factor, and adds an offset
  /// DequantizeLinear to float16 and bfloat16: converts operands to the type of y, and multiplies in float32.
  bool converts_operands_to_output_type = false;
  bool folds_zero_point = false;      ///< the same, but subtracts the product of zero point and scale in the type of y
  bool saturates_difference = false;  ///< DequantizeLinear: clamps x - zero point to the range of x

  // ---- rounding and zero point
  host::Rounding rounding = host::Rounding::half_to_even;
  bool adds_half = false;  ///< rounds by floor(quotient + 0.5), computed in float32
  AlmostHalfStep almost_half = AlmostHalfStep::not_added;
  std::optional<int> fraction_bits_first = std::nullopt;  ///< rounds to a fixed-point number first
  bool adds_before_rounding = false;
  bool saturates_before_adding = false;
  std::optional<int> wraps_at = std::nullopt;  ///< converts the rounded quotient to an integer of so many bits
  bool saturates_sum_in_16_bits = false;
  bool sum_wraps_in_32_bits = false;  ///< of the quotient, saturated to int32, and the zero point

  // ---- range
  RangeStep range = RangeStep::of_type;
  bool wraps = false;                   ///< instead of saturating
  bool huge_becomes_lowest = false;     ///< what does not fit int32 becomes its lowest number
  bool saturates_by_sign_of_x = false;  ///< to the end of the range on the side of x, even if the scale is negative
  SpecialStep infinity = SpecialStep::as_given;
  SpecialStep nan = SpecialStep::as_given;  ///< for floating-point outputs

  // ---- floating-point outputs
  host::Rounding output_rounding = host::Rounding::half_to_even;
  bool flushes_subnormals = false;
  bool tests_before_rounding = false;
  bool nan_of_e4m3fn_is_largest = false;     ///< float8e4m3fn: 480, whose code is NaN, to 496 becomes 448
  bool overflow_by_rounding_is_nan = false;  ///< of types with infinity, where only rounding overflows
  bool loses_subnormal_carry = false;        ///< what rounds up to the smallest normal number becomes 0
  std::optional<ElementType> output_through = std::nullopt;  ///< rounds to this type before the type of y
  SaturateStep saturate = SaturateStep::as_given;
  bool clamps_before_float8 = false;        ///< clamps with comparisons, and converts through float16
  bool emulates_float8_in_float16 = false;  ///< the same with the bits of float16 numbers
  int exponent_error = 0;                   ///< y is encoded times 2^this
  bool keeps_negative_zero = false;         ///< of FNUZ types, in which its code is NaN

  bool operator==(const Steps&) const = default;
};

}  // namespace touchstone::conformance
