// Ambiguities of DequantizeLinear's multiplication: its type and its number of roundings.
#pragma once

#include "spec/ambiguity.h"

namespace touchstone::spec {

// clang-format off
struct LargeIntegerProduct : AmbiguityBase {
  enum Reading { rounded_difference, exact_product, rounded_operands };
  static constexpr ReadingInfo readings[rounded_operands + 1]{
      {"rounded-difference", primary,
       "Subtracts exactly, rounds the difference to the type of the multiplication, and rounds the product."},
      {"exact-product", permitted, "Rounds only the exact product, to the output type."},
      {"rounded-operands", permitted, "Rounds input and zero point to the type of the multiplication before it subtracts."}};
  static constexpr Ambiguity row{"amb-large-integer-product", "AMB", 31, dequantize(10) | microsoft_dequantize(),
      "When are integers rounded that the type of the multiplication cannot represent?",
      "DequantizeLinear 10 to 21 and of com.microsoft: silent; 23 and later: \"The output type also determines the precision of the "
      "multiplication operation\", without the conversion, and silent about the precision of the subtraction", readings};
};

struct ProductPrecisionBefore23 : AmbiguityBase {
  enum Reading { in_float32, in_output_type, exact_product };
  static constexpr ReadingInfo readings[exact_product + 1]{
      {"in-float32", primary, "Multiplies in float32 and rounds the product to the output type."},
      {"in-output-type", permitted, "Rounds the difference to the output type and multiplies in that type."},
      {"exact-product", permitted, "Rounds the exact product to the output type."}};
  static constexpr Ambiguity row{"amb-product-precision-before-23", "AMB", 32, dequantize(19, 21) | microsoft_dequantize(),
      "In which type are difference and scale multiplied when the output is float16 or bfloat16?",
      "DequantizeLinear 19, 21 and of com.microsoft: silent about the precision of the multiplication", readings};
};

struct ProductPrecision : AmbiguityBase {
  enum Reading { in_output_type, in_float32, exact_product };
  static constexpr ReadingInfo readings[exact_product + 1]{
      {"in-output-type", primary, "Rounds difference and scale to the output type and multiplies in that type."},
      {"in-float32", permitted, "Multiplies in float32 and rounds the product to the output type."},
      {"exact-product", permitted, "Rounds the exact product to the output type."}};
  static constexpr Ambiguity row{"amb-product-precision", "AMB", 33, dequantize(23),
      "In which type are difference and scale multiplied when the output is float16 or bfloat16?",
      "DequantizeLinear 23 and later: \"The output type also determines the precision of the multiplication operation\"; implementations "
      "use a wider one", readings};
};

struct E8m0ScaleToFloat16 : AmbiguityBase {
  enum Reading { in_output_type, in_float32 };
  static constexpr ReadingInfo readings[in_float32 + 1]{
      {"in-output-type", primary, "Rounds the scale to float16 first."},
      {"in-float32", permitted, "Multiplies in float32 and rounds the product to float16."}};
  static constexpr Ambiguity row{"amb-e8m0-scale-to-float16", "AMB", 34, dequantize(24),
      "Is a float8e8m0 scale rounded to float16, where most of its values are zero or infinite, when that is the output type?",
      "DequantizeLinear 24 and later: \"The output type also determines the precision of the multiplication operation\", without an "
      "exception for this scale type: hence the primary reading, as in amb-product-precision. It makes most such scales zero or infinite, "
      "which defeats them, and so float32 is permitted", readings};
};

struct DequantizeOverflow : AmbiguityBase {
  enum Reading { infinity, clamped };
  static constexpr ReadingInfo readings[clamped + 1]{
      {"infinity", primary, "Gives infinity with the sign of the product."},
      {"clamped", permitted, "Gives the largest finite value with the sign of the product. A product with an infinite factor stays "
       "infinite, because the output type can represent it."}};
  static constexpr Ambiguity row{"amb-dequantize-overflow", "AMB", 37,
      dequantize(10) | microsoft_dequantize() | opmx_dequantize(),
      "What does a product become that is too large for the output type?",
      "DequantizeLinear, all versions: silent; saturation is mentioned only for QuantizeLinear. Cast, another operator, has \"floating "
      "point: +/- infinity if OOR\", hence the primary reading", readings};
};

struct DequantizeSignedZero : AmbiguityBase {
  enum Reading { ieee_sign, positive_zero };
  static constexpr ReadingInfo readings[positive_zero + 1]{
      {"ieee-sign", primary, "Gives zero the sign that IEEE 754 gives it: negative if exactly one factor is."},
      {"positive-zero", permitted, "Gives positive zero always."}};
  static constexpr Ambiguity row{"amb-dequantize-signed-zero", "AMB", 38,
      dequantize(10) | microsoft_dequantize() | opmx_dequantize(),
      "Which sign has a product of zero?",
      "DequantizeLinear, all versions: silent about the sign of zero", readings};
};
// clang-format on

}  // namespace touchstone::spec
