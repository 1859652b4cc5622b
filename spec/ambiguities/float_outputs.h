// Ambiguities of QuantizeLinear that concern float8 outputs, or all floating-point outputs.
#pragma once

#include <iterator>

#include "spec/ambiguity.h"

namespace touchstone::spec {

struct FloatOutputRounding {
  enum Reading { only_to_output_type, to_integer_first };
  static constexpr ReadingInfo readings[] = {
      {"only-to-output-type", ReadingStatus::primary, "Rounds the quotient to the output type only."},
      {"to-integer-first", ReadingStatus::rejected, "Rounds the quotient to an integer, and then to the output type."},
  };
  static_assert(std::size(readings) == to_integer_first + 1);
  static constexpr Ambiguity row{
      .id = "amb-float-output-rounding",
      .number = 18,
      .applies = quantize(19),
      .question = "Is the quotient rounded to an integer when the output is a floating-point type?",
      .source =
          "QuantizeLinear 19 and later: \"rounding to the nearest even\" and \"it rounds to the nearest even\" "
          "exempt no outputs; the published examples do",
      .readings = readings,
  };
};

struct InfinityToFnuz {
  enum Reading { by_the_table_of_the_version, always_nan, always_maximum };
  static constexpr ReadingInfo readings[] = {
      {"by-the-table-of-the-version", ReadingStatus::primary,
       "Gives NaN in versions 19 to 23, and the largest value with the sign of the infinity from 24 on."},
      {"always-nan", ReadingStatus::permitted, "Gives NaN in every version."},
      {"always-maximum", ReadingStatus::permitted,
       "Gives the largest value with the sign of the infinity in every version."},
  };
  static_assert(std::size(readings) == always_maximum + 1);
  static constexpr Ambiguity row{
      .id = "amb-infinity-to-fnuz",
      .number = 19,
      .applies = quantize(19),
      .question =
          "With saturate set, what does an infinite quotient become in a float8 type without infinity and negative "
          "zero?",
      .source =
          "Cast 19 to 23: \"| Inf | FLT_MAX | NaN | FLT_MAX | NaN |\"; Cast 24 and later: \"| Inf | FLT_MAX | "
          "FLT_MAX | FLT_MAX | FLT_MAX |\"; QuantizeLinear does not have the \"two tables inserted in the "
          "operator description\"",
      .readings = readings,
  };
};

struct Float8OverflowTest {
  enum Reading { after_rounding, before_rounding };
  static constexpr ReadingInfo readings[] = {
      {"after-rounding", ReadingStatus::primary,
       "Rounds to the precision of the output type and compares the result with the largest value."},
      {"before-rounding", ReadingStatus::rejected,
       "Compares the unrounded value, so everything above the largest value overflows."},
  };
  static_assert(std::size(readings) == before_rounding + 1);
  static constexpr Ambiguity row{
      .id = "amb-float8-overflow-test",
      .number = 20,
      .applies = quantize(19),
      .question = "Is a value tested for overflow of float8 before or after it is rounded?",
      .source =
          "Cast 19 and later, float8 tables: \"[x] means the value rounded to the target mantissa width\"; \"| "
          "[x] > FLT_MAX |\"; QuantizeLinear lacks the tables",
      .readings = readings,
  };
};

struct Float8NanSign {
  enum Reading { any_nan, positive_nan, signed_nan, nan_instead_of_infinity };
  static constexpr ReadingInfo readings[] = {
      {"any-nan", ReadingStatus::primary,
       "Writes any of the NaN codes of the output type; an infinity still has the sign of the value."},
      {"positive-nan", ReadingStatus::permitted,
       "Always writes one and the same NaN code with a clear sign bit, where the type has one."},
      {"signed-nan", ReadingStatus::permitted,
       "Writes a NaN code with the sign of the value that was converted, where the type has one."},
      {"nan-instead-of-infinity", ReadingStatus::rejected,
       "Writes NaN for an unsaturated overflow of float8e5m2, which has infinities."},
  };
  static_assert(std::size(readings) == nan_instead_of_infinity + 1);
  static constexpr Ambiguity row{
      .id = "amb-float8-nan-sign",
      .number = 21,
      .applies = quantize(19),
      .question = "Which NaN is written to a float8 output, and with which sign?",
      .source =
          "Cast 19 and later, float8 tables: \"| NaN | NaN | NaN | NaN | NaN |\", and only with saturate = 0 "
          "\"| -NaN | -NaN | NaN | -NaN | NaN |\", and -NaN for -Inf but NaN for what is below -FLT_MAX; no "
          "codes, of which float8e4m3fn and float8e5m2 have several; QuantizeLinear lacks the tables",
      .readings = readings,
  };
};

struct Float8ZeroPointQuantize {
  enum Reading { added, ignored, invalid };
  static constexpr ReadingInfo readings[] = {
      {"added", ReadingStatus::primary, "Adds the zero point to the quotient before rounding to the output type."},
      {"ignored", ReadingStatus::permitted, "Takes only the output type from the zero point, not its value."},
      {"invalid", ReadingStatus::permitted, "Rejects a zero point that is not zero."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "amb-float8-zero-point-quantize",
      .number = 22,
      .applies = quantize(19),
      .question = "Is a non-zero float8 zero point added to the quotient?",
      .source =
          "QuantizeLinear 19 and later: \"is usually not used for quantization to\", and yet \"formula remains "
          "the same for consistency\"",
      .readings = readings,
  };
};

struct NegativeZeroWithZeroPoint {
  enum Reading { positive_zero, negative_zero };
  static constexpr ReadingInfo readings[] = {
      {"positive-zero", ReadingStatus::primary,
       "Adds the zero point, and so gives positive zero; only without one it gives negative zero, if the type has it."},
      {"negative-zero", ReadingStatus::permitted,
       "Gives negative zero, if the type has it, with and without a zero point of positive zero."},
  };
  static_assert(std::size(readings) == negative_zero + 1);
  static constexpr Ambiguity row{
      .id = "amb-negative-zero-with-zero-point",
      .number = 23,
      .applies = quantize(19),
      .question = "Does a negative zero survive a zero point of positive zero, in float8 and float4 outputs?",
      .source =
          "QuantizeLinear 19 and later: by the formula, \"(x / y_scale) + y_zero_point\", the sum is positive "
          "zero; \"is usually not used for quantization to\"",
      .readings = readings,
  };
};

struct DoubleRoundingToFloat8 {
  enum Reading { through_division_type, through_float32 };
  static constexpr ReadingInfo readings[] = {
      {"through-division-type", ReadingStatus::primary,
       "Rounds the quotient to the type of the division and the result to the output type."},
      {"through-float32", ReadingStatus::permitted,
       "Divides in float32, whatever the types of the operands, or rounds a quotient of int32 numbers to float32, and "
       "rounds the result to the output type."},
  };
  static_assert(std::size(readings) == through_float32 + 1);
  static constexpr Ambiguity row{
      .id = "amb-double-rounding-to-float8",
      .number = 25,
      .applies = quantize(19),
      .question =
          "Is the quotient rounded to the type of the division before it is rounded to a float8 or smaller output "
          "type?",
      .source =
          "QuantizeLinear 19 and 21: silent; 23 and later: \"The type of y_scale determines the precision of "
          "the division operation\", without the consequence; silent on the precision of a division by int32",
      .readings = readings,
  };
};

struct FloatZeroPointSum {
  enum Reading { only_to_output_type, in_division_type, in_wider_type };
  static constexpr ReadingInfo readings[] = {
      {"only-to-output-type", ReadingStatus::primary, "Adds exactly, and rounds the sum once, to the output type."},
      {"in-division-type", ReadingStatus::permitted,
       "Rounds the sum to the type of the division, and the result to the output type."},
      {"in-wider-type", ReadingStatus::permitted,
       "Rounds the sum to float32, which holds the types of quotient and zero point, or to float64 where the division "
       "is "
       "in float64, and the result to the output type."},
  };
  static_assert(std::size(readings) == in_wider_type + 1);
  static constexpr Ambiguity row{
      .id = "amb-float-zero-point-sum",
      .number = 70,
      .applies = quantize(19),
      .question = "With a floating-point output, to which type is the sum of quotient and zero point rounded?",
      .source =
          "QuantizeLinear 19 and later: \"(x / y_scale) + y_zero_point\", where \"formula remains the same for "
          "consistency\". From 23 on a precision is given for \"the division operation between x and y_scale\" "
          "alone. No version gives one for the sum: it requires only the rounding to the type of y, hence "
          "the primary reading. An implementation that adds in a floating-point type rounds before",
      .readings = readings,
  };
};

struct SaturateValues {
  enum Reading { nonzero_saturates, only_one_saturates, other_values_invalid, touches_other_types };
  static constexpr ReadingInfo readings[] = {
      {"nonzero-saturates", ReadingStatus::primary,
       "Saturates for every value but 0, and ignores the attribute for outputs that are not float8."},
      {"only-one-saturates", ReadingStatus::permitted, "Saturates float8 outputs for the value 1 only."},
      {"other-values-invalid", ReadingStatus::permitted, "Rejects values other than 0 and 1."},
      {"touches-other-types", ReadingStatus::rejected, "Lets saturate = 0 disable the saturation of integer outputs."},
  };
  static_assert(std::size(readings) == touches_other_types + 1);
  static constexpr Ambiguity row{
      .id = "amb-saturate-values",
      .number = 27,
      .applies = quantize(19),
      .question =
          "What do values of saturate other than 0 and 1 mean, and does the attribute touch outputs that are not "
          "float8?",
      .source = "QuantizeLinear 19 and later, attribute saturate: \"It is true by default\", and yet an integer",
      .readings = readings,
  };
};

}  // namespace touchstone::spec
