// Ambiguities of QuantizeLinear that concern integer outputs, unusual values, and the output type.
#pragma once

#include "spec/ambiguity.h"

namespace touchstone::spec {

// clang-format off
struct NanToInteger : AmbiguityBase {
  enum Reading { undefined, minimum, zero_point, maximum, zero };
  static constexpr ReadingInfo readings[zero + 1]{
      {"undefined", primary, "Gives any integer; only the other elements are certain."},
      {"minimum", permitted, "Gives the smallest value of the output type."},
      {"zero-point", permitted, "Takes the quotient for zero, and so gives the zero point."},
      {"maximum", permitted, "Gives the largest value of the output type."},
      {"zero", permitted, "Gives zero, whatever the zero point."}};
  static constexpr Ambiguity row{"amb-nan-to-integer", "AMB", 1, quantize(10) | microsoft_quantize(),
      "Which integer does a quotient become that is not a number?",
      "QuantizeLinear, all versions: silent; Cast leaves it open: \"fixed point: undefined if OOR\"", readings};
};

struct HugeQuotient : AmbiguityBase {
  enum Reading { saturates, infinities_undefined, int32_minimum };
  static constexpr ReadingInfo readings[int32_minimum + 1]{
      {"saturates", primary, "Gives the end of the range of the output type on the side of the sign, also for infinities."},
      {"infinities-undefined", permitted,
       "Saturates every quotient of finite operands, and gives any integer where an operand is infinite or the scale zero."},
      {"int32-minimum", rejected, "Converts the quotient to int32 with an instruction that answers the smallest int32 for all of them."}};
  static constexpr Ambiguity row{"amb-huge-quotient", "AMB", 2, quantize(10) | microsoft_quantize(),
      "What is the result for an infinite operand or a scale of zero, and for finite quotients beyond the range of int32?",
      "QuantizeLinear, all versions: \"it saturates to [0, 255] if it's uint8\", \"Saturation is done according to\"; infinite operands "
      "and a scale of 0 are not mentioned; a quotient of finite operands is a number, and saturates", readings};
};

struct ScaleDomain : AmbiguityBase {
  enum Reading { ieee_division, zero_or_non_finite_invalid, non_positive_invalid };
  static constexpr ReadingInfo readings[non_positive_invalid + 1]{
      {"ieee-division", primary, "Accepts every scale and computes as IEEE 754 says."},
      {"zero-or-non-finite-invalid", permitted, "Rejects a scale that is zero, infinite or not a number, and takes any other."},
      {"non-positive-invalid", permitted, "Rejects negative or subnormal scales also."}};
  static constexpr Ambiguity row{"amb-scale-domain", "AMB", 3, both(10) | microsoft() | opmx_dequantize(),
      "Which scales are legal: may a scale be negative, subnormal, zero, infinite or not a number?",
      "Both operators, all versions: silent about the values of the scale", readings};
};

struct RoundingOrder : AmbiguityBase {
  enum Reading { round_add_saturate, add_round_saturate, round_saturate_add };
  static constexpr ReadingInfo readings[round_saturate_add + 1]{
      {"round-add-saturate", primary, "Rounds the quotient, adds the zero point and saturates the sum."},
      {"add-round-saturate", rejected, "Adds the zero point to the quotient, rounds the sum and saturates it."},
      {"round-saturate-add", rejected, "Rounds the quotient, saturates it and adds the zero point without saturating again."}};
  static constexpr Ambiguity row{"amb-rounding-order", "AMB", 4, quantize(10) | microsoft_quantize(),
      "In which order are rounding, adding the zero point and saturation done?",
      "QuantizeLinear, all versions: the formula shows no rounding; \"For (x / y_scale), it's rounding to the nearest even\", \"For (x / "
      "y_scale), it rounds to the nearest even\"", readings};
};

struct ZeroPointAddition : AmbiguityBase {
  enum Reading { exact, in_division_type, wrapping_int32 };
  static constexpr ReadingInfo readings[wrapping_int32 + 1]{
      {"exact", primary, "Adds integers that cannot overflow."},
      {"in-division-type", permitted,
       "Converts the zero point to the floating-point type of the division and adds in this type, so both may be rounded."},
      {"wrapping-int32", rejected, "Adds in int32 and wraps around on overflow."}};
  static constexpr Ambiguity row{"amb-zero-point-addition", "AMB", 14, quantize(10) | microsoft_quantize(),
      "In which arithmetic is the zero point added to the rounded quotient?",
      "QuantizeLinear, all versions: silent about the precision of the sum, as in amb-float-zero-point-sum; the formula \"(x / y_scale) + "
      "y_zero_point\" is saturated, which excludes wrapping around", readings};
};

struct Float16QuotientOverflow : AmbiguityBase {
  enum Reading { saturates, not_saturated };
  static constexpr ReadingInfo readings[not_saturated + 1]{
      {"saturates", primary, "Treats the infinity as a huge quotient: the end of the range on the side of its sign."},
      {"not-saturated", rejected, "Converts the infinity to the smallest int32, and that to the output type by its low bits."}};
  static constexpr Ambiguity row{"amb-float16-quotient-overflow", "AMB", 15, quantize(19) | microsoft_quantize(),
      "What does a quotient give that overflows the type of the division, such as float16?",
      "QuantizeLinear 19 and later: \"saturates to [0, 255]\", \"Saturation is done according to\"; overflow of the division itself is not "
      "mentioned", readings};
};

struct Subnormals : AmbiguityBase {
  enum Reading { gradual_underflow, flushes_wide_types, flushes_float32_and_bfloat16, flushes_wide_results, flushes_wide_operands,
                 flushes_float16_too, flushes_results, flushes_float16_only, flushes_all_types };
  static constexpr ReadingInfo readings[flushes_all_types + 1]{
      {"gradual-underflow", primary, "Keeps subnormal operands and results of every type."},
      {"flushes-wide-types", permitted, "Takes subnormal float32 and bfloat16 operands and results for zero, also the number that a "
       "float8e8m0 scale of 2^-127 is in these types, and keeps those of all other types."},
      {"flushes-float32-and-bfloat16", permitted, "The same, but keeps a float8e8m0 scale, whose type has no subnormal numbers."},
      {"flushes-wide-results", permitted, "Takes subnormal float32 and bfloat16 results for zero, and keeps all operands."},
      {"flushes-wide-operands", permitted, "Takes subnormal float32 and bfloat16 operands for zero as flushes-wide-types does, and keeps all "
       "results."},
      {"flushes-float16-too", permitted, "Takes what flushes-wide-types does for zero, and subnormal float16 operands and results, and "
       "keeps those of float8 and smaller types."},
      {"flushes-results", permitted, "Takes subnormal float32, bfloat16 and float16 results for zero, and keeps all operands."},
      {"flushes-float16-only", permitted, "Takes subnormal float16 operands and results for zero, and keeps those of all other types."},
      {"flushes-all-types", rejected, "Takes subnormal float16, float8 or smaller values for zero too."}};
  static constexpr Ambiguity row{"amb-subnormals", "AMB", 16, both(10) | microsoft() | opmx_dequantize(),
      "May subnormal numbers be taken for zero?",
      "Both operators, all versions: silent; the types include subnormal numbers, and float8e8m0 none. The tables of small types leave no "
      "room: Cast 19 and later, float8: \"| else | RNE | RNE | RNE | RNE |\"; technical page on float4: \"E2M1 converted value of x. Round "
      "to nearest even.\"", readings};
};

struct OutputTypeSelection : AmbiguityBase {
  enum Reading { zero_point_then_attribute, attribute_overrides, uint8_without_zero_point };
  static constexpr ReadingInfo readings[uint8_without_zero_point + 1]{
      {"zero-point-then-attribute", primary,
       "Takes the type of the zero point, else output_dtype unless it is 0, else uint8, and rejects a contradiction."},
      {"attribute-overrides", rejected, "Takes output_dtype although the zero point has another type."},
      {"uint8-without-zero-point", rejected, "Gives uint8 whenever the zero point is absent, even if output_dtype is set."}};
  static constexpr Ambiguity row{"amb-output-type-selection", "AMB", 17, quantize(10),
      "What decides the output type when zero point and output_dtype are present, absent or contradictory?",
      "QuantizeLinear, y_zero_point: \"Default value is uint8 typed 0\", \"Default is uint8 with zero point of 0\"; from 21 on: \"If "
      "neither output_dtype nor y_zero_point are supplied, output data type is uint8\"; 0 and contradictions are left out", readings};
};
// clang-format on

}  // namespace touchstone::spec
