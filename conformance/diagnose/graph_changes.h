// Changes of a graph before it is computed: what optimizers do wrong. Each returns false if it left the graph
// unchanged.
#pragma once

#include "reference/model/graph.h"

namespace touchstone::conformance {

using reference::GraphModel;

// Pairs of quantization operators.
bool remove_first_pair(GraphModel& model);
bool remove_second_pair(GraphModel& model);
bool merge_pairs_by_intersection(GraphModel& model);
bool remove_quantize_dequantize(GraphModel& model);
bool keep_saturation_only(GraphModel& model);
bool keep_saturation_only_before_add(GraphModel& model);
bool remove_dequantize_quantize(GraphModel& model);
bool insert_uint8_pair(GraphModel& model);
bool requantize_with_first_scale(GraphModel& model);
bool requantize_with_first_zero_point(GraphModel& model);
bool dequantize_with_second_scale(GraphModel& model);
bool use_first_axis_for_both(GraphModel& model);
bool saturate_to_lowest_if_negative(GraphModel& model);
bool saturate_to_highest_if_negative(GraphModel& model);

// Operators that move elements. DequantizeLinear goes behind them with the same axis, if its parameters still fit.
bool dequantize_behind_transpose(GraphModel& model);
bool dequantize_behind_reshape(GraphModel& model);
bool dequantize_behind_unsqueeze(GraphModel& model);
bool dequantize_behind_expand(GraphModel& model);
bool dequantize_behind_gather(GraphModel& model);
bool dequantize_behind_concat(GraphModel& model);
bool move_elements_of_quantized(GraphModel& model);

bool invert_permutation(GraphModel& model);

// Operators that choose among elements.
bool find_largest_code(GraphModel& model);
bool take_old_default_of_softmax(GraphModel& model);
bool pad_codes_with_0(GraphModel& model);
bool pad_with_0(GraphModel& model);
bool pool_codes(GraphModel& model);
bool pool_behind_quantize(GraphModel& model);
bool take_maximum_of_magnitudes(GraphModel& model);
bool swap_maximum(GraphModel& model);
bool swap_minimum(GraphModel& model);
bool remove_relu_before_quantize(GraphModel& model);
bool remove_relu_behind_dequantize(GraphModel& model);
bool relu_of_codes(GraphModel& model);
bool remove_clip_before_quantize(GraphModel& model);
bool remove_lower_limit_of_clip(GraphModel& model);
bool remove_upper_limit_of_clip(GraphModel& model);
bool choose_other_of_where(GraphModel& model);
bool interpolate_codes(GraphModel& model);
bool resize_to_other_neighbor(GraphModel& model);

// Several readers, and values that nodes compute.
bool give_requantized_output(GraphModel& model);
bool give_unquantized_output(GraphModel& model);
bool ignore_computed_scale(GraphModel& model);
bool ignore_computed_zero_point(GraphModel& model);

// Constants.
bool fold_signed_constants_as_unsigned(GraphModel& model);
bool fold_constants_without_zero_point(GraphModel& model);
bool fold_constants_with_first_scale(GraphModel& model);

// Sums and products.
bool forget_zero_point_of_first_factor(GraphModel& model);
bool forget_zero_point_of_weights(GraphModel& model);
bool forget_zero_point_of_filters(GraphModel& model);
bool use_one_scale_for_weights(GraphModel& model);
bool reverse_scales_of_weights(GraphModel& model);
bool multiply_bias_by_alpha(GraphModel& model);
bool remove_alpha(GraphModel& model);
bool remove_beta(GraphModel& model);
bool remove_bias_of_gemm(GraphModel& model);
bool ignore_trans_a(GraphModel& model);
bool ignore_trans_b(GraphModel& model);
bool remove_bias_of_conv(GraphModel& model);
bool scale_bias_by_product(GraphModel& model);
bool use_first_bias(GraphModel& model);
bool scale_bias_by_input(GraphModel& model);
bool scale_bias_by_weights(GraphModel& model);
bool add_with_one_scale(GraphModel& model);
bool multiply_with_one_scale(GraphModel& model);
bool forget_zero_points_of_sums(GraphModel& model);
bool forget_zero_points_of_products(GraphModel& model);
bool rescale_products_of_codes(GraphModel& model);
bool rescale_sums_of_codes(GraphModel& model);
bool lose_sign_of_factor(GraphModel& model);
bool lose_added_constant(GraphModel& model);

// Weights in blocks, sums of 16 bits, results, padding and biases.
bool use_first_block_of_weights(GraphModel& model);
bool saturate_pairs_of_products(GraphModel& model);
bool saturate_pairs_of_shifted_products(GraphModel& model);
bool wrap_pairs_of_products(GraphModel& model);
bool wrap_pairs_of_shifted_products(GraphModel& model);
bool halve_weights_of_conv(GraphModel& model);
bool use_one_scale_for_results(GraphModel& model);
bool pad_at_other_end(GraphModel& model);
bool pad_conv_with_code_0(GraphModel& model);
bool quantize_bias(GraphModel& model);
bool multiply_shared_scale(GraphModel& model);
bool use_first_zero_point_for_both(GraphModel& model);

// Branches and functions.
bool run_other_branch(GraphModel& model);
bool use_scales_of_other_branch(GraphModel& model);
bool remove_relu_in_functions(GraphModel& model);

}  // namespace touchstone::conformance
