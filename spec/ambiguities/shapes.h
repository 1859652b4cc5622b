// Ambiguities of the shapes of input, scale and zero point, for both operators.
#pragma once

#include <iterator>

#include "spec/ambiguity.h"

namespace touchstone::spec {

struct ScalarShape {
  enum Reading { one_element_is_scalar, mixed_ranks_invalid, one_dimension_invalid };
  static constexpr ReadingInfo readings[] = {
      {"one-element-is-scalar", ReadingStatus::primary,
       "Takes [] and [1] for the same, also when scale and zero point differ in this."},
      {"mixed-ranks-invalid", ReadingStatus::permitted,
       "Takes [] and [1] for the same, and rejects a node where scale and zero point differ in rank."},
      {"one-dimension-invalid", ReadingStatus::permitted, "Rejects shape [1] where a scalar is meant."},
  };
  static_assert(std::size(readings) == one_dimension_invalid + 1);
  static constexpr Ambiguity row{
      .id = "amb-scalar-shape",
      .number = 40,
      .applies = both(10) | microsoft() | opmx_dequantize(),
      .question = "Is a scale or zero point of shape [1] a scalar?",
      .source =
          "Both operators, all versions: \"a scalar\", without a shape. IR.md: \"A tensor representing a "
          "vector of length 1 has shape [1], while a tensor representing a scalar has shape []\"; but ONNX's "
          "own tests use [] and [1], also mixed",
      .readings = readings,
  };
};

struct ScaleZeroPointShapes {
  enum Reading { invalid, broadcast };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the node."},
      {"broadcast", ReadingStatus::permitted, "Repeats the scalar one of the two for every element of the other."},
  };
  static_assert(std::size(readings) == broadcast + 1);
  static constexpr Ambiguity row{
      .id = "amb-scale-zero-point-shapes",
      .number = 41,
      .applies = both(13) | microsoft(),
      .question = "May the shapes of scale and zero point differ beyond [] and [1]?",
      .source =
          "Both operators 13 and later: \"must have same shape\", \"must have the same shape\"; the first text "
          "of QuantizeLinear 13 let each be chosen",
      .readings = readings,
  };
};

struct Rank0Input {
  enum Reading { rank_0_output, rank_1_output, invalid };
  static constexpr ReadingInfo readings[] = {
      {"rank-0-output", ReadingStatus::primary, "Accepts it with a scalar scale, and gives a scalar."},
      {"rank-1-output", ReadingStatus::rejected, "Accepts it and gives a tensor of shape [1]."},
      {"invalid", ReadingStatus::rejected, "Rejects it."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "amb-rank-0-input",
      .number = 45,
      .applies = both(10) | microsoft(),
      .question = "May the input be a scalar?",
      .source = "Both operators, all versions: \"N-D\", of any rank; the range of axis is then empty",
      .readings = readings,
  };
};

struct EmptyTensors {
  enum Reading { empty_result, invalid };
  static constexpr ReadingInfo readings[] = {
      {"empty-result", ReadingStatus::primary, "Gives an empty tensor of the same shape and the right type."},
      {"invalid", ReadingStatus::permitted, "Rejects the node."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "amb-empty-tensors",
      .number = 51,
      .applies = both(10) | microsoft() | opmx_dequantize(),
      .question = "May a tensor be empty, and a per-axis scale with it?",
      .source = "Both operators, all versions: silent",
      .readings = readings,
  };
};

struct EmptyBlockedAxis {
  enum Reading { empty_result, invalid };
  static constexpr ReadingInfo readings[] = {
      {"empty-result", ReadingStatus::primary,
       "Accepts a scale with no element along the axis, and gives an empty tensor."},
      {"invalid", ReadingStatus::permitted, "Rejects the node."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "amb-empty-blocked-axis",
      .number = 51,
      .applies = both(21),
      .question = "May the blocked axis have length 0?",
      .source =
          "Both operators 21 and later, attribute block_size: both ends are then meaningless, \"[ceil(Di/Si), "
          "ceil(Di/(Si-1))-1]\"",
      .readings = readings,
  };
};

struct BlockedBefore21 {
  enum Reading { invalid, blocked, broadcast };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the node."},
      {"blocked", ReadingStatus::rejected, "Infers blocks from the shapes."},
      {"broadcast", ReadingStatus::rejected, "Broadcasts the scale against the input."},
  };
  static_assert(std::size(readings) == broadcast + 1);
  static constexpr Ambiguity row{
      .id = "amb-blocked-before-21",
      .number = 53,
      .applies = both(13, 19),
      .question = "What does a scale of rank 2 or more, with several elements, mean in versions without blocks?",
      .source =
          "Both operators 13 and 19: \"can be either a scalar for per-tensor / per layer quantization, or a "
          "1-D tensor for per-axis quantization\"; the consequence is not spelt out",
      .readings = readings,
  };
};

struct OneElementScaleOfHigherRank {
  enum Reading { invalid, per_tensor };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the node."},
      {"per-tensor", ReadingStatus::permitted, "Applies the one scale to every element."},
  };
  static_assert(std::size(readings) == per_tensor + 1);
  static constexpr Ambiguity row{
      .id = "amb-one-element-scale-of-higher-rank",
      .number = 54,
      .applies = both(13) | opmx_dequantize(),
      .question = "Is a scale of one element and rank 2 or more a scalar when there is no block_size?",
      .source =
          "Both operators 13 and later: neither \"a scalar\" nor \"a 1-D tensor\", nor blocked without "
          "block_size",
      .readings = readings,
  };
};

struct SeveralBlockedDimensions {
  enum Reading { invalid, blocked_in_each };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the node."},
      {"blocked-in-each", ReadingStatus::rejected, "Divides every dimension that differs into blocks."},
  };
  static_assert(std::size(readings) == blocked_in_each + 1);
  static constexpr Ambiguity row{
      .id = "amb-several-blocked-dimensions",
      .number = 55,
      .applies = both(21),
      .question = "May the scale differ from the input in more than one dimension?",
      .source =
          "Both operators 21 and later: \"except for one dimension, in which blocking is performed\"; the "
          "consequence is not spelt out",
      .readings = readings,
  };
};

}  // namespace touchstone::spec
