// Ambiguities of opmx DequantizeLinear.
//
// "torch" is the code in the page's repository (OpenPPL's ppl.pmx), "CUDA" the kernels for it (ppl.llm.kernel.cuda,
// i4f16). Neither implements the whole operator: both implement fused operators with int4 weights. The clauses correct
// what is certainly wrong on the page.
#pragma once

#include "spec/ambiguity.h"

namespace touchstone::spec {

// clang-format off
// ---- packing, types, and the meaning of codes

struct Int4WithoutZeroPoint : AmbiguityBase {
  enum Reading { offset_8, twos_complement, no_offset };
  static constexpr ReadingInfo readings[no_offset + 1]{
      {"offset-8", primary, "Takes the code, 0 to 15, less 8."},
      {"twos-complement", permitted, "Takes the code for two's complement: 8 to 15 are -8 to -1."},
      {"no-offset", rejected, "Takes the code as it is."}};
  static constexpr Ambiguity row{"pmx-int4-without-zero-point", "PMX", 1, opmx_dequantize(), readings,
      "Which number is a code of int4 data when there is no zero point?",
      "opmx, quant_data_type: \"Options: int4, int8\", without a word on signs; torch and CUDA subtract 8"};
};

struct Int8Codes : AmbiguityBase {
  enum Reading { twos_complement, offset_128 };
  static constexpr ReadingInfo readings[offset_128 + 1]{
      {"twos-complement", primary, "Takes int8 data for what they are; without a zero point it is 0."},
      {"offset-128", rejected, "Takes the bytes of data and zero point for 0 to 255, and subtracts 128 where no int8 zero point is."}};
  static constexpr Ambiguity row{"pmx-int8-codes", "PMX", 4, opmx_dequantize(), readings,
      "Are int8 data offset as int4 data are?",
      "opmx, T1: \"int8, int16(for int4x4)\"; torch's helper has an offset of 2^(bits - 1), but is made for 4 bits only"};
};

struct OpmxOutputType : AmbiguityBase {
  enum Reading { scale_type, always_float16 };
  static constexpr ReadingInfo readings[always_float16 + 1]{
      {"scale-type", primary, "Gives the type of Scale."},
      {"always-float16", rejected, "Computes in the type of Scale, and rounds to float16."}};
  static constexpr Ambiguity row{"pmx-output-type", "PMX", 8, opmx_dequantize(), readings,
      "Which type has Y when Scale is float32?",
      "opmx: \"Scale(constant): tensor(T2)\", \"Y: tensor(T2)\"; torch always gives float16"};
};

struct Float32ScaleOfInt4 : AmbiguityBase {
  enum Reading { accepted, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"accepted", primary, "Takes it."},
      {"invalid", rejected, "Takes float16 scales only."}};
  static constexpr Ambiguity row{"pmx-float32-scale-of-int4", "PMX", 13, opmx_dequantize(), readings,
      "May Scale be float32 if the data is int4?",
      "opmx, T2, for all data: \"float32, float16\"; torch and CUDA know float16 only"};
};

struct VariableParameters : AmbiguityBase {
  enum Reading { accepted, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"accepted", primary, "Takes them."},
      {"invalid", permitted, "Rejects the node."}};
  static constexpr Ambiguity row{"pmx-variable-parameters", "PMX", 14, opmx_dequantize(), readings,
      "May Scale and ZeroPoint be given when the graph runs?",
      "opmx, inputs: \"Scale(constant)\", \"ZeroPoint(constant, optional)\"; their values decide nothing else of the node"};
};

struct GivenQuantMethod : AmbiguityBase {
  enum Reading { ignored, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"ignored", primary, "Computes the same, whatever it says."},
      {"invalid", permitted, "Rejects a quant_method that is not empty."}};
  static constexpr Ambiguity row{"pmx-given-quant-method", "PMX", 16, opmx_dequantize(), readings,
      "What does a quant_method mean that is not empty?",
      "opmx, quant_method: \"Reserved. Auxiliary attribute for quantization method.\""};
};

struct NibbleOrder : AmbiguityBase {
  enum Reading { low_nibble_first, high_nibble_first, strided_rows, columns };
  static constexpr ReadingInfo readings[columns + 1]{
      {"low-nibble-first", primary, "Finds row 4p + j in the bits 4j to 4j + 3 of row p of X."},
      {"high-nibble-first", rejected, "Finds row 4p in the four highest bits, and so on downwards."},
      {"strided-rows", rejected, "Finds row p + j * d0 / 4 in the bits 4j to 4j + 3 of row p."},
      {"columns", rejected, "Finds four consecutive columns, not rows, in an element of X."}};
  static constexpr Ambiguity row{"pmx-nibble-order", "PMX", 17, opmx_dequantize(), readings,
      "Which four elements share an element of X, and in which order?",
      "opmx, X: \"Data is packed as int4x4\", and no more; torch and CUDA agree on the lowest bits first"};
};

// ---- shapes and groups

struct GroupIndex : AmbiguityBase {
  enum Reading { logical_row, packed_row };
  static constexpr ReadingInfo readings[packed_row + 1]{
      {"logical-row", primary, "Divides the row of the unpacked tensor by group_size."},
      {"packed-row", rejected, "Divides the row of X by group_size, so that four rows count as one."}};
  static constexpr Ambiguity row{"pmx-group-index", "PMX", 9, opmx_dequantize(), readings,
      "Which rows are counted when int4 data are grouped along dimension 0?",
      "opmx, Scale: \"group_size != 0 and quant_axis == 0\" divides d0, where X has d0 / 4"};
};

struct DefaultGroupSize : AmbiguityBase {
  enum Reading { groups_of_128, ungrouped };
  static constexpr ReadingInfo readings[ungrouped + 1]{
      {"groups-of-128", primary, "Takes groups of 128, whatever the data."},
      {"ungrouped", rejected, "Takes no groups without the attribute."}};
  static constexpr Ambiguity row{"pmx-default-group-size", "PMX", 10, opmx_dequantize(), readings,
      "Are data grouped when group_size is not given, int8 data too?",
      "opmx: \"group_size: int(default: 128)\"; \"Use per group quantization when group_size != 0\"; unusual for an absent attribute"};
};

struct PartialGroup : AmbiguityBase {
  enum Reading { invalid, short_last_group };
  static constexpr ReadingInfo readings[short_last_group + 1]{
      {"invalid", primary, "Rejects the node."},
      {"short-last-group", rejected, "Takes what remains for a group of its own."}};
  static constexpr Ambiguity row{"pmx-partial-group", "PMX", 10, opmx_dequantize(), readings,
      "May the last group have fewer than group_size elements?",
      "opmx, Scale: \"must be aligned with group_size\"; the consequence is not spelt out"};
};

struct GroupsAlongAxis1 : AmbiguityBase {
  enum Reading { divide_dimension_1, divide_both_dimensions, divide_dimension_0 };
  static constexpr ReadingInfo readings[divide_dimension_0 + 1]{
      {"divide-dimension-1", primary, "Rejects the node unless group_size divides dimension 1, which is the one that has the groups."},
      {"divide-both-dimensions", permitted, "Rejects the node unless group_size divides dimension 1, and dimension 0 as well."},
      {"divide-dimension-0", permitted,
       "Rejects the node unless group_size divides dimension 0, and takes what remains of dimension 1 for a group of its own."}};
  static constexpr Ambiguity row{"pmx-groups-along-axis-1", "PMX", 10, opmx_dequantize(), readings,
      "Which dimension must group_size divide when quant_axis is 1?",
      "opmx, Scale, \"group_size != 0 and quant_axis == 1\", where dimension 1 is divided: \"$d_0$ must be aligned with group_size\""};
};

struct PerChannelShape : AmbiguityBase {
  enum Reading { rank_of_x, one_dimension_too };
  static constexpr ReadingInfo readings[one_dimension_too + 1]{
      {"rank-of-x", primary, "Takes (d0, 1), and rejects (d0)."},
      {"one-dimension-too", permitted, "Takes (d0) for the same."}};
  static constexpr Ambiguity row{"pmx-per-channel-shape", "PMX", 11, opmx_dequantize(), readings,
      "May a scale per channel have one dimension?",
      "opmx: \"a rank identical tensor for per-axis quantization\"; the fused operators next to it require one dimension"};
};

struct OpmxRank : AmbiguityBase {
  enum Reading { any_rank, two_dimensions_only };
  static constexpr ReadingInfo readings[two_dimensions_only + 1]{
      {"any-rank", primary, "Takes tensors of any rank."},
      {"two-dimensions-only", permitted, "Rejects all but matrices."}};
  static constexpr Ambiguity row{"pmx-rank", "PMX", 12, opmx_dequantize(), readings,
      "Must X be a matrix?",
      "opmx: dimensions up to dn, but \"0 for out_features and 1 for in_features\"; torch and CUDA know matrices only"};
};

struct PerChannelOfAxis0 : AmbiguityBase {
  enum Reading { by_symmetry, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"by-symmetry", primary, "Takes (1, d1): a scale for each column."},
      {"invalid", permitted, "Rejects the node."}};
  static constexpr Ambiguity row{"pmx-per-channel-of-axis-0", "PMX", 15, opmx_dequantize(), readings,
      "Is there quantization per channel with a quant_axis of 0?",
      "opmx, Scale: \"Let's use some combinations as examples\", and this one is not among them"};
};

// ---- zero points

struct Int4IntegerZeroPoint : AmbiguityBase {
  enum Reading { masked, twos_complement, unmasked };
  static constexpr ReadingInfo readings[unmasked + 1]{
      {"masked", primary, "Subtracts the low four bits of the zero point, 0 to 15, from the code, 0 to 15."},
      {"twos-complement", permitted, "Takes the code for two's complement, and subtracts the zero point as it is."},
      {"unmasked", rejected, "Subtracts the zero point as it is from the code, 0 to 15."}};
  static constexpr Ambiguity row{"pmx-int4-integer-zero-point", "PMX", 2, opmx_dequantize(), readings,
      "How do a code of int4 data and an int8 zero point meet?",
      "opmx, T3, for both widths of data: \"int8, float16, float32\"; torch and CUDA keep a zero point's low four bits"};
};

struct Int4FloatZeroPoint : AmbiguityBase {
  enum Reading { offset_8, twos_complement, no_offset, truncated_zero_point };
  static constexpr ReadingInfo readings[truncated_zero_point + 1]{
      {"offset-8", primary, "Takes the code, 0 to 15, less 8."},
      {"twos-complement", permitted, "Takes the code for two's complement: 8 to 15 are -8 to -1."},
      {"no-offset", rejected, "Takes the code as it is."},
      {"truncated-zero-point", rejected,
       "Truncates the zero point to an integer, and subtracts its low four bits from the code, 0 to 15."}};
  static constexpr Ambiguity row{"pmx-int4-float-zero-point", "PMX", 3, opmx_dequantize(), readings,
      "Which number is a code of int4 data if the zero point is a floating-point number?",
      "opmx, float_zeropoint: \"zeropoint = (max(X) + min(X)) / 2\", so what it is added to lies on both sides of 0; silent on codes"};
};

struct UnannouncedZeroPoint : AmbiguityBase {
  enum Reading { undefined, ignored, used };
  static constexpr ReadingInfo readings[used + 1]{
      {"undefined", primary, "Accepts the node and gives any numbers."},
      {"ignored", permitted, "Computes as if there were no zero point."},
      {"used", permitted, "Computes as if has_zeropoint were true."}};
  static constexpr Ambiguity row{"pmx-unannounced-zero-point", "PMX", 5, opmx_dequantize(), readings,
      "What does a zero point mean that is given although has_zeropoint is false?",
      "opmx, has_zeropoint: \"Provide convenience for graph optimization.\"; torch looks at the input only"};
};

struct MissingZeroPoint : AmbiguityBase {
  enum Reading { invalid, no_zero_point };
  static constexpr ReadingInfo readings[no_zero_point + 1]{
      {"invalid", primary, "Rejects the node."},
      {"no-zero-point", rejected, "Computes as if has_zeropoint were false."}};
  static constexpr Ambiguity row{"pmx-missing-zero-point", "PMX", 5, opmx_dequantize(), readings,
      "What if has_zeropoint is true, and the zero point absent or empty?",
      "opmx, ZeroPoint: \"must appear and not be empty when has_zeropoint == True\"; torch looks at the input only"};
};

struct LoneFloatFlag : AmbiguityBase {
  enum Reading { undefined, ignored, implies_zero_point, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"undefined", primary, "Accepts the node and gives any numbers."},
      {"ignored", permitted, "Computes as if there were no zero point."},
      {"implies-zero-point", permitted, "Computes as if has_zeropoint were true too."},
      {"invalid", permitted, "Rejects the node."}};
  static constexpr Ambiguity row{"pmx-lone-float-flag", "PMX", 6, opmx_dequantize(), readings,
      "What does float_zeropoint mean without has_zeropoint?",
      "opmx, float_zeropoint: \"Use floating point zeropoint for untraditional asymmetry quantization.\", which does not mention "
      "has_zeropoint"};
};

struct BiasPrecision : AmbiguityBase {
  enum Reading { in_float32, in_scale_type, fused, promoted };
  static constexpr ReadingInfo readings[promoted + 1]{
      {"in-float32", primary, "Computes in float32, and rounds the result to the output type."},
      {"in-scale-type", permitted, "Computes in the type of Scale, with a rounding at every step."},
      {"fused", permitted, "Rounds once, to the output type."},
      {"promoted", permitted,
       "Computes the product in the type of Scale, and with the zero point in the wider of its type and that of Scale."}};
  static constexpr Ambiguity row{"pmx-bias-precision", "PMX", 7, opmx_dequantize(), readings,
      "In which precision is computed with a floating-point zero point?",
      "opmx: silent; with an integer zero point, or none, all precisions give the same"};
};

struct FloatTypedZeroPoint : AmbiguityBase {
  enum Reading { subtracted, invalid, added };
  static constexpr ReadingInfo readings[added + 1]{
      {"subtracted", primary, "Subtracts its number, as the formula without float_zeropoint says."},
      {"invalid", permitted, "Rejects the node."},
      {"added", rejected, "Takes the type for the attribute, and adds it to the product."}};
  static constexpr Ambiguity row{"pmx-float-typed-zero-point", "PMX", 18, opmx_dequantize(), readings,
      "May the zero point have a floating-point type when float_zeropoint is false?",
      "opmx, ZeroPoint: \"Data type MUST be floating point when float_zeropoint == True\"; of the other case nothing is said"};
};

struct MixedFloatZeroPoint : AmbiguityBase {
  enum Reading { as_given, rounded_to_scale_type };
  static constexpr ReadingInfo readings[rounded_to_scale_type + 1]{
      {"as-given", primary, "Computes with the number that it is."},
      {"rounded-to-scale-type", permitted, "Rounds it to float16 first."}};
  static constexpr Ambiguity row{"pmx-mixed-float-zero-point", "PMX", 19, opmx_dequantize(), readings,
      "Is a float32 zero point rounded before it is used if Scale is float16?",
      "opmx, T3: independent of T2; silent on the conversion"};
};

struct BooleanValues : AmbiguityBase {
  enum Reading { nonzero_is_true, only_one_is_true, other_values_invalid };
  static constexpr ReadingInfo readings[other_values_invalid + 1]{
      {"nonzero-is-true", primary, "Takes every value but 0 for true."},
      {"only-one-is-true", permitted, "Takes every value but 1 for false."},
      {"other-values-invalid", permitted, "Rejects values other than 0 and 1."}};
  static constexpr Ambiguity row{"pmx-boolean-values", "PMX", 20, opmx_dequantize(), readings,
      "What do values of has_zeropoint and float_zeropoint other than 0 and 1 mean?",
      "opmx: \"has_zeropoint: bool(default: False)\", which ONNX's attributes are not; exporters write the integers 0 and 1"};
};
// clang-format on

}  // namespace touchstone::spec
