// Ambiguities that only com.microsoft's operators have.
//
// Ambiguities shared with ai.onnx are in the other files, and apply to com.microsoft there. MS-04 (is [1] a scalar?) is
// AMB-40, ScalarShape, and MS-07 (the precision of a float16 division) is AMB-06, SameFloatDivisionBefore23.
#pragma once

#include "spec/ambiguity.h"

namespace touchstone::spec {

// clang-format off
struct VectorsWithoutAxis : AmbiguityBase {
  enum Reading { invalid, axis_1 };
  static constexpr ReadingInfo readings[axis_1 + 1]{
      {"invalid", primary, "Rejects the node."},
      {"axis-1", permitted, "Quantizes along axis 1, the default of ai.onnx."}};
  static constexpr Ambiguity row{"ms-vectors-without-axis", "MS", 1, microsoft(),
      "What does a 1-D scale of other than one element mean when axis is absent?",
      "com.microsoft, attribute axis: \"x_scale and x_zero_point must be scalars\"; the consequence is not spelt out, and ONNX Runtime "
      "reads a default into it", readings};
};

struct ScalarsWithAxis : AmbiguityBase {
  enum Reading { invalid, per_tensor };
  static constexpr ReadingInfo readings[per_tensor + 1]{
      {"invalid", primary, "Rejects the node."},
      {"per-tensor", permitted, "Ignores axis, and applies the one scale to every element."}};
  static constexpr Ambiguity row{"ms-scalars-with-axis", "MS", 2, microsoft(),
      "What does a scalar scale or zero point mean when axis is given?",
      "com.microsoft, attribute axis: \"x_scale and x_zero_point must be 1-D tensors\"; the consequence is not spelt out", readings};
};

struct OneElementWithAxis : AmbiguityBase {
  enum Reading { invalid, per_tensor };
  static constexpr ReadingInfo readings[per_tensor + 1]{
      {"invalid", primary, "Rejects the node, because its scale is not as long as the axis."},
      {"per-tensor", permitted, "Ignores axis, and applies the one scale to every element."}};
  static constexpr Ambiguity row{"ms-one-element-with-axis", "MS", 3, microsoft(),
      "What does a scale of shape [1] mean when axis is given, and the input has another length along it?",
      "com.microsoft, attribute axis: \"must be 1-D tensors\", as such a scale is, which might be taken for a scalar", readings};
};

struct FourBitRange : AmbiguityBase {
  enum Reading { full, symmetric };
  static constexpr ReadingInfo readings[symmetric + 1]{
      {"full", primary, "Saturates at -8 and 7."},
      {"symmetric", permitted, "Saturates at -7 and 7."}};
  static constexpr Ambiguity row{"ms-4-bit-range", "MS", 5, microsoft_quantize(),
      "Is -8 within the range of int4 outputs?",
      "QuantizeLinear of com.microsoft: silent; it lists the ranges of 16-bit and 8-bit types, not those of 4-bit types", readings};
};

struct Int32ZeroPointOfMicrosoft : AmbiguityBase {
  enum Reading { subtracted, invalid, ignored };
  static constexpr ReadingInfo readings[ignored + 1]{
      {"subtracted", primary, "Subtracts it, as for any other type."},
      {"invalid", permitted, "Rejects a zero point that is not zero, as ai.onnx does."},
      {"ignored", rejected, "Accepts it and computes as if there were none."}};
  static constexpr Ambiguity row{"ms-int32-zero-point", "MS", 6, microsoft_dequantize(),
      "What does a non-zero zero point of an int32 input mean?",
      "DequantizeLinear of com.microsoft: \"y = (x - x_zero_point) * x_scale\", without ai.onnx's words that it is supposed to be zero; "
      "implementations share code with ai.onnx", readings};
};

struct TypesBeyondThePage : AmbiguityBase {
  enum Reading { accepted, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"accepted", primary, "Has the types of 16, 4 and 32 bits too."},
      {"invalid", permitted, "Has quantized types of 8 bits only, and rejects a node with any other."}};
  static constexpr Ambiguity row{"ms-types-beyond-the-page", "MS", 8, microsoft(),
      "Which quantized types are there?",
      "com.microsoft, type constraints: the current contract adds types; a page that is still published has 8 bits: \"Constrain x and "
      "x_zero_point to 8-bit integer tensors\"", readings};
};

struct ZeroPointThatMustBe : AmbiguityBase {
  enum Reading { optional, required };
  static constexpr ReadingInfo readings[required + 1]{
      {"optional", primary, "Takes an absent zero point for zero."},
      {"required", permitted, "Rejects a node without a zero point."}};
  static constexpr Ambiguity row{"ms-zero-point-that-must-be", "MS", 8, microsoft(),
      "May the zero point be absent?",
      "com.microsoft, inputs: optional in the current contract; a page that is still published lists it as any other, \"x_zero_point "
      "(heterogeneous) - T1\", and omits it in examples", readings};
};

struct NegativeAxis : AmbiguityBase {
  enum Reading { counts_from_the_back, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"counts-from-the-back", primary, "Counts it from the last dimension, which is -1."},
      {"invalid", permitted, "Rejects the node."}};
  static constexpr Ambiguity row{"ms-negative-axis", "MS", 9, microsoft(),
      "May axis be negative?",
      "com.microsoft, attribute axis: \"The axis along which same quantization parameters are applied\", without a range or a word on "
      "negative ones; ai.onnx and ONNX Runtime have them", readings};
};

struct Rank1WithoutAxis : AmbiguityBase {
  enum Reading { invalid, axis_0 };
  static constexpr ReadingInfo readings[axis_0 + 1]{
      {"invalid", primary, "Rejects the node: quantization per axis has an axis."},
      {"axis-0", rejected, "Takes the only axis there is, and quantizes per axis."}};
  static constexpr Ambiguity row{"ms-rank-1-without-axis", "MS", 10, microsoft(),
      "For a 1-D input, what does a scale of other than one element mean when axis is absent?",
      "com.microsoft, attribute axis: \"x_scale and x_zero_point must be scalars\"; an axis of 1, which some read into it, does not exist",
      readings};
};
// clang-format on

}  // namespace touchstone::spec
