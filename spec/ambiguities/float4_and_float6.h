// Ambiguities that concern the types float4 and float6, which have neither infinity nor NaN, for both operators.
#pragma once

#include "spec/ambiguity.h"

namespace touchstone::spec {

// clang-format off
struct NanToFloat4 : AmbiguityBase {
  enum Reading { maximum, negative_zero, undefined };
  static constexpr ReadingInfo readings[undefined + 1]{
      {"maximum", primary, "Gives the largest value, 6."},
      {"negative-zero", permitted, "Gives negative zero."},
      {"undefined", permitted, "Gives any value."}};
  static constexpr Ambiguity row{"amb-nan-to-float4", "AMB", 24, quantize(23),
      "What does a quotient that is not a number become in float4e2m1, which has no NaN?",
      "QuantizeLinear 23 and later: silent; technical page on float4, conversions: \"| NaN | 6 |\"", readings};
};

struct Float4ZeroPointQuantize : AmbiguityBase {
  enum Reading { added, ignored, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"added", primary, "Adds the zero point to the quotient before rounding to the output type."},
      {"ignored", permitted, "Takes only the output type from the zero point, not its value."},
      {"invalid", permitted, "Rejects a zero point that is not zero."}};
  static constexpr Ambiguity row{"amb-float4-zero-point-quantize", "AMB", 26, quantize(23),
      "Is a non-zero float4 zero point added to the quotient?",
      "QuantizeLinear 23 and later: \"is usually not used for quantization to float8 and 4bit types\", and yet \"formula remains the same "
      "for consistency\"", readings};
};

struct Float4ZeroPointDequantize : AmbiguityBase {
  enum Reading { subtracted, ignored, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"subtracted", primary, "Subtracts the zero point from the input."},
      {"ignored", permitted, "Computes as if there were no zero point."},
      {"invalid", permitted, "Rejects a zero point that is not zero."}};
  static constexpr Ambiguity row{"amb-float4-zero-point-dequantize", "AMB", 26, dequantize(23),
      "Is a non-zero float4 zero point subtracted from the input?",
      "DequantizeLinear 23 and later: \"is usually not used in the case of float8 and 4-bit types\", and yet \"the dequantization formula "
      "remains the same for consistency\"", readings};
};

struct NanToFloat6 : AmbiguityBase {
  enum Reading { undefined, maximum, negative_zero };
  static constexpr ReadingInfo readings[negative_zero + 1]{
      {"undefined", primary, "Gives any value; only the other elements are certain."},
      {"maximum", permitted, "Gives the largest value, as the technical page on float4 asks for float4."},
      {"negative-zero", permitted, "Gives negative zero."}};
  static constexpr Ambiguity row{"amb-nan-to-float6", "AMB", 64, quantize(28),
      "What does a quotient that is not a number become in a float6 type, which has no NaN?",
      "QuantizeLinear 28 and later: silent, and there is no technical page on float6", readings};
};

struct Float6ZeroPointQuantize : AmbiguityBase {
  enum Reading { added, ignored, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"added", primary, "Adds the zero point to the quotient before rounding to the output type."},
      {"ignored", permitted, "Takes only the output type from the zero point, not its value."},
      {"invalid", permitted, "Rejects a zero point that is not zero."}};
  static constexpr Ambiguity row{"amb-float6-zero-point-quantize", "AMB", 65, quantize(28),
      "Is a non-zero float6 zero point added to the quotient?",
      "QuantizeLinear 28 and later: \"is usually not used for quantization to float8 and 4bit types\", which does not mention 6 bits",
      readings};
};

struct Float6ZeroPointDequantize : AmbiguityBase {
  enum Reading { subtracted, ignored, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"subtracted", primary, "Subtracts the zero point from the input."},
      {"ignored", permitted, "Computes as if there were no zero point."},
      {"invalid", permitted, "Rejects a zero point that is not zero."}};
  static constexpr Ambiguity row{"amb-float6-zero-point-dequantize", "AMB", 65, dequantize(28),
      "Is a non-zero float6 zero point subtracted from the input?",
      "DequantizeLinear 28 and later: \"is usually not used in the case of float8 and 4-bit types\", which does not mention 6 bits",
      readings};
};

struct OverflowToFloat6 : AmbiguityBase {
  enum Reading { saturates, saturate_honoured };
  static constexpr ReadingInfo readings[saturate_honoured + 1]{
      {"saturates", primary, "Gives the largest value with the sign of the quotient, whatever saturate says."},
      {"saturate-honoured", rejected, "Gives a zero with the sign of the quotient when saturate is 0."}};
  static constexpr Ambiguity row{"amb-overflow-to-float6", "AMB", 66, quantize(28),
      "What do infinities and values that are too large become in float6 and float4 outputs?",
      "QuantizeLinear 28 and later, attribute saturate: \"It has no effect for float4e2m1, float6e2m3, or float6e3m2\"; \"those types have "
      "no non-saturating (infinity-representable) encoding to fall back to\"", readings};
};

struct NegativeZeroToFloat6 : AmbiguityBase {
  enum Reading { positive_zero, negative_zero };
  static constexpr ReadingInfo readings[negative_zero + 1]{
      {"positive-zero", primary, "Adds the zero point, and so gives positive zero; only without one it gives negative zero."},
      {"negative-zero", permitted, "Gives negative zero with and without a zero point of positive zero."}};
  static constexpr Ambiguity row{"amb-negative-zero-to-float6", "AMB", 67, quantize(28),
      "Does a negative zero survive a zero point of positive zero, in float6 outputs?",
      "QuantizeLinear 28 and later: by the formula, \"(x / y_scale) + y_zero_point\", the sum is positive zero; silent about the sign of "
      "zero", readings};
};

struct SaturateWithFloat4 : AmbiguityBase {
  enum Reading { saturates, saturate_honoured };
  static constexpr ReadingInfo readings[saturate_honoured + 1]{
      {"saturates", primary, "Gives the largest value with the sign of the quotient, whatever saturate says."},
      {"saturate-honoured", rejected, "Gives a zero with the sign of the quotient when saturate is 0."}};
  static constexpr Ambiguity row{"amb-saturate-with-float4", "AMB", 69, quantize(23, 25),
      "Does saturate = 0 change float4 outputs before version 28 says that it does not?",
      "QuantizeLinear 23 to 25, attribute saturate: \"It only applies for float 8 quantization\"", readings};
};
// clang-format on

}  // namespace touchstone::spec
