// Ambiguities of DequantizeLinear that concern the zero point and the output type.
#pragma once

#include "spec/ambiguity.h"

namespace touchstone::spec {

// clang-format off
struct SubtractionWidth : AmbiguityBase {
  enum Reading { exact, wrapping };
  static constexpr ReadingInfo readings[wrapping + 1]{
      {"exact", primary, "Subtracts without overflow."},
      {"wrapping", rejected, "Subtracts in the type of the input and wraps around."}};
  static constexpr Ambiguity row{"amb-subtraction-width", "AMB", 28, dequantize(10) | microsoft_dequantize() | opmx_dequantize(),
      "How wide is the difference of input and zero point?",
      "DequantizeLinear, all versions, the formula only: \"(x - x_zero_point) * x_scale\"; the published examples leave the range of the "
      "input type; opmx: \"scale * (quantized - zeropoint)\"", readings};
};

struct Int32ZeroPoint : AmbiguityBase {
  enum Reading { invalid, subtracted, ignored };
  static constexpr ReadingInfo readings[ignored + 1]{
      {"invalid", primary, "Rejects a zero point that is not zero, and accepts one that is."},
      {"subtracted", permitted, "Subtracts it, as for any other type."},
      {"ignored", permitted, "Accepts it and computes as if there were none."}};
  static constexpr Ambiguity row{"amb-int32-zero-point", "AMB", 29, dequantize(10),
      "What does a non-zero zero point of an int32 input mean?",
      "DequantizeLinear, all versions: \"there's no zero point (zero point is supposed to be 0)\", without saying what follows if it is "
      "not; readers of \"there's no zero point\" may compute without it", readings};
};

struct Int32SubtractionOverflow : AmbiguityBase {
  enum Reading { exact, wrapping_int32 };
  static constexpr ReadingInfo readings[wrapping_int32 + 1]{
      {"exact", primary, "Subtracts without overflow."},
      {"wrapping-int32", permitted, "Subtracts in int32 and wraps around."}};
  static constexpr Ambiguity row{"amb-int32-subtraction-overflow", "AMB", 30, dequantize(10) | microsoft_dequantize(),
      "What is the difference of an int32 input and an int32 zero point that does not fit into int32?",
      "DequantizeLinear, all versions, the formula only: \"(x - x_zero_point) * x_scale\"; silent about the type of the difference "
      "(onnx/onnx#6132 asks for it), and unlike those of narrower types the published examples do not show it; relevant where a non-zero "
      "int32 zero point is honoured, as in com.microsoft", readings};
};

struct E8m0ScaleWithoutOutputDtype : AmbiguityBase {
  enum Reading { invalid, float32, float8e8m0 };
  static constexpr ReadingInfo readings[float8e8m0 + 1]{
      {"invalid", primary, "Rejects the node."},
      {"float32", permitted, "Gives float32."},
      {"float8e8m0", rejected, "Gives float8e8m0."}};
  static constexpr Ambiguity row{"amb-e8m0-scale-without-output-dtype", "AMB", 35, dequantize(24),
      "What is the output type for a float8e8m0 scale when output_dtype is unset?",
      "DequantizeLinear 24 and later: \"If output_dtype is not supplied then the output type is the same as x_scale\", which the type "
      "constraint of y excludes", readings};
};

struct Float8ZeroPointDequantize : AmbiguityBase {
  enum Reading { subtracted, invalid, ignored };
  static constexpr ReadingInfo readings[ignored + 1]{
      {"subtracted", primary, "Subtracts it; negative zero changes no number."},
      {"invalid", permitted, "Rejects every zero point but positive zero."},
      {"ignored", permitted, "Accepts it and computes as if there were none."}};
  static constexpr Ambiguity row{"amb-float8-zero-point-dequantize", "AMB", 36, dequantize(19),
      "What does a float8 zero point mean that is not positive zero?",
      "DequantizeLinear 19 and later: \"is usually not used in the case of\", and yet \"the dequantization formula remains the same for "
      "consistency\": the words that float4 has, and QuantizeLinear", readings};
};

struct DequantizeOutputDtype : AmbiguityBase {
  enum Reading { invalid, double_accepted };
  static constexpr ReadingInfo readings[double_accepted + 1]{
      {"invalid", primary, "Rejects the node."},
      {"double-accepted", permitted, "Accepts double and gives it, and rejects all other such types."}};
  static constexpr Ambiguity row{"amb-dequantize-output-dtype", "AMB", 39, dequantize(23),
      "May output_dtype name a type that the type constraint of the output does not list?",
      "DequantizeLinear 23 and later: the constraint of \"The type of the output y\" excludes it; the attribute does not: \"The output "
      "data type. If not supplied\"", readings};
};
// clang-format on

}  // namespace touchstone::spec
