// The wrong models of graphs.
#include <array>

#include "conformance/diagnose/graph_changes.h"
#include "conformance/diagnose/wrong_model.h"

namespace touchstone::conformance {

namespace {

constexpr WrongModel graph(std::string_view name, std::string_view sentence, bool (*change)(GraphModel& model)) {
  return {.name = name, .group = WrongModelGroup::graphs, .sentence = sentence, .graph = change};
}

// clang-format off
constexpr std::array graph_rows{
    graph("merges-unlike-pairs-into-last", "merges QuantizeLinear and DequantizeLinear twice, with different parameters, into the last pair", remove_first_pair),
    graph("merges-unlike-pairs-into-first", "merges QuantizeLinear and DequantizeLinear twice, with different parameters, into the first pair", remove_second_pair),
    graph("merges-unlike-pairs-by-intersection", "merges QuantizeLinear and DequantizeLinear twice, with different parameters, into a pair for the numbers that are in the ranges of both", merge_pairs_by_intersection),
    graph("removes-quantize-dequantize", "removes QuantizeLinear and the DequantizeLinear behind it", remove_quantize_dequantize),
    graph("keeps-saturation-only", "replaces QuantizeLinear and the DequantizeLinear behind it by limits: saturates, but does not round", keep_saturation_only),
    graph("keeps-saturation-only-before-add", "replaces QuantizeLinear and the DequantizeLinear behind it, between a product and Add, by limits: saturates, but does not round", keep_saturation_only_before_add),
    graph("removes-unlike-dequantize-quantize", "removes DequantizeLinear and the QuantizeLinear behind it, although their parameters differ", remove_dequantize_quantize),
    graph("inserts-uint8-pair", "inserts QuantizeLinear to uint8 and DequantizeLinear behind what moves dequantized elements, which loses negative numbers", insert_uint8_pair),
    graph("requantizes-with-first-scale", "quantizes again with the scale of the DequantizeLinear before", requantize_with_first_scale),
    graph("requantizes-with-first-zero-point", "quantizes again with the zero point of the DequantizeLinear before", requantize_with_first_zero_point),
    graph("dequantizes-with-second-scale", "dequantizes with the scale of the QuantizeLinear behind", dequantize_with_second_scale),
    graph("saturates-to-lowest-if-negative", "limits the input of QuantizeLinear to a range whose ends a negative scale exchanges, so it always gives the lowest code", saturate_to_lowest_if_negative),
    graph("saturates-to-highest-if-negative", "limits the input of QuantizeLinear to a range whose ends a negative scale exchanges, so it always gives the highest code", saturate_to_highest_if_negative),
    graph("uses-first-axis-for-both", "uses the axis of DequantizeLinear for the QuantizeLinear that has the same scale", use_first_axis_for_both),

    graph("keeps-axis-across-transpose", "moves DequantizeLinear behind Transpose with the same axis", dequantize_behind_transpose),
    graph("keeps-axis-across-reshape", "moves DequantizeLinear behind Reshape with the same axis", dequantize_behind_reshape),
    graph("keeps-axis-across-unsqueeze", "moves DequantizeLinear behind Unsqueeze with the same axis", dequantize_behind_unsqueeze),
    graph("keeps-axis-across-expand", "moves DequantizeLinear behind Expand with the same axis", dequantize_behind_expand),
    graph("keeps-scales-across-gather", "moves DequantizeLinear behind Gather with the scales of the old channels", dequantize_behind_gather),
    graph("concatenates-unlike-codes", "concatenates quantized elements with different parameters, and uses the first ones", dequantize_behind_concat),
    graph("moves-codes-between-unlike-scales", "moves quantized elements, although the scales before and behind differ", move_elements_of_quantized),

    graph("inverts-permutation", "transposes with the inverse of the permutation", invert_permutation),

    graph("takes-old-default-of-softmax", "computes Softmax along axis 1 by default, as before version 13", take_old_default_of_softmax),
    graph("finds-largest-code", "finds the largest quantized element, although a negative scale reverses the order, or scales differ", find_largest_code),
    graph("pads-codes-with-0", "pads quantized elements with 0 instead of the zero point", pad_codes_with_0),
    graph("pads-with-0", "pads with 0 instead of the constant", pad_with_0),
    graph("pools-codes", "pools quantized elements, although a negative scale reverses their order", pool_codes),
    graph("pools-behind-quantize", "moves MaxPool behind QuantizeLinear, although a negative scale reverses the order", pool_behind_quantize),
    graph("loses-sign-of-scale-before-pool", "ignores the sign of the scale before MaxPool", take_maximum_of_magnitudes),
    graph("swaps-max", "computes Min instead of Max", swap_maximum),
    graph("swaps-min", "computes Max instead of Min", swap_minimum),
    graph("removes-relu-before-quantize", "removes Relu before QuantizeLinear", remove_relu_before_quantize),
    graph("removes-relu-behind-dequantize", "removes Relu behind DequantizeLinear", remove_relu_behind_dequantize),
    graph("computes-relu-of-codes", "computes Relu of quantized elements", relu_of_codes),
    graph("removes-clip-before-quantize", "removes Clip before QuantizeLinear", remove_clip_before_quantize),
    graph("ignores-lower-limit", "ignores the lower limit of Clip", remove_lower_limit_of_clip),
    graph("ignores-upper-limit", "ignores the upper limit of Clip", remove_upper_limit_of_clip),
    graph("inverts-condition", "inverts the condition of Where", choose_other_of_where),
    graph("interpolates-codes", "interpolates quantized elements, and truncates", interpolate_codes),
    graph("resizes-to-neighbor-above", "resizes to the neighbor above instead of the one below", resize_to_other_neighbor),

    graph("gives-requantized-output", "gives the quantized and dequantized value where an output of the graph is the value before", give_requantized_output),
    graph("gives-unquantized-output", "gives the value before it was quantized and dequantized", give_unquantized_output),
    graph("ignores-computed-scale", "uses a scale before the node that computes it", ignore_computed_scale),
    graph("ignores-computed-zero-point", "takes a zero point that a node computes for 0", ignore_computed_zero_point),

    graph("folds-signed-constants-as-unsigned", "folds constants of signed types as unsigned ones", fold_signed_constants_as_unsigned),
    graph("folds-constants-without-zero-point", "folds constants without their zero points", fold_constants_without_zero_point),
    graph("folds-constants-with-first-scale", "folds constants with one scale instead of one for each channel", fold_constants_with_first_scale),

    graph("forgets-zero-point-of-first-factor", "ignores the zero point of the first operand of MatMul, Gemm and Conv", forget_zero_point_of_first_factor),
    graph("forgets-zero-point-of-weights", "ignores the zero point of the second operand of MatMul and Gemm", forget_zero_point_of_weights),
    graph("forgets-zero-point-of-filters", "ignores the zero point of the filters of Conv", forget_zero_point_of_filters),
    graph("uses-one-scale-for-weights", "uses one scale for weights that have one for each channel", use_one_scale_for_weights),
    graph("reverses-scales-of-weights", "uses the scales of weights in reverse order", reverse_scales_of_weights),
    graph("multiplies-bias-by-alpha", "multiplies the bias of Gemm by alpha, too", multiply_bias_by_alpha),
    graph("ignores-alpha", "ignores alpha of Gemm", remove_alpha),
    graph("ignores-beta", "ignores beta of Gemm", remove_beta),
    graph("loses-bias-of-gemm", "loses the bias of Gemm", remove_bias_of_gemm),
    graph("ignores-trans-a", "ignores transA of Gemm", ignore_trans_a),
    graph("ignores-trans-b", "ignores transB of Gemm", ignore_trans_b),
    graph("loses-bias-of-conv", "loses the bias of Conv", remove_bias_of_conv),
    graph("scales-bias-by-product", "dequantizes the bias of Conv and Gemm with the product of the scales of the factors instead of its own scale", scale_bias_by_product),
    graph("uses-first-bias", "adds the bias of the first channel to all channels of Conv and ConvTranspose", use_first_bias),
    graph("scales-bias-by-input", "dequantizes the bias of Conv and Gemm with the scale of the first operand alone", scale_bias_by_input),
    graph("scales-bias-by-weights", "dequantizes the bias of Conv and Gemm with the scale of the weights alone", scale_bias_by_weights),
    graph("adds-with-one-scale", "dequantizes both operands of Add with the scale of the first", add_with_one_scale),
    graph("multiplies-with-one-scale", "dequantizes both operands of Mul with the scale of the first", multiply_with_one_scale),
    graph("forgets-zero-points-of-sums", "ignores the zero points of the operands of Add", forget_zero_points_of_sums),
    graph("forgets-zero-points-of-products", "ignores the zero points of the operands of Mul", forget_zero_points_of_products),
    graph("rescales-products-of-codes", "multiplies the differences of both operands of Mul and their zero points, multiplies the product by one rounded factor for all scales, adds the zero point, and rounds", rescale_products_of_codes),
    graph("rescales-sums-of-codes", "multiplies both operands of Add, without their zero points, by a rounded ratio of scales each, adds one rounded offset for all zero points, and rounds", rescale_sums_of_codes),
    graph("loses-sign-of-factor", "ignores the sign of a constant factor behind DequantizeLinear", lose_sign_of_factor),
    graph("loses-added-constant", "loses a constant that is added behind DequantizeLinear", lose_added_constant),

    graph("uses-first-block-of-weights", "uses the scales of the first block of weights for all blocks", use_first_block_of_weights),
    graph("saturates-pairs-of-products", "saturates sums of two products to 16 bits", saturate_pairs_of_products),
    graph("saturates-pairs-of-shifted-products", "adds 128 to the first factors, which makes int8 unsigned, and saturates sums of two products to 16 bits", saturate_pairs_of_shifted_products),
    graph("wraps-pairs-of-products", "adds two products that are 8 terms apart in 16 bits, where their sum wraps", wrap_pairs_of_products),
    graph("wraps-pairs-of-shifted-products", "subtracts 128 from the first factors, which makes uint8 signed, and adds two products that are 8 terms apart in 16 bits, where their sum wraps", wrap_pairs_of_shifted_products),
    graph("halves-weights-of-conv", "rounds the int8 weights of Conv to even numbers", halve_weights_of_conv),
    graph("uses-one-scale-for-results", "quantizes results of sums and products with one scale instead of one for each channel", use_one_scale_for_results),
    graph("pads-at-other-end", "pads at the end what Conv pads at the beginning, and the reverse", pad_at_other_end),
    graph("pads-conv-with-code-0", "pads the quantized elements of Conv with 0 instead of the zero point", pad_conv_with_code_0),
    graph("quantizes-bias", "rounds a float bias to a multiple of the product of the scales", quantize_bias),
    graph("multiplies-shared-scale", "multiplies a constant factor into a scale that another node uses, too", multiply_shared_scale),
    graph("uses-first-zero-point-for-both", "dequantizes both operands of Add, Mul and Concat with the zero point of the first", use_first_zero_point_for_both),

    graph("runs-other-branch", "runs the other branch of If", run_other_branch),
    graph("uses-scales-of-other-branch", "uses the scales of the other branch of If", use_scales_of_other_branch),
    graph("removes-relu-in-functions", "removes Relu in functions", remove_relu_in_functions),
};
// clang-format on

}  // namespace

std::span<const WrongModel> wrong_graphs() { return graph_rows; }

}  // namespace touchstone::conformance
