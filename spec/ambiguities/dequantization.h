// Ambiguities of DequantizeLinear that concern the zero point and the output type.
#pragma once

#include <iterator>

#include "spec/ambiguity.h"

namespace touchstone::spec {

struct SubtractionWidth {
  enum Reading { exact, wrapping };
  static constexpr ReadingInfo readings[] = {
      {"exact", ReadingStatus::primary, "Subtracts without overflow."},
      {"wrapping", ReadingStatus::rejected, "Subtracts in the type of the input and wraps around."},
  };
  static_assert(std::size(readings) == wrapping + 1);
  static constexpr Ambiguity row{
      .id = "amb-subtraction-width",
      .number = 28,
      .applies = dequantize(10) | microsoft_dequantize() | opmx_dequantize(),
      .question = "How wide is the difference of input and zero point?",
      .source =
          "DequantizeLinear, all versions, the formula only: \"(x - x_zero_point) * x_scale\"; the published "
          "examples leave the range of the input type; opmx: \"scale * (quantized - zeropoint)\"",
      .readings = readings,
  };
};

struct Int32ZeroPoint {
  enum Reading { invalid, subtracted, ignored };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects a zero point that is not zero, and accepts one that is."},
      {"subtracted", ReadingStatus::permitted, "Subtracts it, as for any other type."},
      {"ignored", ReadingStatus::permitted, "Accepts it and computes as if there were none."},
  };
  static_assert(std::size(readings) == ignored + 1);
  static constexpr Ambiguity row{
      .id = "amb-int32-zero-point",
      .number = 29,
      .applies = dequantize(10),
      .question = "What does a non-zero zero point of an int32 input mean?",
      .source =
          "DequantizeLinear, all versions: \"there's no zero point (zero point is supposed to be 0)\", without "
          "saying what follows if it is not; readers of \"there's no zero point\" may compute without it",
      .readings = readings,
  };
};

struct Int32SubtractionOverflow {
  enum Reading { exact, wrapping_int32 };
  static constexpr ReadingInfo readings[] = {
      {"exact", ReadingStatus::primary, "Subtracts without overflow."},
      {"wrapping-int32", ReadingStatus::permitted, "Subtracts in int32 and wraps around."},
  };
  static_assert(std::size(readings) == wrapping_int32 + 1);
  static constexpr Ambiguity row{
      .id = "amb-int32-subtraction-overflow",
      .number = 30,
      .applies = dequantize(10) | microsoft_dequantize(),
      .question = "What is the difference of an int32 input and an int32 zero point that does not fit into int32?",
      .source =
          "DequantizeLinear, all versions, the formula only: \"(x - x_zero_point) * x_scale\"; silent about the type "
          "of the difference (onnx/onnx#6132 asks for it), and unlike those of narrower types the published examples "
          "do not show it; relevant where a non-zero int32 zero point is honoured, as in com.microsoft",
      .readings = readings,
  };
};

struct E8m0ScaleWithoutOutputDtype {
  enum Reading { invalid, float32, float8e8m0 };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the node."},
      {"float32", ReadingStatus::permitted, "Gives float32."},
      {"float8e8m0", ReadingStatus::rejected, "Gives float8e8m0."},
  };
  static_assert(std::size(readings) == float8e8m0 + 1);
  static constexpr Ambiguity row{
      .id = "amb-e8m0-scale-without-output-dtype",
      .number = 35,
      .applies = dequantize(24),
      .question = "What is the output type for a float8e8m0 scale when output_dtype is unset?",
      .source =
          "DequantizeLinear 24 and later: \"If output_dtype is not supplied then the output type is the same "
          "as x_scale\", which the type constraint of y excludes",
      .readings = readings,
  };
};

struct Float8ZeroPointDequantize {
  enum Reading { subtracted, invalid, ignored };
  static constexpr ReadingInfo readings[] = {
      {"subtracted", ReadingStatus::primary, "Subtracts it; negative zero changes no number."},
      {"invalid", ReadingStatus::permitted, "Rejects every zero point but positive zero."},
      {"ignored", ReadingStatus::permitted, "Accepts it and computes as if there were none."},
  };
  static_assert(std::size(readings) == ignored + 1);
  static constexpr Ambiguity row{
      .id = "amb-float8-zero-point-dequantize",
      .number = 36,
      .applies = dequantize(19),
      .question = "What does a float8 zero point mean that is not positive zero?",
      .source =
          "DequantizeLinear 19 and later: \"is usually not used in the case of\", and yet \"the dequantization "
          "formula remains the same for consistency\": the words that float4 has, and QuantizeLinear",
      .readings = readings,
  };
};

struct DequantizeOutputDtype {
  enum Reading { invalid, double_accepted };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the node."},
      {"double-accepted", ReadingStatus::permitted, "Accepts double and gives it, and rejects all other such types."},
  };
  static_assert(std::size(readings) == double_accepted + 1);
  static constexpr Ambiguity row{
      .id = "amb-dequantize-output-dtype",
      .number = 39,
      .applies = dequantize(23),
      .question = "May output_dtype name a type that the type constraint of the output does not list?",
      .source =
          "DequantizeLinear 23 and later: the constraint of \"The type of the output y\" excludes it; the "
          "attribute does not: \"The output data type. If not supplied\"",
      .readings = readings,
  };
};

}  // namespace touchstone::spec
