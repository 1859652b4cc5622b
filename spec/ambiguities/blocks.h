// Ambiguities of the attribute block_size and of the extent of blocks, for both operators.
#pragma once

#include <iterator>

#include "spec/ambiguity.h"

namespace touchstone::spec {

struct MissingBlockSize {
  enum Reading { invalid, inferred, one_per_element };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the node."},
      {"inferred", ReadingStatus::permitted,
       "Takes for the block size the smallest that fits: the length of the axis divided by that of the scale, rounded "
       "up."},
      {"one-per-element", ReadingStatus::permitted,
       "Accepts a scale of the shape of the input, one for each element, and rejects other shapes."},
  };
  static_assert(std::size(readings) == one_per_element + 1);
  static constexpr Ambiguity row{
      .id = "amb-missing-block-size",
      .number = 46,
      .applies = both(21),
      .question = "What does a scale of the rank of the input, 2 or more, mean when block_size is absent or 0?",
      .source =
          "Both operators 21 and later: \"Used only for blocked quantization. The block size is a positive "
          "integer\"; 0 is the default, and the shape of the scale means nothing else",
      .readings = readings,
  };
};

struct BlockSizeWithScalarScale {
  enum Reading { ignored, invalid };
  static constexpr ReadingInfo readings[] = {
      {"ignored", ReadingStatus::primary, "Ignores block_size and quantizes per tensor."},
      {"invalid", ReadingStatus::permitted, "Rejects the node."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "amb-block-size-with-scalar-scale",
      .number = 47,
      .applies = both(21),
      .question = "What does a positive block_size mean when the scale is a scalar?",
      .source =
          "Both operators 21 and later: \"Used only for blocked quantization\"; not said that it must be "
          "absent otherwise",
      .readings = readings,
  };
};

struct Rank1Blocked {
  enum Reading { blocked, per_tensor, invalid };
  static constexpr ReadingInfo readings[] = {
      {"blocked", ReadingStatus::primary, "Uses one element of the scale for each block of the only axis."},
      {"per-tensor", ReadingStatus::rejected, "Takes the first scale for all elements."},
      {"invalid", ReadingStatus::permitted,
       "Rejects the node: such an input is quantized per tensor, by a scalar scale."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "amb-rank-1-blocked",
      .number = 47,
      .applies = both(21),
      .question = "Can a 1-D input be quantized in blocks?",
      .source =
          "Both operators 21 and later: \"The scale's shape is identical to the input's shape, except for one "
          "dimension\"; QuantizeLinear, attribute axis: \"When the rank of the input is 1, per-tensor "
          "quantization is applied\"; DequantizeLinear: \"See QuantizeLinear for details on quantization "
          "granularity\"",
      .readings = readings,
  };
};

struct BlockCoversRank1Input {
  enum Reading { accepted, invalid };
  static constexpr ReadingInfo readings[] = {
      {"accepted", ReadingStatus::primary, "Applies the one scale to every element."},
      {"invalid", ReadingStatus::permitted, "Rejects the node, because a scalar scale allows no block_size."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "amb-block-covers-rank-1-input",
      .number = 47,
      .applies = both(21),
      .question = "Is a node legal whose 1-D input is one block, with a scale of shape [1]?",
      .source =
          "Both operators 21 and later: the scale is a scalar and a blocked one at once, \"(D0, ..., "
          "ceil(Di/B), ..., Dn)\"; both give the same values",
      .readings = readings,
  };
};

struct BlockSizeRange {
  enum Reading { invalid, extra_scales_unused };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the node."},
      {"extra-scales-unused", ReadingStatus::rejected,
       "Accepts a block_size that is too large, and leaves some scales unused."},
  };
  static_assert(std::size(readings) == extra_scales_unused + 1);
  static constexpr Ambiguity row{
      .id = "amb-block-size-range",
      .number = 48,
      .applies = both(21),
      .question = "Is a block_size legal that divides the axis into more or fewer blocks than there are scales?",
      .source =
          "Both operators 21 and later, attribute block_size: \"the accepted range is [ceil(Di/Si), "
          "ceil(Di/(Si-1))-1]\", without the consequence of leaving it",
      .readings = readings,
  };
};

struct SingleBlock {
  enum Reading { at_least_axis_length, exactly_axis_length, invalid };
  static constexpr ReadingInfo readings[] = {
      {"at-least-axis-length", ReadingStatus::primary, "Accepts every block_size that is not smaller than the axis."},
      {"exactly-axis-length", ReadingStatus::permitted,
       "Accepts only the length of the axis, and rejects larger ones."},
      {"invalid", ReadingStatus::rejected, "Rejects the node always."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "amb-single-block",
      .number = 49,
      .applies = both(21),
      .question = "Which block_size is legal when the scale has one block along the axis?",
      .source =
          "Both operators 21 and later, attribute block_size: the upper end divides by zero, "
          "\"ceil(Di/(Si-1))-1\"",
      .readings = readings,
  };
};

struct TailBlock {
  enum Reading { short_last_block, even_split, interleaved };
  static constexpr ReadingInfo readings[] = {
      {"short-last-block", ReadingStatus::primary,
       "Gives every block block_size elements, and the last one what remains."},
      {"even-split", ReadingStatus::rejected, "Spreads the elements evenly over the blocks."},
      {"interleaved", ReadingStatus::rejected, "Deals the elements out to the blocks in turn."},
  };
  static_assert(std::size(readings) == interleaved + 1);
  static constexpr Ambiguity row{
      .id = "amb-tail-block",
      .number = 50,
      .applies = both(21),
      .question = "Which elements share a scale when block_size does not divide the length of the axis?",
      .source =
          "Both operators 21 and later: \"ceil(Di/B)\" rounds up the number of blocks; which block is short is "
          "not said",
      .readings = readings,
  };
};

struct NegativeBlockSize {
  enum Reading { invalid, ignored };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the node."},
      {"ignored", ReadingStatus::rejected, "Treats it as if it were absent."},
  };
  static_assert(std::size(readings) == ignored + 1);
  static constexpr Ambiguity row{
      .id = "amb-negative-block-size",
      .number = 52,
      .applies = both(21),
      .question = "What does a negative block_size mean?",
      .source =
          "Both operators 21 and later, attribute block_size: \"The block size is a positive integer\"; the "
          "schema accepts any integer",
      .readings = readings,
  };
};

}  // namespace touchstone::spec
