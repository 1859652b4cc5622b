// Ambiguities of the attribute axis and of per-axis quantization, for both operators.
#pragma once

#include "spec/ambiguity.h"

namespace touchstone::spec {

// clang-format off
struct Rank1DefaultAxis : AmbiguityBase {
  enum Reading { invalid, axis_0, per_tensor };
  static constexpr ReadingInfo readings[per_tensor + 1]{
      {"invalid", primary, "Rejects the node, because the axis is out of range."},
      {"axis-0", permitted, "Takes the only axis there is, and quantizes per axis."},
      {"per-tensor", rejected, "Takes one scale for all elements."}};
  static constexpr Ambiguity row{"amb-rank-1-default-axis", "AMB", 42, both(13),
      "For a 1-D input, what does a scale of the length of the input mean when axis has its default, 1?",
      "Both operators 13 and later: 1 is outside the range of axis, \"[-r, r-1]\"; some versions say: \"When the rank of the input is 1, "
      "per-tensor quantization is applied, rendering the axis unnecessary in this scenario\"", readings};
};

struct Rank1Vector : AmbiguityBase {
  enum Reading { per_axis, invalid, per_tensor };
  static constexpr ReadingInfo readings[per_tensor + 1]{
      {"per-axis", primary, "Quantizes per axis, as with inputs of any rank."},
      {"invalid", permitted, "Rejects the node: such an input is quantized per tensor, by a scalar scale."},
      {"per-tensor", rejected, "Takes the first scale for all elements."}};
  static constexpr Ambiguity row{"amb-rank-1-vector", "AMB", 42, quantize(21) | dequantize(19),
      "Can a 1-D input be quantized per axis, along an axis that it has?",
      "QuantizeLinear 21 and later and DequantizeLinear 19, attribute axis: \"When the rank of the input is 1, per-tensor quantization is "
      "applied\"; DequantizeLinear 21 and later: \"See QuantizeLinear for details on quantization granularity\". But the shape of the "
      "scale decides: \"a 1-D tensor for per-axis quantization\"; \"determined by the shape of y_scale\". Other versions do not have the "
      "sentence, and so no room for a refusal", readings};
};

struct OneElement1dScale : AmbiguityBase {
  enum Reading { per_tensor, per_axis };
  static constexpr ReadingInfo readings[per_axis + 1]{
      {"per-tensor", primary, "Applies the one scale to every element, whatever the length of the axis."},
      {"per-axis", permitted, "Requires an axis of length 1, and rejects the node otherwise."}};
  static constexpr Ambiguity row{"amb-one-element-1d-scale", "AMB", 43, both(13),
      "Is a scale of shape [1] per-tensor or per-axis when the axis is longer than 1?",
      "Both operators 13 and later: \"a 1-D tensor\"; shape [1] is one, and has as many elements as a scalar", readings};
};

struct AxisForPerTensor : AmbiguityBase {
  enum Reading { ignored, always_checked, never_checked };
  static constexpr ReadingInfo readings[never_checked + 1]{
      {"ignored", primary, "Ignores axis when the scale is a scalar, and otherwise rejects one that is out of range."},
      {"always-checked", permitted, "Rejects an attribute axis that is out of range even when the scale is a scalar."},
      {"never-checked", rejected, "Accepts an axis that is out of range even when the scale is not a scalar."}};
  static constexpr Ambiguity row{"amb-axis-for-per-tensor", "AMB", 44, both(13) | microsoft(),
      "Must axis be in its range when the scale is a scalar, which needs no axis?",
      "Both operators 13 and later: \"Accepted range is [-r, r-1]\", without a condition, and yet \"Ignored for per-tensor quantization\", "
      "\"Used only for per-axis\" or \"Used for per-axis and blocked quantization\"; a default that is out of range is no violation: "
      "ONNX's own tests have it. com.microsoft: no axis per tensor, but some accept one", readings};
};

struct BlockSizeWith1dScale : AmbiguityBase {
  enum Reading { per_axis, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"per-axis", primary, "Ignores block_size and quantizes per axis."},
      {"invalid", permitted, "Rejects the node."}};
  static constexpr Ambiguity row{"amb-block-size-with-1d-scale", "AMB", 47, both(21),
      "What does a positive block_size mean when the scale has one dimension and the input more?",
      "Both operators 21 and later: \"Used only for blocked quantization\"; not said that it must be absent otherwise", readings};
};

struct Rank1BlockedDefaultAxis : AmbiguityBase {
  enum Reading { invalid, axis_0 };
  static constexpr ReadingInfo readings[axis_0 + 1]{
      {"invalid", primary, "Rejects the node, because the axis is out of range."},
      {"axis-0", permitted, "Takes the only axis there is."}};
  static constexpr Ambiguity row{"amb-rank-1-blocked-default-axis", "AMB", 47, both(21),
      "What does block_size mean for a 1-D input when axis has its default, 1?",
      "Both operators 21 and later: 1 is outside the range of axis for such an input, \"[-r, r-1]\"; QuantizeLinear: \"rendering the axis "
      "unnecessary in this scenario\". The same standard as for amb-rank-1-default-axis", readings};
};

struct PerAxisBefore13 : AmbiguityBase {
  enum Reading { invalid, axis_1 };
  static constexpr ReadingInfo readings[axis_1 + 1]{
      {"invalid", primary, "Rejects the node."},
      {"axis-1", permitted, "Computes what version 13 computes with its default axis, 1."}};
  static constexpr Ambiguity row{"amb-per-axis-before-13", "AMB", 53, both(10, 10),
      "What does a 1-D scale with several elements mean in version 10, which knows only scalars?",
      "Both operators 10: \"It's a scalar\"; the consequence is not spelt out", readings};
};
// clang-format on

}  // namespace touchstone::spec
