// Ambiguities of the zero points of opmx DequantizeLinear ("torch" and "CUDA": opmx.h).
#pragma once

#include "spec/ambiguity.h"

namespace touchstone::spec {

// clang-format off
struct Int4IntegerZeroPoint : AmbiguityBase {
  enum Reading { masked, twos_complement, unmasked };
  static constexpr ReadingInfo readings[unmasked + 1]{
      {"masked", primary, "Subtracts the low four bits of the zero point, 0 to 15, from the code, 0 to 15."},
      {"twos-complement", permitted, "Takes the code for two's complement, and subtracts the zero point as it is."},
      {"unmasked", rejected, "Subtracts the zero point as it is from the code, 0 to 15."}};
  static constexpr Ambiguity row{"pmx-int4-integer-zero-point", "PMX", 2, opmx_dequantize(),
      "How do a code of int4 data and an int8 zero point meet?",
      "opmx, T3, for both widths of data: \"int8, float16, float32\"; torch and CUDA keep a zero point's low four bits", readings};
};

struct Int4FloatZeroPoint : AmbiguityBase {
  enum Reading { offset_8, twos_complement, no_offset, truncated_zero_point };
  static constexpr ReadingInfo readings[truncated_zero_point + 1]{
      {"offset-8", primary, "Takes the code, 0 to 15, less 8."},
      {"twos-complement", permitted, "Takes the code for two's complement: 8 to 15 are -8 to -1."},
      {"no-offset", rejected, "Takes the code as it is."},
      {"truncated-zero-point", rejected,
       "Truncates the zero point to an integer, and subtracts its low four bits from the code, 0 to 15."}};
  static constexpr Ambiguity row{"pmx-int4-float-zero-point", "PMX", 3, opmx_dequantize(),
      "Which number is a code of int4 data if the zero point is a floating-point number?",
      "opmx, float_zeropoint: \"zeropoint = (max(X) + min(X)) / 2\", so what it is added to lies on both sides of 0; silent on codes",
      readings};
};

struct UnannouncedZeroPoint : AmbiguityBase {
  enum Reading { undefined, ignored, used };
  static constexpr ReadingInfo readings[used + 1]{
      {"undefined", primary, "Accepts the node and gives any numbers."},
      {"ignored", permitted, "Computes as if there were no zero point."},
      {"used", permitted, "Computes as if has_zeropoint were true."}};
  static constexpr Ambiguity row{"pmx-unannounced-zero-point", "PMX", 5, opmx_dequantize(),
      "What does a zero point mean that is given although has_zeropoint is false?",
      "opmx, has_zeropoint: \"Provide convenience for graph optimization.\"; torch looks at the input only", readings};
};

struct MissingZeroPoint : AmbiguityBase {
  enum Reading { invalid, no_zero_point };
  static constexpr ReadingInfo readings[no_zero_point + 1]{
      {"invalid", primary, "Rejects the node."},
      {"no-zero-point", rejected, "Computes as if has_zeropoint were false."}};
  static constexpr Ambiguity row{"pmx-missing-zero-point", "PMX", 5, opmx_dequantize(),
      "What if has_zeropoint is true, and the zero point absent or empty?",
      "opmx, ZeroPoint: \"must appear and not be empty when has_zeropoint == True\"; torch looks at the input only", readings};
};

struct LoneFloatFlag : AmbiguityBase {
  enum Reading { undefined, ignored, implies_zero_point, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"undefined", primary, "Accepts the node and gives any numbers."},
      {"ignored", permitted, "Computes as if there were no zero point."},
      {"implies-zero-point", permitted, "Computes as if has_zeropoint were true too."},
      {"invalid", permitted, "Rejects the node."}};
  static constexpr Ambiguity row{"pmx-lone-float-flag", "PMX", 6, opmx_dequantize(),
      "What does float_zeropoint mean without has_zeropoint?",
      "opmx, float_zeropoint: \"Use floating point zeropoint for untraditional asymmetry quantization.\", which does not mention "
      "has_zeropoint", readings};
};

struct BiasPrecision : AmbiguityBase {
  enum Reading { in_float32, in_scale_type, fused, promoted };
  static constexpr ReadingInfo readings[promoted + 1]{
      {"in-float32", primary, "Computes in float32, and rounds the result to the output type."},
      {"in-scale-type", permitted, "Computes in the type of Scale, with a rounding at every step."},
      {"fused", permitted, "Rounds once, to the output type."},
      {"promoted", permitted,
       "Computes the product in the type of Scale, and with the zero point in the wider of its type and that of Scale."}};
  static constexpr Ambiguity row{"pmx-bias-precision", "PMX", 7, opmx_dequantize(),
      "In which precision is computed with a floating-point zero point?",
      "opmx: silent; with an integer zero point, or none, all precisions give the same", readings};
};

struct FloatTypedZeroPoint : AmbiguityBase {
  enum Reading { subtracted, invalid, added };
  static constexpr ReadingInfo readings[added + 1]{
      {"subtracted", primary, "Subtracts its number, as the formula without float_zeropoint says."},
      {"invalid", permitted, "Rejects the node."},
      {"added", rejected, "Takes the type for the attribute, and adds it to the product."}};
  static constexpr Ambiguity row{"pmx-float-typed-zero-point", "PMX", 18, opmx_dequantize(),
      "May the zero point have a floating-point type when float_zeropoint is false?",
      "opmx, ZeroPoint: \"Data type MUST be floating point when float_zeropoint == True\"; of the other case nothing is said", readings};
};

struct MixedFloatZeroPoint : AmbiguityBase {
  enum Reading { as_given, rounded_to_scale_type };
  static constexpr ReadingInfo readings[rounded_to_scale_type + 1]{
      {"as-given", primary, "Computes with the number that it is."},
      {"rounded-to-scale-type", permitted, "Rounds it to float16 first."}};
  static constexpr Ambiguity row{"pmx-mixed-float-zero-point", "PMX", 19, opmx_dequantize(),
      "Is a float32 zero point rounded before it is used if Scale is float16?",
      "opmx, T3: independent of T2; silent on the conversion", readings};
};

struct BooleanValues : AmbiguityBase {
  enum Reading { nonzero_is_true, only_one_is_true, other_values_invalid };
  static constexpr ReadingInfo readings[other_values_invalid + 1]{
      {"nonzero-is-true", primary, "Takes every value but 0 for true."},
      {"only-one-is-true", permitted, "Takes every value but 1 for false."},
      {"other-values-invalid", permitted, "Rejects values other than 0 and 1."}};
  static constexpr Ambiguity row{"pmx-boolean-values", "PMX", 20, opmx_dequantize(),
      "What do values of has_zeropoint and float_zeropoint other than 0 and 1 mean?",
      "opmx: \"has_zeropoint: bool(default: False)\", which ONNX's attributes are not; exporters write the integers 0 and 1", readings};
};
// clang-format on

}  // namespace touchstone::spec
