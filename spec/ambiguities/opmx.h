// Ambiguities of opmx DequantizeLinear: packing, types, and the meaning of codes.
//
// "torch" is the code in the page's repository (OpenPPL's ppl.pmx), "CUDA" the kernels for it (ppl.llm.kernel.cuda,
// i4f16). Neither implements the whole operator: both implement fused operators with int4 weights. The clauses correct
// what is certainly wrong on the page.
#pragma once

#include "spec/ambiguity.h"

namespace touchstone::spec {

// clang-format off
struct Int4WithoutZeroPoint : AmbiguityBase {
  enum Reading { offset_8, twos_complement, no_offset };
  static constexpr ReadingInfo readings[no_offset + 1]{
      {"offset-8", primary, "Takes the code, 0 to 15, less 8."},
      {"twos-complement", permitted, "Takes the code for two's complement: 8 to 15 are -8 to -1."},
      {"no-offset", rejected, "Takes the code as it is."}};
  static constexpr Ambiguity row{"pmx-int4-without-zero-point", "PMX", 1, opmx_dequantize(),
      "Which number is a code of int4 data when there is no zero point?",
      "opmx, quant_data_type: \"Options: int4, int8\", without a word on signs; torch and CUDA subtract 8", readings};
};

struct Int8Codes : AmbiguityBase {
  enum Reading { twos_complement, offset_128 };
  static constexpr ReadingInfo readings[offset_128 + 1]{
      {"twos-complement", primary, "Takes int8 data for what they are; without a zero point it is 0."},
      {"offset-128", rejected, "Takes the bytes of data and zero point for 0 to 255, and subtracts 128 where no int8 zero point is."}};
  static constexpr Ambiguity row{"pmx-int8-codes", "PMX", 4, opmx_dequantize(),
      "Are int8 data offset as int4 data are?",
      "opmx, T1: \"int8, int16(for int4x4)\"; torch's helper has an offset of 2^(bits - 1), but is made for 4 bits only", readings};
};

struct OpmxOutputType : AmbiguityBase {
  enum Reading { scale_type, always_float16 };
  static constexpr ReadingInfo readings[always_float16 + 1]{
      {"scale-type", primary, "Gives the type of Scale."},
      {"always-float16", rejected, "Computes in the type of Scale, and rounds to float16."}};
  static constexpr Ambiguity row{"pmx-output-type", "PMX", 8, opmx_dequantize(),
      "Which type has Y when Scale is float32?",
      "opmx: \"Scale(constant): tensor(T2)\", \"Y: tensor(T2)\"; torch always gives float16", readings};
};

struct Float32ScaleOfInt4 : AmbiguityBase {
  enum Reading { accepted, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"accepted", primary, "Takes it."},
      {"invalid", rejected, "Takes float16 scales only."}};
  static constexpr Ambiguity row{"pmx-float32-scale-of-int4", "PMX", 13, opmx_dequantize(),
      "May Scale be float32 if the data is int4?",
      "opmx, T2, for all data: \"float32, float16\"; torch and CUDA know float16 only", readings};
};

struct VariableParameters : AmbiguityBase {
  enum Reading { accepted, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"accepted", primary, "Takes them."},
      {"invalid", permitted, "Rejects the node."}};
  static constexpr Ambiguity row{"pmx-variable-parameters", "PMX", 14, opmx_dequantize(),
      "May Scale and ZeroPoint be given when the graph runs?",
      "opmx, inputs: \"Scale(constant)\", \"ZeroPoint(constant, optional)\"; their values decide nothing else of the node", readings};
};

struct GivenQuantMethod : AmbiguityBase {
  enum Reading { ignored, invalid };
  static constexpr ReadingInfo readings[invalid + 1]{
      {"ignored", primary, "Computes the same, whatever it says."},
      {"invalid", permitted, "Rejects a quant_method that is not empty."}};
  static constexpr Ambiguity row{"pmx-given-quant-method", "PMX", 16, opmx_dequantize(),
      "What does a quant_method mean that is not empty?",
      "opmx, quant_method: \"Reserved. Auxiliary attribute for quantization method.\"", readings};
};

struct NibbleOrder : AmbiguityBase {
  enum Reading { low_nibble_first, high_nibble_first, strided_rows, columns };
  static constexpr ReadingInfo readings[columns + 1]{
      {"low-nibble-first", primary, "Finds row 4p + j in the bits 4j to 4j + 3 of row p of X."},
      {"high-nibble-first", rejected, "Finds row 4p in the four highest bits, and so on downwards."},
      {"strided-rows", rejected, "Finds row p + j * d0 / 4 in the bits 4j to 4j + 3 of row p."},
      {"columns", rejected, "Finds four consecutive columns, not rows, in an element of X."}};
  static constexpr Ambiguity row{"pmx-nibble-order", "PMX", 17, opmx_dequantize(),
      "Which four elements share an element of X, and in which order?",
      "opmx, X: \"Data is packed as int4x4\", and no more; torch and CUDA agree on the lowest bits first", readings};
};
// clang-format on

}  // namespace touchstone::spec
