// Ambiguities that concern the types float4 and float6, which have neither infinity nor NaN, for both operators.
#pragma once

#include <iterator>

#include "spec/ambiguity.h"

namespace touchstone::spec {

struct NanToFloat4 {
  enum Reading { maximum, negative_zero, undefined };
  static constexpr ReadingInfo readings[] = {
      {"maximum", ReadingStatus::primary, "Gives the largest value, 6."},
      {"negative-zero", ReadingStatus::permitted, "Gives negative zero."},
      {"undefined", ReadingStatus::permitted, "Gives any value."},
  };
  static_assert(std::size(readings) == undefined + 1);
  static constexpr Ambiguity row{
      .id = "amb-nan-to-float4",
      .number = 24,
      .applies = quantize(23),
      .question = "What does a quotient that is not a number become in float4e2m1, which has no NaN?",
      .source = "QuantizeLinear 23 and later: silent; technical page on float4, conversions: \"| NaN | 6 |\"",
      .readings = readings,
  };
};

struct Float4ZeroPointQuantize {
  enum Reading { added, ignored, invalid };
  static constexpr ReadingInfo readings[] = {
      {"added", ReadingStatus::primary, "Adds the zero point to the quotient before rounding to the output type."},
      {"ignored", ReadingStatus::permitted, "Takes only the output type from the zero point, not its value."},
      {"invalid", ReadingStatus::permitted, "Rejects a zero point that is not zero."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "amb-float4-zero-point-quantize",
      .number = 26,
      .applies = quantize(23),
      .question = "Is a non-zero float4 zero point added to the quotient?",
      .source =
          "QuantizeLinear 23 and later: \"is usually not used for quantization to float8 and 4bit types\", and "
          "yet \"formula remains the same for consistency\"",
      .readings = readings,
  };
};

struct Float4ZeroPointDequantize {
  enum Reading { subtracted, ignored, invalid };
  static constexpr ReadingInfo readings[] = {
      {"subtracted", ReadingStatus::primary, "Subtracts the zero point from the input."},
      {"ignored", ReadingStatus::permitted, "Computes as if there were no zero point."},
      {"invalid", ReadingStatus::permitted, "Rejects a zero point that is not zero."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "amb-float4-zero-point-dequantize",
      .number = 26,
      .applies = dequantize(23),
      .question = "Is a non-zero float4 zero point subtracted from the input?",
      .source =
          "DequantizeLinear 23 and later: \"is usually not used in the case of float8 and 4-bit types\", and "
          "yet \"the dequantization formula remains the same for consistency\"",
      .readings = readings,
  };
};

struct NanToFloat6 {
  enum Reading { undefined, maximum, negative_zero };
  static constexpr ReadingInfo readings[] = {
      {"undefined", ReadingStatus::primary, "Gives any value; only the other elements are certain."},
      {"maximum", ReadingStatus::permitted,
       "Gives the largest value, as the technical page on float4 asks for float4."},
      {"negative-zero", ReadingStatus::permitted, "Gives negative zero."},
  };
  static_assert(std::size(readings) == negative_zero + 1);
  static constexpr Ambiguity row{
      .id = "amb-nan-to-float6",
      .number = 64,
      .applies = quantize(28),
      .question = "What does a quotient that is not a number become in a float6 type, which has no NaN?",
      .source = "QuantizeLinear 28 and later: silent, and there is no technical page on float6",
      .readings = readings,
  };
};

struct Float6ZeroPointQuantize {
  enum Reading { added, ignored, invalid };
  static constexpr ReadingInfo readings[] = {
      {"added", ReadingStatus::primary, "Adds the zero point to the quotient before rounding to the output type."},
      {"ignored", ReadingStatus::permitted, "Takes only the output type from the zero point, not its value."},
      {"invalid", ReadingStatus::permitted, "Rejects a zero point that is not zero."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "amb-float6-zero-point-quantize",
      .number = 65,
      .applies = quantize(28),
      .question = "Is a non-zero float6 zero point added to the quotient?",
      .source =
          "QuantizeLinear 28 and later: \"is usually not used for quantization to float8 and 4bit types\", "
          "which does not mention 6 bits",
      .readings = readings,
  };
};

struct Float6ZeroPointDequantize {
  enum Reading { subtracted, ignored, invalid };
  static constexpr ReadingInfo readings[] = {
      {"subtracted", ReadingStatus::primary, "Subtracts the zero point from the input."},
      {"ignored", ReadingStatus::permitted, "Computes as if there were no zero point."},
      {"invalid", ReadingStatus::permitted, "Rejects a zero point that is not zero."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "amb-float6-zero-point-dequantize",
      .number = 65,
      .applies = dequantize(28),
      .question = "Is a non-zero float6 zero point subtracted from the input?",
      .source =
          "DequantizeLinear 28 and later: \"is usually not used in the case of float8 and 4-bit types\", which "
          "does not mention 6 bits",
      .readings = readings,
  };
};

struct OverflowToFloat6 {
  enum Reading { saturates, saturate_honoured };
  static constexpr ReadingInfo readings[] = {
      {"saturates", ReadingStatus::primary,
       "Gives the largest value with the sign of the quotient, whatever saturate says."},
      {"saturate-honoured", ReadingStatus::rejected, "Gives a zero with the sign of the quotient when saturate is 0."},
  };
  static_assert(std::size(readings) == saturate_honoured + 1);
  static constexpr Ambiguity row{
      .id = "amb-overflow-to-float6",
      .number = 66,
      .applies = quantize(28),
      .question = "What do infinities and values that are too large become in float6 and float4 outputs?",
      .source =
          "QuantizeLinear 28 and later, attribute saturate: \"It has no effect for float4e2m1, float6e2m3, or "
          "float6e3m2\"; \"those types have no non-saturating (infinity-representable) encoding to fall back "
          "to\"",
      .readings = readings,
  };
};

struct NegativeZeroToFloat6 {
  enum Reading { positive_zero, negative_zero };
  static constexpr ReadingInfo readings[] = {
      {"positive-zero", ReadingStatus::primary,
       "Adds the zero point, and so gives positive zero; only without one it gives negative zero."},
      {"negative-zero", ReadingStatus::permitted,
       "Gives negative zero with and without a zero point of positive zero."},
  };
  static_assert(std::size(readings) == negative_zero + 1);
  static constexpr Ambiguity row{
      .id = "amb-negative-zero-to-float6",
      .number = 67,
      .applies = quantize(28),
      .question = "Does a negative zero survive a zero point of positive zero, in float6 outputs?",
      .source =
          "QuantizeLinear 28 and later: by the formula, \"(x / y_scale) + y_zero_point\", the sum is positive "
          "zero; silent about the sign of zero",
      .readings = readings,
  };
};

struct SaturateWithFloat4 {
  enum Reading { saturates, saturate_honoured };
  static constexpr ReadingInfo readings[] = {
      {"saturates", ReadingStatus::primary,
       "Gives the largest value with the sign of the quotient, whatever saturate says."},
      {"saturate-honoured", ReadingStatus::rejected, "Gives a zero with the sign of the quotient when saturate is 0."},
  };
  static_assert(std::size(readings) == saturate_honoured + 1);
  static constexpr Ambiguity row{
      .id = "amb-saturate-with-float4",
      .number = 69,
      .applies = quantize(23, 25),
      .question = "Does saturate = 0 change float4 outputs before version 28 says that it does not?",
      .source = "QuantizeLinear 23 to 25, attribute saturate: \"It only applies for float 8 quantization\"",
      .readings = readings,
  };
};

}  // namespace touchstone::spec
