// Ambiguities of the zero points of opmx DequantizeLinear ("torch" and "CUDA": opmx.h).
#pragma once

#include <iterator>

#include "spec/ambiguity.h"

namespace touchstone::spec {

struct Int4IntegerZeroPoint {
  enum Reading { masked, twos_complement, unmasked };
  static constexpr ReadingInfo readings[] = {
      {"masked", ReadingStatus::primary,
       "Subtracts the low four bits of the zero point, 0 to 15, from the code, 0 to 15."},
      {"twos-complement", ReadingStatus::permitted,
       "Takes the code for two's complement, and subtracts the zero point as it is."},
      {"unmasked", ReadingStatus::rejected, "Subtracts the zero point as it is from the code, 0 to 15."},
  };
  static_assert(std::size(readings) == unmasked + 1);
  static constexpr Ambiguity row{
      .id = "pmx-int4-integer-zero-point",
      .series = "PMX",
      .number = 2,
      .applies = opmx_dequantize(),
      .question = "How do a code of int4 data and an int8 zero point meet?",
      .source =
          "opmx, T3, for both widths of data: \"int8, float16, float32\"; torch and CUDA keep a zero point's "
          "low four bits",
      .readings = readings,
  };
};

struct Int4FloatZeroPoint {
  enum Reading { offset_8, twos_complement, no_offset, truncated_zero_point };
  static constexpr ReadingInfo readings[] = {
      {"offset-8", ReadingStatus::primary, "Takes the code, 0 to 15, less 8."},
      {"twos-complement", ReadingStatus::permitted, "Takes the code for two's complement: 8 to 15 are -8 to -1."},
      {"no-offset", ReadingStatus::rejected, "Takes the code as it is."},
      {"truncated-zero-point", ReadingStatus::rejected,
       "Truncates the zero point to an integer, and subtracts its low four bits from the code, 0 to 15."},
  };
  static_assert(std::size(readings) == truncated_zero_point + 1);
  static constexpr Ambiguity row{
      .id = "pmx-int4-float-zero-point",
      .series = "PMX",
      .number = 3,
      .applies = opmx_dequantize(),
      .question = "Which number is a code of int4 data if the zero point is a floating-point number?",
      .source =
          "opmx, float_zeropoint: \"zeropoint = (max(X) + min(X)) / 2\", so what it is added to lies on both "
          "sides of 0; silent on codes",
      .readings = readings,
  };
};

struct UnannouncedZeroPoint {
  enum Reading { undefined, ignored, used };
  static constexpr ReadingInfo readings[] = {
      {"undefined", ReadingStatus::primary, "Accepts the node and gives any numbers."},
      {"ignored", ReadingStatus::permitted, "Computes as if there were no zero point."},
      {"used", ReadingStatus::permitted, "Computes as if has_zeropoint were true."},
  };
  static_assert(std::size(readings) == used + 1);
  static constexpr Ambiguity row{
      .id = "pmx-unannounced-zero-point",
      .series = "PMX",
      .number = 5,
      .applies = opmx_dequantize(),
      .question = "What does a zero point mean that is given although has_zeropoint is false?",
      .source = "opmx, has_zeropoint: \"Provide convenience for graph optimization.\"; torch looks at the input only",
      .readings = readings,
  };
};

struct MissingZeroPoint {
  enum Reading { invalid, no_zero_point };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the node."},
      {"no-zero-point", ReadingStatus::rejected, "Computes as if has_zeropoint were false."},
  };
  static_assert(std::size(readings) == no_zero_point + 1);
  static constexpr Ambiguity row{
      .id = "pmx-missing-zero-point",
      .series = "PMX",
      .number = 5,
      .applies = opmx_dequantize(),
      .question = "What if has_zeropoint is true, and the zero point absent or empty?",
      .source =
          "opmx, ZeroPoint: \"must appear and not be empty when has_zeropoint == True\"; torch looks at the "
          "input only",
      .readings = readings,
  };
};

struct LoneFloatFlag {
  enum Reading { undefined, ignored, implies_zero_point, invalid };
  static constexpr ReadingInfo readings[] = {
      {"undefined", ReadingStatus::primary, "Accepts the node and gives any numbers."},
      {"ignored", ReadingStatus::permitted, "Computes as if there were no zero point."},
      {"implies-zero-point", ReadingStatus::permitted, "Computes as if has_zeropoint were true too."},
      {"invalid", ReadingStatus::permitted, "Rejects the node."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "pmx-lone-float-flag",
      .series = "PMX",
      .number = 6,
      .applies = opmx_dequantize(),
      .question = "What does float_zeropoint mean without has_zeropoint?",
      .source =
          "opmx, float_zeropoint: \"Use floating point zeropoint for untraditional asymmetry quantization.\", "
          "which does not mention has_zeropoint",
      .readings = readings,
  };
};

struct BiasPrecision {
  enum Reading { in_float32, in_scale_type, fused, promoted };
  static constexpr ReadingInfo readings[] = {
      {"in-float32", ReadingStatus::primary, "Computes in float32, and rounds the result to the output type."},
      {"in-scale-type", ReadingStatus::permitted, "Computes in the type of Scale, with a rounding at every step."},
      {"fused", ReadingStatus::permitted, "Rounds once, to the output type."},
      {"promoted", ReadingStatus::permitted,
       "Computes the product in the type of Scale, and with the zero point in the wider of its type and that of "
       "Scale."},
  };
  static_assert(std::size(readings) == promoted + 1);
  static constexpr Ambiguity row{
      .id = "pmx-bias-precision",
      .series = "PMX",
      .number = 7,
      .applies = opmx_dequantize(),
      .question = "In which precision is computed with a floating-point zero point?",
      .source = "opmx: silent; with an integer zero point, or none, all precisions give the same",
      .readings = readings,
  };
};

struct FloatTypedZeroPoint {
  enum Reading { subtracted, invalid, added };
  static constexpr ReadingInfo readings[] = {
      {"subtracted", ReadingStatus::primary, "Subtracts its number, as the formula without float_zeropoint says."},
      {"invalid", ReadingStatus::permitted, "Rejects the node."},
      {"added", ReadingStatus::rejected, "Takes the type for the attribute, and adds it to the product."},
  };
  static_assert(std::size(readings) == added + 1);
  static constexpr Ambiguity row{
      .id = "pmx-float-typed-zero-point",
      .series = "PMX",
      .number = 18,
      .applies = opmx_dequantize(),
      .question = "May the zero point have a floating-point type when float_zeropoint is false?",
      .source =
          "opmx, ZeroPoint: \"Data type MUST be floating point when float_zeropoint == True\"; of the other "
          "case nothing is said",
      .readings = readings,
  };
};

struct MixedFloatZeroPoint {
  enum Reading { as_given, rounded_to_scale_type };
  static constexpr ReadingInfo readings[] = {
      {"as-given", ReadingStatus::primary, "Computes with the number that it is."},
      {"rounded-to-scale-type", ReadingStatus::permitted, "Rounds it to float16 first."},
  };
  static_assert(std::size(readings) == rounded_to_scale_type + 1);
  static constexpr Ambiguity row{
      .id = "pmx-mixed-float-zero-point",
      .series = "PMX",
      .number = 19,
      .applies = opmx_dequantize(),
      .question = "Is a float32 zero point rounded before it is used if Scale is float16?",
      .source = "opmx, T3: independent of T2; silent on the conversion",
      .readings = readings,
  };
};

struct BooleanValues {
  enum Reading { nonzero_is_true, only_one_is_true, other_values_invalid };
  static constexpr ReadingInfo readings[] = {
      {"nonzero-is-true", ReadingStatus::primary, "Takes every value but 0 for true."},
      {"only-one-is-true", ReadingStatus::permitted, "Takes every value but 1 for false."},
      {"other-values-invalid", ReadingStatus::permitted, "Rejects values other than 0 and 1."},
  };
  static_assert(std::size(readings) == other_values_invalid + 1);
  static constexpr Ambiguity row{
      .id = "pmx-boolean-values",
      .series = "PMX",
      .number = 20,
      .applies = opmx_dequantize(),
      .question = "What do values of has_zeropoint and float_zeropoint other than 0 and 1 mean?",
      .source =
          "opmx: \"has_zeropoint: bool(default: False)\", which ONNX's attributes are not; exporters write the "
          "integers 0 and 1",
      .readings = readings,
  };
};

}  // namespace touchstone::spec
