// Ambiguities of the attribute block_size and of the extent of blocks, for both operators.
#pragma once

#include "spec/ambiguity.h"

namespace touchstone::spec {

// clang-format off
struct MissingBlockSize : AmbiguityBase {
  enum Reading { invalid, inferred, one_per_element };
  static constexpr ReadingInfo readings[one_per_element + 1]{
      {"invalid", primary, "Rejects the node."},
      {"inferred", permitted,
       "Takes for the block size the smallest that fits: the length of the axis divided by that of the scale, rounded up."},
      {"one-per-element", permitted, "Accepts a scale of the shape of the input, one for each element, and rejects other shapes."}};
  static constexpr Ambiguity row{"amb-missing-block-size", "AMB", 46, both(21),
      "What does a scale of the rank of the input, 2 or more, mean when block_size is absent or 0?",
      "Both operators 21 and later: \"Used only for blocked quantization. The block size is a positive integer\"; 0 is the default, and "
      "the shape of the scale means nothing else", readings};
};

struct BlockSizeWithScalarScale : AmbiguityBase {
  enum Reading { ignored, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"ignored", primary, "Ignores block_size and quantizes per tensor."},
      {"invalid", permitted, "Rejects the node."}};
  static constexpr Ambiguity row{"amb-block-size-with-scalar-scale", "AMB", 47, both(21),
      "What does a positive block_size mean when the scale is a scalar?",
      "Both operators 21 and later: \"Used only for blocked quantization\"; not said that it must be absent otherwise", readings};
};

struct Rank1Blocked : AmbiguityBase {
  enum Reading { blocked, per_tensor, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"blocked", primary, "Uses one element of the scale for each block of the only axis."},
      {"per-tensor", rejected, "Takes the first scale for all elements."},
      {"invalid", permitted, "Rejects the node: such an input is quantized per tensor, by a scalar scale."}};
  static constexpr Ambiguity row{"amb-rank-1-blocked", "AMB", 47, both(21),
      "Can a 1-D input be quantized in blocks?",
      "Both operators 21 and later: \"The scale's shape is identical to the input's shape, except for one dimension\"; QuantizeLinear, "
      "attribute axis: \"When the rank of the input is 1, per-tensor quantization is applied\"; DequantizeLinear: \"See QuantizeLinear for "
      "details on quantization granularity\"", readings};
};

struct BlockCoversRank1Input : AmbiguityBase {
  enum Reading { accepted, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"accepted", primary, "Applies the one scale to every element."},
      {"invalid", permitted, "Rejects the node, because a scalar scale allows no block_size."}};
  static constexpr Ambiguity row{"amb-block-covers-rank-1-input", "AMB", 47, both(21),
      "Is a node legal whose 1-D input is one block, with a scale of shape [1]?",
      "Both operators 21 and later: the scale is a scalar and a blocked one at once, \"(D0, ..., ceil(Di/B), ..., Dn)\"; both give the "
      "same values", readings};
};

struct BlockSizeRange : AmbiguityBase {
  enum Reading { invalid, extra_scales_unused };
  static constexpr ReadingInfo readings[extra_scales_unused + 1]{
      {"invalid", primary, "Rejects the node."},
      {"extra-scales-unused", rejected, "Accepts a block_size that is too large, and leaves some scales unused."}};
  static constexpr Ambiguity row{"amb-block-size-range", "AMB", 48, both(21),
      "Is a block_size legal that divides the axis into more or fewer blocks than there are scales?",
      "Both operators 21 and later, attribute block_size: \"the accepted range is [ceil(Di/Si), ceil(Di/(Si-1))-1]\", without the "
      "consequence of leaving it", readings};
};

struct SingleBlock : AmbiguityBase {
  enum Reading { at_least_axis_length, exactly_axis_length, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"at-least-axis-length", primary, "Accepts every block_size that is not smaller than the axis."},
      {"exactly-axis-length", permitted, "Accepts only the length of the axis, and rejects larger ones."},
      {"invalid", rejected, "Rejects the node always."}};
  static constexpr Ambiguity row{"amb-single-block", "AMB", 49, both(21),
      "Which block_size is legal when the scale has one block along the axis?",
      "Both operators 21 and later, attribute block_size: the upper end divides by zero, \"ceil(Di/(Si-1))-1\"", readings};
};

struct TailBlock : AmbiguityBase {
  enum Reading { short_last_block, even_split, interleaved };
  static constexpr ReadingInfo readings[interleaved + 1]{
      {"short-last-block", primary, "Gives every block block_size elements, and the last one what remains."},
      {"even-split", rejected, "Spreads the elements evenly over the blocks."},
      {"interleaved", rejected, "Assigns the elements to the blocks in turn."}};
  static constexpr Ambiguity row{"amb-tail-block", "AMB", 50, both(21),
      "Which elements share a scale when block_size does not divide the length of the axis?",
      "Both operators 21 and later: \"ceil(Di/B)\" rounds up the number of blocks; which block is short is not said", readings};
};

struct NegativeBlockSize : AmbiguityBase {
  enum Reading { invalid, ignored };
  static constexpr ReadingInfo readings[ignored + 1]{
      {"invalid", primary, "Rejects the node."},
      {"ignored", rejected, "Treats it as if it were absent."}};
  static constexpr Ambiguity row{"amb-negative-block-size", "AMB", 52, both(21),
      "What does a negative block_size mean?",
      "Both operators 21 and later, attribute block_size: \"The block size is a positive integer\"; the schema accepts any integer",
      readings};
};
// clang-format on

}  // namespace touchstone::spec
