// Ambiguities of opmx DequantizeLinear: packing, types, and the meaning of codes.
//
// "torch" is the code in the page's repository (OpenPPL's ppl.pmx), "CUDA" the kernels for it (ppl.llm.kernel.cuda,
// i4f16). Neither implements the whole operator: both implement fused operators with int4 weights. The clauses correct
// what is certainly wrong on the page.
#pragma once

#include <iterator>

#include "spec/ambiguity.h"

namespace touchstone::spec {

struct Int4WithoutZeroPoint {
  enum Reading { offset_8, twos_complement, no_offset };
  static constexpr ReadingInfo readings[] = {
      {"offset-8", ReadingStatus::primary, "Takes the code, 0 to 15, less 8."},
      {"twos-complement", ReadingStatus::permitted, "Takes the code for two's complement: 8 to 15 are -8 to -1."},
      {"no-offset", ReadingStatus::rejected, "Takes the code as it is."},
  };
  static_assert(std::size(readings) == no_offset + 1);
  static constexpr Ambiguity row{
      .id = "pmx-int4-without-zero-point",
      .series = "PMX",
      .number = 1,
      .applies = opmx_dequantize(),
      .question = "Which number is a code of int4 data when there is no zero point?",
      .source = "opmx, quant_data_type: \"Options: int4, int8\", without a word on signs; torch and CUDA subtract 8",
      .readings = readings,
  };
};

struct Int8Codes {
  enum Reading { twos_complement, offset_128 };
  static constexpr ReadingInfo readings[] = {
      {"twos-complement", ReadingStatus::primary, "Takes int8 data for what they are; without a zero point it is 0."},
      {"offset-128", ReadingStatus::rejected,
       "Takes the bytes of data and zero point for 0 to 255, and subtracts 128 where no int8 zero point is."},
  };
  static_assert(std::size(readings) == offset_128 + 1);
  static constexpr Ambiguity row{
      .id = "pmx-int8-codes",
      .series = "PMX",
      .number = 4,
      .applies = opmx_dequantize(),
      .question = "Are int8 data offset as int4 data are?",
      .source =
          "opmx, T1: \"int8, int16(for int4x4)\"; torch's helper has an offset of 2^(bits - 1), but is made "
          "for 4 bits only",
      .readings = readings,
  };
};

struct OpmxOutputType {
  enum Reading { scale_type, always_float16 };
  static constexpr ReadingInfo readings[] = {
      {"scale-type", ReadingStatus::primary, "Gives the type of Scale."},
      {"always-float16", ReadingStatus::rejected, "Computes in the type of Scale, and rounds to float16."},
  };
  static_assert(std::size(readings) == always_float16 + 1);
  static constexpr Ambiguity row{
      .id = "pmx-output-type",
      .series = "PMX",
      .number = 8,
      .applies = opmx_dequantize(),
      .question = "Which type has Y when Scale is float32?",
      .source = "opmx: \"Scale(constant): tensor(T2)\", \"Y: tensor(T2)\"; torch always gives float16",
      .readings = readings,
  };
};

struct Float32ScaleOfInt4 {
  enum Reading { accepted, invalid };
  static constexpr ReadingInfo readings[] = {
      {"accepted", ReadingStatus::primary, "Takes it."},
      {"invalid", ReadingStatus::rejected, "Takes float16 scales only."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "pmx-float32-scale-of-int4",
      .series = "PMX",
      .number = 13,
      .applies = opmx_dequantize(),
      .question = "May Scale be float32 if the data is int4?",
      .source = "opmx, T2, for all data: \"float32, float16\"; torch and CUDA know float16 only",
      .readings = readings,
  };
};

struct VariableParameters {
  enum Reading { accepted, invalid };
  static constexpr ReadingInfo readings[] = {
      {"accepted", ReadingStatus::primary, "Takes them."},
      {"invalid", ReadingStatus::permitted, "Rejects the node."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "pmx-variable-parameters",
      .series = "PMX",
      .number = 14,
      .applies = opmx_dequantize(),
      .question = "May Scale and ZeroPoint be given when the graph runs?",
      .source =
          "opmx, inputs: \"Scale(constant)\", \"ZeroPoint(constant, optional)\"; their values decide nothing "
          "else of the node",
      .readings = readings,
  };
};

struct GivenQuantMethod {
  enum Reading { ignored, invalid };
  static constexpr ReadingInfo readings[] = {
      {"ignored", ReadingStatus::primary, "Computes the same, whatever it says."},
      {"invalid", ReadingStatus::permitted, "Rejects a quant_method that is not empty."},
  };
  static_assert(std::size(readings) == invalid + 1);
  static constexpr Ambiguity row{
      .id = "pmx-given-quant-method",
      .series = "PMX",
      .number = 16,
      .applies = opmx_dequantize(),
      .question = "What does a quant_method mean that is not empty?",
      .source = "opmx, quant_method: \"Reserved. Auxiliary attribute for quantization method.\"",
      .readings = readings,
  };
};

struct NibbleOrder {
  enum Reading { low_nibble_first, high_nibble_first, strided_rows, columns };
  static constexpr ReadingInfo readings[] = {
      {"low-nibble-first", ReadingStatus::primary, "Finds row 4p + j in the bits 4j to 4j + 3 of row p of X."},
      {"high-nibble-first", ReadingStatus::rejected, "Finds row 4p in the four highest bits, and so on downwards."},
      {"strided-rows", ReadingStatus::rejected, "Finds row p + j * d0 / 4 in the bits 4j to 4j + 3 of row p."},
      {"columns", ReadingStatus::rejected, "Finds four consecutive columns, not rows, in an element of X."},
  };
  static_assert(std::size(readings) == columns + 1);
  static constexpr Ambiguity row{
      .id = "pmx-nibble-order",
      .series = "PMX",
      .number = 17,
      .applies = opmx_dequantize(),
      .question = "Which four elements share an element of X, and in which order?",
      .source = "opmx, X: \"Data is packed as int4x4\", and no more; torch and CUDA agree on the lowest bits first",
      .readings = readings,
  };
};

}  // namespace touchstone::spec
