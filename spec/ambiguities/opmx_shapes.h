// Ambiguities of opmx DequantizeLinear: which scale applies to an element ("torch" and "CUDA": opmx.h).
#pragma once

#include <iterator>

#include "spec/ambiguity.h"

namespace touchstone::spec {

struct GroupIndex {
  enum Reading { logical_row, packed_row };
  static constexpr ReadingInfo readings[] = {
      {"logical-row", ReadingStatus::primary, "Divides the row of the unpacked tensor by group_size."},
      {"packed-row", ReadingStatus::rejected, "Divides the row of X by group_size, so that four rows count as one."},
  };
  static_assert(std::size(readings) == packed_row + 1);
  static constexpr Ambiguity row{
      .id = "pmx-group-index",
      .series = "PMX",
      .number = 9,
      .applies = opmx_dequantize(),
      .question = "Which rows are counted when int4 data are grouped along dimension 0?",
      .source = "opmx, Scale: \"group_size != 0 and quant_axis == 0\" divides d0, where X has d0 / 4",
      .readings = readings,
  };
};

struct DefaultGroupSize {
  enum Reading { groups_of_128, ungrouped };
  static constexpr ReadingInfo readings[] = {
      {"groups-of-128", ReadingStatus::primary, "Takes groups of 128, whatever the data."},
      {"ungrouped", ReadingStatus::rejected, "Takes no groups without the attribute."},
  };
  static_assert(std::size(readings) == ungrouped + 1);
  static constexpr Ambiguity row{
      .id = "pmx-default-group-size",
      .series = "PMX",
      .number = 10,
      .applies = opmx_dequantize(),
      .question = "Are data grouped when group_size is not given, int8 data too?",
      .source =
          "opmx: \"group_size: int(default: 128)\"; \"Use per group quantization when group_size != 0\"; "
          "unusual for an absent attribute",
      .readings = readings,
  };
};

struct PartialGroup {
  enum Reading { invalid, short_last_group };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the node."},
      {"short-last-group", ReadingStatus::rejected, "Takes what remains for a group of its own."},
  };
  static_assert(std::size(readings) == short_last_group + 1);
  static constexpr Ambiguity row{
      .id = "pmx-partial-group",
      .series = "PMX",
      .number = 10,
      .applies = opmx_dequantize(),
      .question = "May the last group have fewer than group_size elements?",
      .source = "opmx, Scale: \"must be aligned with group_size\"; the consequence is not spelt out",
      .readings = readings,
  };
};

struct GroupsAlongAxis1 {
  enum Reading { divide_dimension_1, divide_both_dimensions, divide_dimension_0 };
  static constexpr ReadingInfo readings[] = {
      {"divide-dimension-1", ReadingStatus::primary,
       "Rejects the node unless group_size divides dimension 1, which is the one that has the groups."},
      {"divide-both-dimensions", ReadingStatus::permitted,
       "Rejects the node unless group_size divides dimension 1, and dimension 0 as well."},
      {"divide-dimension-0", ReadingStatus::permitted,
       "Rejects the node unless group_size divides dimension 0, and takes what remains of dimension 1 for a group of "
       "its "
       "own."},
  };
  static_assert(std::size(readings) == divide_dimension_0 + 1);
  static constexpr Ambiguity row{
      .id = "pmx-groups-along-axis-1",
      .series = "PMX",
      .number = 10,
      .applies = opmx_dequantize(),
      .question = "Which dimension must group_size divide when quant_axis is 1?",
      .source =
          "opmx, Scale, \"group_size != 0 and quant_axis == 1\", where dimension 1 is divided: \"$d_0$ must be "
          "aligned with group_size\"",
      .readings = readings,
  };
};

struct PerChannelShape {
  enum Reading { rank_of_x, one_dimension_too };
  static constexpr ReadingInfo readings[] = {
      {"rank-of-x", ReadingStatus::primary, "Takes (d0, 1), and rejects (d0)."},
      {"one-dimension-too", ReadingStatus::permitted, "Takes (d0) for the same."},
  };
  static_assert(std::size(readings) == one_dimension_too + 1);
  static constexpr Ambiguity row{
      .id = "pmx-per-channel-shape",
      .series = "PMX",
      .number = 11,
      .applies = opmx_dequantize(),
      .question = "May a scale per channel have one dimension?",
      .source =
          "opmx: \"a rank identical tensor for per-axis quantization\"; the fused operators next to it require one "
          "dimension",
      .readings = readings,
  };
};

struct OpmxRank {
  enum Reading { any_rank, two_dimensions_only };
  static constexpr ReadingInfo readings[] = {
      {"any-rank", ReadingStatus::primary, "Takes tensors of any rank."},
      {"two-dimensions-only", ReadingStatus::permitted, "Rejects all but matrices."},
  };
  static_assert(std::size(readings) == two_dimensions_only + 1);
  static constexpr Ambiguity row{
      .id = "pmx-rank",
      .series = "PMX",
      .number = 12,
      .applies = opmx_dequantize(),
      .question = "Must X be a matrix?",
      .source =
          "opmx: dimensions up to dn, but \"0 for out_features and 1 for in_features\"; torch and CUDA know "
          "matrices only",
      .readings = readings,
  };
};

struct PerChannelOfAxis0 {
  enum Reading { by_symmetry, invalid };
  static constexpr ReadingInfo readings[] = {
      {"by-symmetry", ReadingStatus::primary, "Takes (1, d1): a scale for each column."},
      {"invalid", ReadingStatus::permitted, "Rejects the node."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "pmx-per-channel-of-axis-0",
      .series = "PMX",
      .number = 15,
      .applies = opmx_dequantize(),
      .question = "Is there quantization per channel with a quant_axis of 0?",
      .source = "opmx, Scale: \"Let's use some combinations as examples\", and this one is not among them",
      .readings = readings,
  };
};

}  // namespace touchstone::spec
