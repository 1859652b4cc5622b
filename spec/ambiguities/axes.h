// Ambiguities of the attribute axis and of per-axis quantization, for both operators.
#pragma once

#include <iterator>

#include "spec/ambiguity.h"

namespace touchstone::spec {

struct Rank1DefaultAxis {
  enum Reading { invalid, axis_0, per_tensor };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the node, because the axis is out of range."},
      {"axis-0", ReadingStatus::permitted, "Takes the only axis there is, and quantizes per axis."},
      {"per-tensor", ReadingStatus::rejected, "Takes one scale for all elements."},
  };
  static_assert(std::size(readings) == per_tensor + 1);
  static constexpr Ambiguity row{
      .id = "amb-rank-1-default-axis",
      .number = 42,
      .applies = both(13),
      .question = "For a 1-D input, what does a scale of the length of the input mean when axis has its default, 1?",
      .source =
          "Both operators 13 and later: 1 is outside the range of axis, \"[-r, r-1]\"; some versions say: "
          "\"When the rank of the input is 1, per-tensor quantization is applied, rendering the axis "
          "unnecessary in this scenario\"",
      .readings = readings,
  };
};

struct Rank1Vector {
  enum Reading { per_axis, invalid, per_tensor };
  static constexpr ReadingInfo readings[] = {
      {"per-axis", ReadingStatus::primary, "Quantizes per axis, as with inputs of any rank."},
      {"invalid", ReadingStatus::permitted,
       "Rejects the node: such an input is quantized per tensor, by a scalar scale."},
      {"per-tensor", ReadingStatus::rejected, "Takes the first scale for all elements."},
  };
  static_assert(std::size(readings) == per_tensor + 1);
  static constexpr Ambiguity row{
      .id = "amb-rank-1-vector",
      .number = 42,
      .applies = quantize(21) | dequantize(19),
      .question = "Can a 1-D input be quantized per axis, along an axis that it has?",
      .source =
          "QuantizeLinear 21 and later and DequantizeLinear 19, attribute axis: \"When the rank of the input "
          "is 1, per-tensor quantization is applied\"; DequantizeLinear 21 and later: \"See QuantizeLinear for "
          "details on quantization granularity\". But the shape of the scale decides: \"a 1-D tensor for "
          "per-axis quantization\"; \"determined by the shape of y_scale\". Other versions do not have the "
          "sentence, and so no room for a refusal",
      .readings = readings,
  };
};

struct OneElement1dScale {
  enum Reading { per_tensor, per_axis };
  static constexpr ReadingInfo readings[] = {
      {"per-tensor", ReadingStatus::primary,
       "Applies the one scale to every element, whatever the length of the axis."},
      {"per-axis", ReadingStatus::permitted, "Requires an axis of length 1, and rejects the node otherwise."},
  };
  static_assert(std::size(readings) == per_axis + 1);
  static constexpr Ambiguity row{
      .id = "amb-one-element-1d-scale",
      .number = 43,
      .applies = both(13),
      .question = "Is a scale of shape [1] per-tensor or per-axis when the axis is longer than 1?",
      .source =
          "Both operators 13 and later: \"a 1-D tensor\"; shape [1] is one, and has as many elements as a "
          "scalar",
      .readings = readings,
  };
};

struct AxisForPerTensor {
  enum Reading { ignored, always_checked, never_checked };
  static constexpr ReadingInfo readings[] = {
      {"ignored", ReadingStatus::primary,
       "Ignores axis when the scale is a scalar, and otherwise rejects one that is out of range."},
      {"always-checked", ReadingStatus::permitted,
       "Rejects an attribute axis that is out of range even when the scale is a scalar."},
      {"never-checked", ReadingStatus::rejected,
       "Accepts an axis that is out of range even when the scale is not a scalar."},
  };
  static_assert(std::size(readings) == never_checked + 1);
  static constexpr Ambiguity row{
      .id = "amb-axis-for-per-tensor",
      .number = 44,
      .applies = both(13) | microsoft(),
      .question = "Must axis be in its range when the scale is a scalar, which needs no axis?",
      .source =
          "Both operators 13 and later: \"Accepted range is [-r, r-1]\", without a condition, and yet "
          "\"Ignored for per-tensor quantization\", \"Used only for per-axis\" or \"Used for per-axis and "
          "blocked quantization\"; a default that is out of range is no violation: ONNX's own tests have it. "
          "com.microsoft: no axis per tensor, but some accept one",
      .readings = readings,
  };
};

struct BlockSizeWith1dScale {
  enum Reading { per_axis, invalid };
  static constexpr ReadingInfo readings[] = {
      {"per-axis", ReadingStatus::primary, "Ignores block_size and quantizes per axis."},
      {"invalid", ReadingStatus::permitted, "Rejects the node."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "amb-block-size-with-1d-scale",
      .number = 47,
      .applies = both(21),
      .question = "What does a positive block_size mean when the scale has one dimension and the input more?",
      .source =
          "Both operators 21 and later: \"Used only for blocked quantization\"; not said that it must be "
          "absent otherwise",
      .readings = readings,
  };
};

struct Rank1BlockedDefaultAxis {
  enum Reading { invalid, axis_0 };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the node, because the axis is out of range."},
      {"axis-0", ReadingStatus::permitted, "Takes the only axis there is."},
  };
  static_assert(std::size(readings) == axis_0 + 1);
  static constexpr Ambiguity row{
      .id = "amb-rank-1-blocked-default-axis",
      .number = 47,
      .applies = both(21),
      .question = "What does block_size mean for a 1-D input when axis has its default, 1?",
      .source =
          "Both operators 21 and later: 1 is outside the range of axis for such an input, \"[-r, r-1]\"; "
          "QuantizeLinear: \"rendering the axis unnecessary in this scenario\". The same standard as for "
          "amb-rank-1-default-axis",
      .readings = readings,
  };
};

struct PerAxisBefore13 {
  enum Reading { invalid, axis_1 };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the node."},
      {"axis-1", ReadingStatus::permitted, "Computes what version 13 computes with its default axis, 1."},
  };
  static_assert(std::size(readings) == axis_1 + 1);
  static constexpr Ambiguity row{
      .id = "amb-per-axis-before-13",
      .number = 53,
      .applies = both(10, 10),
      .question = "What does a 1-D scale with several elements mean in version 10, which knows only scalars?",
      .source = "Both operators 10: \"It's a scalar\"; the consequence is not spelt out",
      .readings = readings,
  };
};

}  // namespace touchstone::spec
