// Ambiguities of DequantizeLinear's multiplication: its type and its number of roundings.
#pragma once

#include <iterator>

#include "spec/ambiguity.h"

namespace touchstone::spec {

struct LargeIntegerProduct {
  enum Reading { rounded_difference, exact_product, rounded_operands };
  static constexpr ReadingInfo readings[] = {
      {"rounded-difference", ReadingStatus::primary,
       "Subtracts exactly, rounds the difference to the type of the multiplication, and rounds the product."},
      {"exact-product", ReadingStatus::permitted, "Rounds only the exact product, to the output type."},
      {"rounded-operands", ReadingStatus::permitted,
       "Rounds input and zero point to the type of the multiplication before it subtracts."},
  };
  static_assert(std::size(readings) == rounded_operands + 1);
  static constexpr Ambiguity row{
      .id = "amb-large-integer-product",
      .number = 31,
      .applies = dequantize(10) | microsoft_dequantize(),
      .question = "When are integers rounded that the type of the multiplication cannot represent?",
      .source =
          "DequantizeLinear 10 to 21 and of com.microsoft: silent; 23 and later: \"The output type also "
          "determines the precision of the multiplication operation\", without the conversion, and silent about the "
          "precision of the subtraction",
      .readings = readings,
  };
};

struct ProductPrecisionBefore23 {
  enum Reading { in_float32, in_output_type, exact_product };
  static constexpr ReadingInfo readings[] = {
      {"in-float32", ReadingStatus::primary, "Multiplies in float32 and rounds the product to the output type."},
      {"in-output-type", ReadingStatus::permitted,
       "Rounds the difference to the output type and multiplies in that type."},
      {"exact-product", ReadingStatus::permitted, "Rounds the exact product to the output type."},
  };
  static_assert(std::size(readings) == exact_product + 1);
  static constexpr Ambiguity row{
      .id = "amb-product-precision-before-23",
      .number = 32,
      .applies = dequantize(19, 21) | microsoft_dequantize(),
      .question = "In which type are difference and scale multiplied when the output is float16 or bfloat16?",
      .source = "DequantizeLinear 19, 21 and of com.microsoft: silent about the precision of the multiplication",
      .readings = readings,
  };
};

struct ProductPrecision {
  enum Reading { in_output_type, in_float32, exact_product };
  static constexpr ReadingInfo readings[] = {
      {"in-output-type", ReadingStatus::primary,
       "Rounds difference and scale to the output type and multiplies in that type."},
      {"in-float32", ReadingStatus::permitted, "Multiplies in float32 and rounds the product to the output type."},
      {"exact-product", ReadingStatus::permitted, "Rounds the exact product to the output type."},
  };
  static_assert(std::size(readings) == exact_product + 1);
  static constexpr Ambiguity row{
      .id = "amb-product-precision",
      .number = 33,
      .applies = dequantize(23),
      .question = "In which type are difference and scale multiplied when the output is float16 or bfloat16?",
      .source =
          "DequantizeLinear 23 and later: \"The output type also determines the precision of the "
          "multiplication operation\"; implementations use a wider one",
      .readings = readings,
  };
};

struct E8m0ScaleToFloat16 {
  enum Reading { in_output_type, in_float32 };
  static constexpr ReadingInfo readings[] = {
      {"in-output-type", ReadingStatus::primary, "Rounds the scale to float16 first."},
      {"in-float32", ReadingStatus::permitted, "Multiplies in float32 and rounds the product to float16."},
  };
  static_assert(std::size(readings) == in_float32 + 1);
  static constexpr Ambiguity row{
      .id = "amb-e8m0-scale-to-float16",
      .number = 34,
      .applies = dequantize(24),
      .question =
          "Is a float8e8m0 scale rounded to float16, where most of its values are zero or infinite, when that is the "
          "output type?",
      .source =
          "DequantizeLinear 24 and later: \"The output type also determines the precision of the "
          "multiplication operation\", without an exception for this scale type: hence the primary reading, as "
          "in amb-product-precision. It makes most such scales zero or infinite, which defeats them, and so "
          "float32 is permitted",
      .readings = readings,
  };
};

struct DequantizeOverflow {
  enum Reading { infinity, clamped };
  static constexpr ReadingInfo readings[] = {
      {"infinity", ReadingStatus::primary, "Gives infinity with the sign of the product."},
      {"clamped", ReadingStatus::permitted,
       "Gives the largest finite value with the sign of the product. A product with an infinite factor stays infinite, "
       "because the output type can represent it."},
  };
  static_assert(std::size(readings) == clamped + 1);
  static constexpr Ambiguity row{
      .id = "amb-dequantize-overflow",
      .number = 37,
      .applies = dequantize(10) | microsoft_dequantize() | opmx_dequantize(),
      .question = "What does a product become that is too large for the output type?",
      .source =
          "DequantizeLinear, all versions: silent; saturation is mentioned only for QuantizeLinear. Cast, another "
          "operator, has \"floating point: +/- infinity if OOR\", hence the primary reading",
      .readings = readings,
  };
};

struct DequantizeSignedZero {
  enum Reading { ieee_sign, positive_zero };
  static constexpr ReadingInfo readings[] = {
      {"ieee-sign", ReadingStatus::primary,
       "Gives zero the sign that IEEE 754 gives it: negative if exactly one factor is."},
      {"positive-zero", ReadingStatus::permitted, "Gives positive zero always."},
  };
  static_assert(std::size(readings) == positive_zero + 1);
  static constexpr Ambiguity row{
      .id = "amb-dequantize-signed-zero",
      .number = 38,
      .applies = dequantize(10) | microsoft_dequantize() | opmx_dequantize(),
      .question = "Which sign has a product of zero?",
      .source = "DequantizeLinear, all versions: silent about the sign of zero",
      .readings = readings,
  };
};

}  // namespace touchstone::spec
