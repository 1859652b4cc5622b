// Ambiguities that only com.microsoft's operators have.
//
// Ambiguities shared with ai.onnx are in the other files, and apply to com.microsoft there. MS-04 (is [1] a scalar?) is
// AMB-40, ScalarShape, and MS-07 (the precision of a float16 division) is AMB-06, SameFloatDivisionBefore23.
#pragma once

#include <iterator>

#include "spec/ambiguity.h"

namespace touchstone::spec {

struct VectorsWithoutAxis {
  enum Reading { invalid, axis_1 };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the node."},
      {"axis-1", ReadingStatus::permitted, "Quantizes along axis 1, the default of ai.onnx."},
  };
  static_assert(std::size(readings) == axis_1 + 1);
  static constexpr Ambiguity row{
      .id = "ms-vectors-without-axis",
      .series = "MS",
      .number = 1,
      .applies = microsoft(),
      .question = "What does a 1-D scale of other than one element mean when axis is absent?",
      .source =
          "com.microsoft, attribute axis: \"x_scale and x_zero_point must be scalars\"; the consequence is not "
          "spelt out, and ONNX Runtime reads a default into it",
      .readings = readings,
  };
};

struct ScalarsWithAxis {
  enum Reading { invalid, per_tensor };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the node."},
      {"per-tensor", ReadingStatus::permitted, "Ignores axis, and applies the one scale to every element."},
  };
  static_assert(std::size(readings) == per_tensor + 1);
  static constexpr Ambiguity row{
      .id = "ms-scalars-with-axis",
      .series = "MS",
      .number = 2,
      .applies = microsoft(),
      .question = "What does a scalar scale or zero point mean when axis is given?",
      .source =
          "com.microsoft, attribute axis: \"x_scale and x_zero_point must be 1-D tensors\"; the consequence is "
          "not spelt out",
      .readings = readings,
  };
};

struct OneElementWithAxis {
  enum Reading { invalid, per_tensor };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the node, because its scale is not as long as the axis."},
      {"per-tensor", ReadingStatus::permitted, "Ignores axis, and applies the one scale to every element."},
  };
  static_assert(std::size(readings) == per_tensor + 1);
  static constexpr Ambiguity row{
      .id = "ms-one-element-with-axis",
      .series = "MS",
      .number = 3,
      .applies = microsoft(),
      .question = "What does a scale of shape [1] mean when axis is given, and the input has another length along it?",
      .source =
          "com.microsoft, attribute axis: \"must be 1-D tensors\", as such a scale is, which might be taken "
          "for a scalar",
      .readings = readings,
  };
};

struct FourBitRange {
  enum Reading { full, symmetric };
  static constexpr ReadingInfo readings[] = {
      {"full", ReadingStatus::primary, "Saturates at -8 and 7."},
      {"symmetric", ReadingStatus::permitted, "Saturates at -7 and 7."},
  };
  static_assert(std::size(readings) == symmetric + 1);
  static constexpr Ambiguity row{
      .id = "ms-4-bit-range",
      .series = "MS",
      .number = 5,
      .applies = microsoft_quantize(),
      .question = "Is -8 within the range of int4 outputs?",
      .source =
          "QuantizeLinear of com.microsoft: silent; it lists the ranges of 16-bit and 8-bit types, not those "
          "of 4-bit types",
      .readings = readings,
  };
};

struct Int32ZeroPointOfMicrosoft {
  enum Reading { subtracted, invalid, ignored };
  static constexpr ReadingInfo readings[] = {
      {"subtracted", ReadingStatus::primary, "Subtracts it, as for any other type."},
      {"invalid", ReadingStatus::permitted, "Rejects a zero point that is not zero, as ai.onnx does."},
      {"ignored", ReadingStatus::rejected, "Accepts it and computes as if there were none."},
  };
  static_assert(std::size(readings) == ignored + 1);
  static constexpr Ambiguity row{
      .id = "ms-int32-zero-point",
      .series = "MS",
      .number = 6,
      .applies = microsoft_dequantize(),
      .question = "What does a non-zero zero point of an int32 input mean?",
      .source =
          "DequantizeLinear of com.microsoft: \"y = (x - x_zero_point) * x_scale\", without ai.onnx's words "
          "that it is supposed to be zero; implementations share code with ai.onnx",
      .readings = readings,
  };
};

struct TypesBeyondThePage {
  enum Reading { accepted, invalid };
  static constexpr ReadingInfo readings[] = {
      {"accepted", ReadingStatus::primary, "Has the types of 16, 4 and 32 bits too."},
      {"invalid", ReadingStatus::permitted, "Has quantized types of 8 bits only, and rejects a node with any other."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "ms-types-beyond-the-page",
      .series = "MS",
      .number = 8,
      .applies = microsoft(),
      .question = "Which quantized types are there?",
      .source =
          "com.microsoft, type constraints: the current contract adds types; a page that is still published "
          "has 8 bits: \"Constrain x and x_zero_point to 8-bit integer tensors\"",
      .readings = readings,
  };
};

struct ZeroPointThatMustBe {
  enum Reading { optional, required };
  static constexpr ReadingInfo readings[] = {
      {"optional", ReadingStatus::primary, "Takes an absent zero point for zero."},
      {"required", ReadingStatus::permitted, "Rejects a node without a zero point."},
  };
  static_assert(std::size(readings) == required + 1);
  static constexpr Ambiguity row{
      .id = "ms-zero-point-that-must-be",
      .series = "MS",
      .number = 8,
      .applies = microsoft(),
      .question = "May the zero point be absent?",
      .source =
          "com.microsoft, inputs: optional in the current contract; a page that is still published lists it as "
          "any other, \"x_zero_point (heterogeneous) - T1\", and omits it in examples",
      .readings = readings,
  };
};

struct NegativeAxis {
  enum Reading { counts_from_the_back, invalid };
  static constexpr ReadingInfo readings[] = {
      {"counts-from-the-back", ReadingStatus::primary, "Counts it from the last dimension, which is -1."},
      {"invalid", ReadingStatus::permitted, "Rejects the node."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "ms-negative-axis",
      .series = "MS",
      .number = 9,
      .applies = microsoft(),
      .question = "May axis be negative?",
      .source =
          "com.microsoft, attribute axis: \"The axis along which same quantization parameters are applied\", "
          "without a range or a word on negative ones; ai.onnx and ONNX Runtime have them",
      .readings = readings,
  };
};

struct Rank1WithoutAxis {
  enum Reading { invalid, axis_0 };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the node: quantization per axis has an axis."},
      {"axis-0", ReadingStatus::rejected, "Takes the only axis there is, and quantizes per axis."},
  };
  static_assert(std::size(readings) == axis_0 + 1);
  static constexpr Ambiguity row{
      .id = "ms-rank-1-without-axis",
      .series = "MS",
      .number = 10,
      .applies = microsoft(),
      .question = "For a 1-D input, what does a scale of other than one element mean when axis is absent?",
      .source =
          "com.microsoft, attribute axis: \"x_scale and x_zero_point must be scalars\"; an axis of 1, which "
          "some read into it, does not exist",
      .readings = readings,
  };
};

}  // namespace touchstone::spec
