// Ambiguities of QuantizeLinear that concern float8 outputs, or all floating-point outputs.
#pragma once

#include "spec/ambiguity.h"

namespace touchstone::spec {

// clang-format off
struct FloatOutputRounding : AmbiguityBase {
  enum Reading { only_to_output_type, to_integer_first };
  static constexpr ReadingInfo readings[to_integer_first + 1]{
      {"only-to-output-type", primary, "Rounds the quotient to the output type only."},
      {"to-integer-first", rejected, "Rounds the quotient to an integer, and then to the output type."}};
  static constexpr Ambiguity row{"amb-float-output-rounding", "AMB", 18, quantize(19),
      "Is the quotient rounded to an integer when the output is a floating-point type?",
      "QuantizeLinear 19 and later: \"rounding to the nearest even\" and \"it rounds to the nearest even\" exempt no outputs; the "
      "published examples do", readings};
};

struct InfinityToFnuz : AmbiguityBase {
  enum Reading { by_the_table_of_the_version, always_nan, always_maximum };
  static constexpr ReadingInfo readings[always_maximum + 1]{
      {"by-the-table-of-the-version", primary,
       "Gives NaN in versions 19 to 23, and the largest value with the sign of the infinity from 24 on."},
      {"always-nan", permitted, "Gives NaN in every version."},
      {"always-maximum", permitted, "Gives the largest value with the sign of the infinity in every version."}};
  static constexpr Ambiguity row{"amb-infinity-to-fnuz", "AMB", 19, quantize(19),
      "With saturate set, what does an infinite quotient become in a float8 type without infinity and negative zero?",
      "Cast 19 to 23: \"| Inf | FLT_MAX | NaN | FLT_MAX | NaN |\"; Cast 24 and later: \"| Inf | FLT_MAX | FLT_MAX | FLT_MAX | FLT_MAX |\"; "
      "QuantizeLinear does not have the \"two tables inserted in the operator description\"", readings};
};

struct Float8OverflowTest : AmbiguityBase {
  enum Reading { after_rounding, before_rounding };
  static constexpr ReadingInfo readings[before_rounding + 1]{
      {"after-rounding", primary, "Rounds to the precision of the output type and compares the result with the largest value."},
      {"before-rounding", rejected, "Compares the unrounded value, so everything above the largest value overflows."}};
  static constexpr Ambiguity row{"amb-float8-overflow-test", "AMB", 20, quantize(19),
      "Is a value tested for overflow of float8 before or after it is rounded?",
      "Cast 19 and later, float8 tables: \"[x] means the value rounded to the target mantissa width\"; \"| [x] > FLT_MAX |\"; "
      "QuantizeLinear lacks the tables", readings};
};

struct Float8NanSign : AmbiguityBase {
  enum Reading { any_nan, positive_nan, signed_nan, nan_instead_of_infinity };
  static constexpr ReadingInfo readings[nan_instead_of_infinity + 1]{
      {"any-nan", primary, "Writes any of the NaN codes of the output type; an infinity still has the sign of the value."},
      {"positive-nan", permitted, "Always writes one and the same NaN code with a clear sign bit, where the type has one."},
      {"signed-nan", permitted, "Writes a NaN code with the sign of the value that was converted, where the type has one."},
      {"nan-instead-of-infinity", rejected, "Writes NaN for an unsaturated overflow of float8e5m2, which has infinities."}};
  static constexpr Ambiguity row{"amb-float8-nan-sign", "AMB", 21, quantize(19),
      "Which NaN is written to a float8 output, and with which sign?",
      "Cast 19 and later, float8 tables: \"| NaN | NaN | NaN | NaN | NaN |\", and only with saturate = 0 \"| -NaN | -NaN | NaN | -NaN | "
      "NaN |\", and -NaN for -Inf but NaN for what is below -FLT_MAX; no codes, of which float8e4m3fn and float8e5m2 have several; "
      "QuantizeLinear lacks the tables", readings};
};

struct Float8ZeroPointQuantize : AmbiguityBase {
  enum Reading { added, ignored, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"added", primary, "Adds the zero point to the quotient before rounding to the output type."},
      {"ignored", permitted, "Takes only the output type from the zero point, not its value."},
      {"invalid", permitted, "Rejects a zero point that is not zero."}};
  static constexpr Ambiguity row{"amb-float8-zero-point-quantize", "AMB", 22, quantize(19),
      "Is a non-zero float8 zero point added to the quotient?",
      "QuantizeLinear 19 and later: \"is usually not used for quantization to\", and yet \"formula remains the same for consistency\"",
      readings};
};

struct NegativeZeroWithZeroPoint : AmbiguityBase {
  enum Reading { positive_zero, negative_zero };
  static constexpr ReadingInfo readings[negative_zero + 1]{
      {"positive-zero", primary,
       "Adds the zero point, and so gives positive zero; only without one it gives negative zero, if the type has it."},
      {"negative-zero", permitted, "Gives negative zero, if the type has it, with and without a zero point of positive zero."}};
  static constexpr Ambiguity row{"amb-negative-zero-with-zero-point", "AMB", 23, quantize(19),
      "Does a negative zero survive a zero point of positive zero, in float8 and float4 outputs?",
      "QuantizeLinear 19 and later: by the formula, \"(x / y_scale) + y_zero_point\", the sum is positive zero; \"is usually not used for "
      "quantization to\"", readings};
};

struct DoubleRoundingToFloat8 : AmbiguityBase {
  enum Reading { through_division_type, through_float32 };
  static constexpr ReadingInfo readings[through_float32 + 1]{
      {"through-division-type", primary, "Rounds the quotient to the type of the division and the result to the output type."},
      {"through-float32", permitted, "Divides in float32, whatever the types of the operands, or rounds a quotient of int32 numbers to "
       "float32, and rounds the result to the output type."}};
  static constexpr Ambiguity row{"amb-double-rounding-to-float8", "AMB", 25, quantize(19),
      "Is the quotient rounded to the type of the division before it is rounded to a float8 or smaller output type?",
      "QuantizeLinear 19 and 21: silent; 23 and later: \"The type of y_scale determines the precision of the division operation\", without "
      "the consequence; silent on the precision of a division by int32", readings};
};

struct FloatZeroPointSum : AmbiguityBase {
  enum Reading { only_to_output_type, in_division_type, in_wider_type };
  static constexpr ReadingInfo readings[in_wider_type + 1]{
      {"only-to-output-type", primary, "Adds exactly, and rounds the sum once, to the output type."},
      {"in-division-type", permitted, "Rounds the sum to the type of the division, and the result to the output type."},
      {"in-wider-type", permitted, "Rounds the sum to float32, which holds the types of quotient and zero point, or to float64 where the "
       "division is in float64, and the result to the output type."}};
  static constexpr Ambiguity row{"amb-float-zero-point-sum", "AMB", 70, quantize(19),
      "With a floating-point output, to which type is the sum of quotient and zero point rounded?",
      "QuantizeLinear 19 and later: \"(x / y_scale) + y_zero_point\", where \"formula remains the same for consistency\". From 23 on a "
      "precision is given for \"the division operation between x and y_scale\" alone. No version gives one for the sum: it requires only "
      "the rounding to the type of y, hence the primary reading. An implementation that adds in a floating-point type rounds before",
      readings};
};

struct SaturateValues : AmbiguityBase {
  enum Reading { nonzero_saturates, only_one_saturates, other_values_invalid, touches_other_types };
  static constexpr ReadingInfo readings[touches_other_types + 1]{
      {"nonzero-saturates", primary, "Saturates for every value but 0, and ignores the attribute for outputs that are not float8."},
      {"only-one-saturates", permitted, "Saturates float8 outputs for the value 1 only."},
      {"other-values-invalid", permitted, "Rejects values other than 0 and 1."},
      {"touches-other-types", rejected, "Lets saturate = 0 disable the saturation of integer outputs."}};
  static constexpr Ambiguity row{"amb-saturate-values", "AMB", 27, quantize(19),
      "What do values of saturate other than 0 and 1 mean, and does the attribute touch outputs that are not float8?",
      "QuantizeLinear 19 and later, attribute saturate: \"It is true by default\", and yet an integer", readings};
};
// clang-format on

}  // namespace touchstone::spec
