// Ambiguities of opmx DequantizeLinear: which scale applies to an element ("torch" and "CUDA": opmx.h).
#pragma once

#include "spec/ambiguity.h"

namespace touchstone::spec {

// clang-format off
struct GroupIndex : AmbiguityBase {
  enum Reading { logical_row, packed_row };
  static constexpr ReadingInfo readings[packed_row + 1]{
      {"logical-row", primary, "Divides the row of the unpacked tensor by group_size."},
      {"packed-row", rejected, "Divides the row of X by group_size, so that four rows count as one."}};
  static constexpr Ambiguity row{"pmx-group-index", "PMX", 9, opmx_dequantize(),
      "Which rows are counted when int4 data are grouped along dimension 0?",
      "opmx, Scale: \"group_size != 0 and quant_axis == 0\" divides d0, where X has d0 / 4", readings};
};

struct DefaultGroupSize : AmbiguityBase {
  enum Reading { groups_of_128, ungrouped };
  static constexpr ReadingInfo readings[ungrouped + 1]{
      {"groups-of-128", primary, "Takes groups of 128, whatever the data."},
      {"ungrouped", rejected, "Takes no groups without the attribute."}};
  static constexpr Ambiguity row{"pmx-default-group-size", "PMX", 10, opmx_dequantize(),
      "Are data grouped when group_size is not given, int8 data too?",
      "opmx: \"group_size: int(default: 128)\"; \"Use per group quantization when group_size != 0\"; unusual for an absent attribute",
      readings};
};

struct PartialGroup : AmbiguityBase {
  enum Reading { invalid, short_last_group };
  static constexpr ReadingInfo readings[short_last_group + 1]{
      {"invalid", primary, "Rejects the node."},
      {"short-last-group", rejected, "Takes what remains for a group of its own."}};
  static constexpr Ambiguity row{"pmx-partial-group", "PMX", 10, opmx_dequantize(),
      "May the last group have fewer than group_size elements?",
      "opmx, Scale: \"must be aligned with group_size\"; the consequence is not spelt out", readings};
};

struct GroupsAlongAxis1 : AmbiguityBase {
  enum Reading { divide_dimension_1, divide_both_dimensions, divide_dimension_0 };
  static constexpr ReadingInfo readings[divide_dimension_0 + 1]{
      {"divide-dimension-1", primary, "Rejects the node unless group_size divides dimension 1, which is the one that has the groups."},
      {"divide-both-dimensions", permitted, "Rejects the node unless group_size divides dimension 1, and dimension 0 as well."},
      {"divide-dimension-0", permitted,
       "Rejects the node unless group_size divides dimension 0, and takes what remains of dimension 1 for a group of its own."}};
  static constexpr Ambiguity row{"pmx-groups-along-axis-1", "PMX", 10, opmx_dequantize(),
      "Which dimension must group_size divide when quant_axis is 1?",
      "opmx, Scale, \"group_size != 0 and quant_axis == 1\", where dimension 1 is divided: \"$d_0$ must be aligned with group_size\"",
      readings};
};

struct PerChannelShape : AmbiguityBase {
  enum Reading { rank_of_x, one_dimension_too };
  static constexpr ReadingInfo readings[one_dimension_too + 1]{
      {"rank-of-x", primary, "Takes (d0, 1), and rejects (d0)."},
      {"one-dimension-too", permitted, "Takes (d0) for the same."}};
  static constexpr Ambiguity row{"pmx-per-channel-shape", "PMX", 11, opmx_dequantize(),
      "May a scale per channel have one dimension?",
      "opmx: \"a rank identical tensor for per-axis quantization\"; the fused operators next to it require one dimension", readings};
};

struct OpmxRank : AmbiguityBase {
  enum Reading { any_rank, two_dimensions_only };
  static constexpr ReadingInfo readings[two_dimensions_only + 1]{
      {"any-rank", primary, "Takes tensors of any rank."},
      {"two-dimensions-only", permitted, "Rejects all but matrices."}};
  static constexpr Ambiguity row{"pmx-rank", "PMX", 12, opmx_dequantize(),
      "Must X be a matrix?",
      "opmx: dimensions up to dn, but \"0 for out_features and 1 for in_features\"; torch and CUDA know matrices only", readings};
};

struct PerChannelOfAxis0 : AmbiguityBase {
  enum Reading { by_symmetry, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"by-symmetry", primary, "Takes (1, d1): a scale for each column."},
      {"invalid", permitted, "Rejects the node."}};
  static constexpr Ambiguity row{"pmx-per-channel-of-axis-0", "PMX", 15, opmx_dequantize(),
      "Is there quantization per channel with a quant_axis of 0?",
      "opmx, Scale: \"Let's use some combinations as examples\", and this one is not among them", readings};
};
// clang-format on

}  // namespace touchstone::spec
