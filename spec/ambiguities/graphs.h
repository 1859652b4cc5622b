// Ambiguities of the operators that stand between quantization operators in a graph.
#pragma once

#include "spec/ambiguity.h"

namespace touchstone::spec {

// clang-format off
/// If a factor is too large for float16, it becomes infinite, and the sum is what IEEE 754 makes of it: infinite, or NaN.
/// Where a factor would be a subnormal float16 number, which implementations may flush to zero, the reading decides nothing.
/// Processors that multiply narrow types keep tensors in them, too: where a result rounds, and has bounds, the readings that round to
/// bfloat16 or float16 permit that operands and results of other operators are rounded to this type, and biases and results of sums.
/// An output of float32 of a part of a larger model may be rounded to it even if it is exact: the part is a cut through that model.
struct FactorPrecision : AmbiguityBase {
  enum Reading {
    as_given, rounded_to_bfloat16, scales_rounded_to_bfloat16, products_rounded_to_bfloat16, rounded_to_float16, rounded_to_tf32,
    tensors_rounded_to_bfloat16, folded_scales_rounded_to_bfloat16, weight_scales_rounded_to_bfloat16, weight_products_rounded_to_bfloat16,
    activations_rounded_to_bfloat16,
    quantized_to_int8, quantized_in_blocks, quantized_in_blocks_of_bfloat16,
    quantized_to_int8_per_tensor, quantized_to_uint8, quantized_to_uint8_per_tensor, quantized_in_blocks_of_16,
    quantized_in_blocks_after_bfloat16
  };
  static constexpr ReadingInfo readings[quantized_in_blocks_after_bfloat16 + 1]{
      {"as-given", primary, "Multiplies the elements of the operands as they are."},
      {"rounded-to-bfloat16", permitted, "Rounds every factor to bfloat16, to nearest and ties to even, but neither products nor sums."},
      {"scales-rounded-to-bfloat16", permitted, "Rounds the scales of dequantized factors and all other factors to bfloat16, to nearest and "
       "ties to even, but neither products nor sums."},
      {"products-rounded-to-bfloat16", permitted, "Rounds the scales of dequantized factors to bfloat16, and then every factor, to nearest and "
       "ties to even, but neither products nor sums of factors."},
      {"rounded-to-float16", permitted, "Rounds every factor to float16, to nearest and ties to even, but neither products nor sums. A factor "
       "that is too large becomes infinite."},
      {"rounded-to-tf32", permitted, "Rounds every factor to 10 fraction bits with the exponents of float32, to nearest and ties to even, "
       "but neither products nor sums."},
      {"tensors-rounded-to-bfloat16", permitted, "Multiplies the elements of the operands as they are, but rounds tensors between other "
       "operators to bfloat16, to nearest and ties to even, where this decides a result that rounds."},
      {"folded-scales-rounded-to-bfloat16", permitted, "Multiplies the factors of the second operand by the scale with which the first one was "
       "dequantized, if it has one, rounds them to bfloat16, to nearest and ties to even, and multiplies them by the first operand without its "
       "scale."},
      {"weight-scales-rounded-to-bfloat16", permitted, "Rounds the scales of dequantized constants, and all factors but these constants, to "
       "bfloat16, to nearest and ties to even, but neither products nor sums."},
      {"weight-products-rounded-to-bfloat16", permitted, "Rounds the scales of dequantized constants to bfloat16, and then every factor, to "
       "nearest and ties to even, but neither products nor sums of factors."},
      {"activations-rounded-to-bfloat16", permitted, "Rounds all factors but dequantized constants to bfloat16, to nearest and ties to even, "
       "but neither products nor sums."},
      {"quantized-to-int8", rejected, "Quantizes the first operand to int8 before it multiplies, although the model has no QuantizeLinear "
       "there, with a scale of its own for each row of a matrix."},
      {"quantized-in-blocks", rejected, "Quantizes the first operand to int8 before it multiplies, although the model has no QuantizeLinear "
       "there, with a scale of its own for each 32 elements of a row."},
      {"quantized-in-blocks-of-bfloat16", rejected, "Rounds the first operand and scales to bfloat16, and quantizes the first operand to int8 "
       "before it multiplies, although the model has no QuantizeLinear there, with a scale of its own for each 32 elements of a row."},
      {"quantized-to-int8-per-tensor", rejected, "Quantizes the first operand to int8 before it multiplies, although the model has no "
       "QuantizeLinear there, with one scale."},
      {"quantized-to-uint8", rejected, "Quantizes the first operand to uint8 before it multiplies, although the model has no QuantizeLinear "
       "there, with a scale and a zero point of its own for each row of a matrix."},
      {"quantized-to-uint8-per-tensor", rejected, "Quantizes the first operand to uint8 before it multiplies, although the model has no "
       "QuantizeLinear there, with one scale and one zero point, as DynamicQuantizeLinear does."},
      {"quantized-in-blocks-of-16", rejected, "Quantizes the first operand to int8 before it multiplies, although the model has no "
       "QuantizeLinear there, with a scale of its own for each 16 elements of a row."},
      {"quantized-in-blocks-after-bfloat16", rejected, "Rounds the first operand to bfloat16, and quantizes it to int8 before it multiplies, "
       "although the model has no QuantizeLinear there, with a scale of its own for each 32 elements of a row."}};
  static constexpr Ambiguity row{"amb-factor-precision", "AMB", 72, others("MatMul", "Gemm", "Conv", "ConvTranspose"),
      "With which precision are the elements of the operands of MatMul, Gemm, Conv and ConvTranspose multiplied?",
      "All versions are silent: \"Matrix product that behaves like\"; \"Compute Y = alpha * A' * B' + beta * C\"; \"The convolution "
      "operator consumes an input tensor and a filter, and computes the output\". Processors multiply in narrower floating-point types. "
      "Quantization is another operation, for which there are operators: DynamicQuantizeLinear, \"A Function to fuse calculation for Scale, "
      "Zero Point and FP32->8Bit conversion of FP32 Input data\"", readings};
};
// clang-format on

}  // namespace touchstone::spec
