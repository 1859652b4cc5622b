// Ambiguities of the shapes of input, scale and zero point, for both operators.
#pragma once

#include "spec/ambiguity.h"

namespace touchstone::spec {

// clang-format off
struct ScalarShape : AmbiguityBase {
  enum Reading { one_element_is_scalar, mixed_ranks_invalid, one_dimension_invalid };
  static constexpr ReadingInfo readings[one_dimension_invalid + 1]{
      {"one-element-is-scalar", primary, "Takes [] and [1] for the same, also when scale and zero point differ in this."},
      {"mixed-ranks-invalid", permitted, "Takes [] and [1] for the same, and rejects a node where scale and zero point differ in rank."},
      {"one-dimension-invalid", permitted, "Rejects shape [1] where a scalar is meant."}};
  static constexpr Ambiguity row{"amb-scalar-shape", "AMB", 40, both(10) | microsoft() | opmx_dequantize(),
      "Is a scale or zero point of shape [1] a scalar?",
      "Both operators, all versions: \"a scalar\", without a shape. IR.md: \"A tensor representing a vector of length 1 has shape [1], "
      "while a tensor representing a scalar has shape []\"; but ONNX's own tests use [] and [1], also mixed", readings};
};

struct ScaleZeroPointShapes : AmbiguityBase {
  enum Reading { invalid, broadcast };
  static constexpr ReadingInfo readings[broadcast + 1]{
      {"invalid", primary, "Rejects the node."},
      {"broadcast", permitted, "Repeats the scalar one of the two for every element of the other."}};
  static constexpr Ambiguity row{"amb-scale-zero-point-shapes", "AMB", 41, both(13) | microsoft(),
      "May the shapes of scale and zero point differ beyond [] and [1]?",
      "Both operators 13 and later: \"must have same shape\", \"must have the same shape\"; the first text of QuantizeLinear 13 let each "
      "be chosen", readings};
};

struct Rank0Input : AmbiguityBase {
  enum Reading { rank_0_output, rank_1_output, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"rank-0-output", primary, "Accepts it with a scalar scale, and gives a scalar."},
      {"rank-1-output", rejected, "Accepts it and gives a tensor of shape [1]."},
      {"invalid", rejected, "Rejects it."}};
  static constexpr Ambiguity row{"amb-rank-0-input", "AMB", 45, both(10) | microsoft(),
      "May the input be a scalar?",
      "Both operators, all versions: \"N-D\", of any rank; the range of axis is then empty", readings};
};

struct EmptyTensors : AmbiguityBase {
  enum Reading { empty_result, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"empty-result", primary, "Gives an empty tensor of the same shape and the right type."},
      {"invalid", permitted, "Rejects the node."}};
  static constexpr Ambiguity row{"amb-empty-tensors", "AMB", 51, both(10) | microsoft() | opmx_dequantize(),
      "May a tensor be empty, and a per-axis scale with it?",
      "Both operators, all versions: silent", readings};
};

struct EmptyBlockedAxis : AmbiguityBase {
  enum Reading { empty_result, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"empty-result", primary, "Accepts a scale with no element along the axis, and gives an empty tensor."},
      {"invalid", permitted, "Rejects the node."}};
  static constexpr Ambiguity row{"amb-empty-blocked-axis", "AMB", 51, both(21),
      "May the blocked axis have length 0?",
      "Both operators 21 and later, attribute block_size: both ends are then meaningless, \"[ceil(Di/Si), ceil(Di/(Si-1))-1]\"", readings};
};

struct BlockedBefore21 : AmbiguityBase {
  enum Reading { invalid, blocked, broadcast };
  static constexpr ReadingInfo readings[broadcast + 1]{
      {"invalid", primary, "Rejects the node."},
      {"blocked", rejected, "Infers blocks from the shapes."},
      {"broadcast", rejected, "Broadcasts the scale against the input."}};
  static constexpr Ambiguity row{"amb-blocked-before-21", "AMB", 53, both(13, 19),
      "What does a scale of rank 2 or more, with several elements, mean in versions without blocks?",
      "Both operators 13 and 19: \"can be either a scalar for per-tensor / per layer quantization, or a 1-D tensor for per-axis "
      "quantization\"; the consequence is not spelt out", readings};
};

struct OneElementScaleOfHigherRank : AmbiguityBase {
  enum Reading { invalid, per_tensor };
  static constexpr ReadingInfo readings[per_tensor + 1]{
      {"invalid", primary, "Rejects the node."},
      {"per-tensor", permitted, "Applies the one scale to every element."}};
  static constexpr Ambiguity row{"amb-one-element-scale-of-higher-rank", "AMB", 54, both(13) | opmx_dequantize(),
      "Is a scale of one element and rank 2 or more a scalar when there is no block_size?",
      "Both operators 13 and later: neither \"a scalar\" nor \"a 1-D tensor\", nor blocked without block_size", readings};
};

struct SeveralBlockedDimensions : AmbiguityBase {
  enum Reading { invalid, blocked_in_each };
  static constexpr ReadingInfo readings[blocked_in_each + 1]{
      {"invalid", primary, "Rejects the node."},
      {"blocked-in-each", rejected, "Divides every dimension that differs into blocks."}};
  static constexpr Ambiguity row{"amb-several-blocked-dimensions", "AMB", 55, both(21),
      "May the scale differ from the input in more than one dimension?",
      "Both operators 21 and later: \"except for one dimension, in which blocking is performed\"; the consequence is not spelt out",
      readings};
};
// clang-format on

}  // namespace touchstone::spec
