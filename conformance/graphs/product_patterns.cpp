// Patterns with sums and products of two tensors.
#include <array>
#include <string>
#include <vector>

#include "conformance/graphs/pattern_conditions.h"
#include "conformance/graphs/patterns.h"
#include "conformance/graphs/products.h"
#include "reference/codec.h"
#include "reference/host_numbers.h"

namespace touchstone::conformance {

std::string weights(GraphBuilder& g, const Shape& shape, std::int64_t axis) {
  return g.dequantize({g.quantized_constant(shape, Data::small), g.first(shape, axis)});
}

std::string float_weights(GraphBuilder& g, const Shape& shape) {
  Picker picker = g.next_picker();
  std::vector<double> values;
  for (std::int64_t i = 0; i < *reference::element_count(shape); ++i)
    values.push_back((static_cast<double>(picker.below(128)) - 64) / 16);
  values[picker.below(values.size())] = 100;
  return g.numbers(shape, values);
}

std::string activations(GraphBuilder& g, const Shape& shape) {
  return g.dequantize({g.quantized_x(shape, Data::small), g.per_tensor(-2)});
}

std::string bias(GraphBuilder& g, Bias kind, std::int64_t length) {
  std::vector<double> numbers, scales;
  std::vector<std::uint64_t> codes;
  // The scale of the activations is a quarter of the first number, see `activations`.
  const double scale_of_x = g.parameters().scales == Scales::odd ? 0.1875 : 0.25;
  for (std::int64_t i = 0; i < length; ++i) {
    const auto place = static_cast<std::size_t>(i % 4);
    numbers.push_back(std::array{1.015625, -1.984375, 0.484375, 3.015625}.at(place));
    codes.push_back(static_cast<std::uint64_t>(std::array{3, -7, 100, 0}.at(place)));
    scales.push_back(scale_of_x * g.first_scale(i));
  }
  if (kind == Bias::numbers) return g.numbers({length}, numbers);
  const std::string values = g.constant(Tensor::from_codes(ElementType::int32, {length}, codes));
  if (kind == Bias::other_scale) return g.node("DequantizeLinear", {values, g.number(0.125)});
  if (conditions::is_per_tensor(g.parameters())) return g.node("DequantizeLinear", {values, g.number(scales.front())});
  return g.node("DequantizeLinear", {values, g.numbers({length}, scales)}, {{"axis", std::int64_t{0}}});
}

Tensor ends(GraphBuilder& g, ElementType type, const Shape& shape, Ends what) {
  const auto lowest = static_cast<double>(reference::lowest(type)),
             highest = static_cast<double>(reference::highest(type));
  Picker picker = g.next_picker();
  Tensor tensor(type, shape);
  const std::int64_t part = tensor.size() / shape[0];
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const double random = picker.coin() ? lowest : highest - static_cast<double>(picker.below(2));
    double value = random;
    if (what == Ends::rows) {
      // The product of two lowest numbers is the largest of signed types.
      if (i / part % 2 == 0) value = lowest < 0 ? lowest : highest;
    } else {
      const std::int64_t column = what == Ends::columns ? i % shape[1] : i / part;
      if (column < 2) value = column == 0 ? highest : lowest;
    }
    tensor.set_code(i, reference::encode(type, reference::exact(value)));
  }
  return tensor;
}

std::string residual(GraphBuilder& g, const std::string& product, const Shape& shape) {
  const Quantization between = g.results(shape, 1);
  const std::string sum =
      g.node("Add", {g.dequantize({g.quantize({product, between}), between}), activations(g, shape)});
  return g.quantize({sum, g.per_tensor(0)});
}

std::int64_t picked_rows(GraphBuilder& g) { return g.rows(g.picker().one_of(std::array<std::int64_t, 4>{1, 2, 3, 8})); }

std::string x_of_single_terms(GraphBuilder& g, const Shape& shape, std::int64_t distance, std::int64_t first) {
  Picker picker = g.next_picker();
  const std::int64_t count = *reference::element_count(shape), part = count / shape[0];
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < shape[0]; ++i) {
    const double magnitude = picker.coin() ? 1 : 2;
    const std::int64_t place = i * part + i * distance % part + first;
    values.at(static_cast<std::size_t>(place)) = picker.coin() ? magnitude : -magnitude;
  }
  return g.numbers_x(shape, values);
}

namespace {

using namespace conditions;
using Graph = GraphBuilder;

// ---- MatMul

void matmul(Graph& g) { g.output(g.node("MatMul", {activations(g, {g.rows(3), 5}), weights(g, {5, 4}, 1)})); }
void matmul_ql(Graph& g) {
  const std::string product = g.node("MatMul", {activations(g, {g.rows(3), 5}), weights(g, {5, 4}, 1)});
  g.output(g.quantize({product, g.results({g.rows(3), 4}, 1)}));
}
void matmul_of_two_inputs_ql(Graph& g) {
  const std::string a = activations(g, {g.rows(3), 5});
  const std::string b = g.dequantize({g.quantized_x({5, 4}, Data::small), g.per_tensor(-1)});
  g.output(g.quantize({g.node("MatMul", {a, b}), g.results({g.rows(3), 4}, 1)}));
}
/// The weights are the first operand, and x is a stack of matrices.
void matmul_of_weights_first_ql(Graph& g) {
  const std::string product = g.node("MatMul", {weights(g, {4, 5}, 0), activations(g, {g.rows(2), 5, 3})});
  g.output(g.quantize({product, g.results({g.rows(2), 4, 3}, 1)}));
}

/// Other activations are added to the quantized product, as in residual networks.
void matmul_add_ql(Graph& g) {
  const std::string product = g.node("MatMul", {activations(g, {g.rows(3), 5}), weights(g, {5, 4}, 1)});
  g.output(residual(g, product, {g.rows(3), 4}));
}

/// MatMul or Gemm.
template <bool is_gemm, bool is_quantized>
void matmul_at_ends(Graph& g) {
  const std::int64_t rows = picked_rows(g);
  const Shape left{rows, 64}, right{64, 4};
  const Quantization of_b = g.second(right, 1);
  const std::string a =
      g.dequantize({g.tensor_x(ends(g, g.parameters().quantized, left, Ends::rows)), g.per_tensor(-2)});
  const std::string b = g.dequantize({g.constant(ends(g, of_b.type, right, Ends::columns)), of_b});
  std::vector<std::string> inputs{a, b};
  if (is_gemm && g.opset() < 11) inputs.push_back(g.number(0));
  const std::string product = g.node(is_gemm ? "Gemm" : "MatMul", inputs);
  g.output(is_quantized ? g.quantize({product, g.results({rows, 4}, 1, 12)}) : product);
}

/// The scales are arbitrary: one product in each sum is not 0.
void matmul_of_single_terms(Graph& g) {
  const Shape shape{5, 4};
  const auto q = g.first(shape, is_blocked(g.parameters()) ? 0 : 1);
  const std::string weights = g.dequantize({g.quantized_constant(shape), q});
  g.output(g.node("MatMul", {x_of_single_terms(g, {g.rows(10), 5}, 1, 0), weights}));
}
void gemm_of_single_terms(Graph& g) {
  const Shape shape{4, 5};
  const auto q = g.first(shape, 0);
  std::vector<std::string> inputs{x_of_single_terms(g, {g.rows(10), 5}, 1, 0),
                                  g.dequantize({g.quantized_constant(shape), q})};
  if (g.opset() < 11) inputs.push_back(g.number(0));
  g.output(g.node("Gemm", inputs, {{"transB", std::int64_t{1}}}));
}

/// Sums of 27 bits, of which the last 8 are 0, so that float holds them.
void long_matmul(Graph& g) {
  const Shape left{g.rows(1), 2048}, right{2048, 2};
  const auto values = [&](std::int64_t count) {
    std::vector<std::int64_t> codes;
    const bool is_signed = reference::lowest(g.parameters().quantized) < 0;
    for (std::int64_t i = 0; i < count; ++i)
      codes.push_back(is_signed ? (i % 17 == 0 ? -128 : 112) : (i % 17 == 0 ? 0 : 240));
    return codes;
  };
  const Quantization q = g.per_tensor(-4);
  const std::string a = g.dequantize({g.quantized_x(left, values(2048 * left[0])), q});
  const std::string b = g.dequantize({g.quantized_x(right, values(4096)), q});
  g.output(g.node("MatMul", {a, b}));
}

// ---- weights in blocks along the summed axis

constexpr std::int64_t summed = 64, smallest_block = 16, columns = 3;

/// Each row has 1 or -1 in every block, so that it shows which scale each block has; with bfloat16 in two blocks, whose
/// sums it holds. In float32, each row also has a number of 13 bits, so that a row that is shortened or quantized again
/// shows. This number is next to one of 11 bits and to one of 8 bits, but no tie, so that all implementations that
/// shorten it get the same.
std::string x_of_blocks(Graph& g) {
  const ElementType type = g.parameters().number;
  const std::int64_t rows = picked_rows(g);
  Picker picker = g.next_picker();
  std::vector<double> values(static_cast<std::size_t>(rows * summed));
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto set = [&](std::int64_t place, double magnitude) {
      values.at(static_cast<std::size_t>(row * summed + place)) = picker.coin() ? magnitude : -magnitude;
    };
    const auto even = [&] { return 2 * static_cast<std::int64_t>(picker.below(smallest_block / 2)); };
    for (std::int64_t block = 0; block < summed; block += smallest_block)
      if (type != ElementType::bfloat16 || (block / smallest_block + row) % 4 < 2) set(block + even(), 1);
    if (type == ElementType::float32) {
      const std::int64_t odd = 2 * static_cast<std::int64_t>(picker.below(summed / 2)) + 1;
      set(odd, static_cast<double>(4096 + 32 * picker.below(32) + 5));
    }
  }
  return g.numbers_x({rows, summed}, values);
}

Quantization in_blocks(Graph& g, const Shape& shape, std::int64_t axis) {
  return g.first(shape, axis, g.picker().coin() ? smallest_block : 2 * smallest_block);
}

std::string weights_in_blocks(Graph& g, const Shape& shape, std::int64_t axis) {
  const auto q = in_blocks(g, shape, axis);
  return g.dequantize({g.quantized_constant(shape, Data::small), q});
}

void blocked_matmul(Graph& g) {
  g.output(g.node("MatMul", {x_of_blocks(g), weights_in_blocks(g, {summed, columns}, 0)}));
}
void blocked_matmul_of_input(Graph& g) {
  const Shape shape{summed, columns};
  const auto q = in_blocks(g, shape, 0);
  g.output(g.node("MatMul", {x_of_blocks(g), g.dequantize({g.quantized_x(shape, Data::small), q})}));
}
void blocked_transpose_matmul(Graph& g) {
  const std::string turned = g.node("Transpose", {weights_in_blocks(g, {columns, summed}, 1)});
  g.output(g.node("MatMul", {x_of_blocks(g), turned}));
}
template <bool is_transposed>
void blocked_gemm(Graph& g) {
  const std::string b =
      is_transposed ? weights_in_blocks(g, {columns, summed}, 1) : weights_in_blocks(g, {summed, columns}, 0);
  const NodeAttributes attributes = is_transposed ? NodeAttributes{{"transB", std::int64_t{1}}} : NodeAttributes{};
  g.output(g.node("Gemm", {x_of_blocks(g), b, g.numbers({columns}, {1, -2, 4})}, attributes));
}
void blocked_matmul_of_two_readers(Graph& g) {
  const std::string shared = weights_in_blocks(g, {summed, columns}, 0);
  g.output(g.node("MatMul", {x_of_blocks(g), shared}));
  g.output(g.node("MatMul", {x_of_blocks(g), shared}));
}
/// The activations are quantized too, as those of quantized networks are.
void blocked_matmul_of_quantized_ql(Graph& g) {
  const std::string product =
      g.node("MatMul", {activations(g, {g.rows(3), summed}), weights_in_blocks(g, {summed, 4}, 0)});
  g.output(g.quantize({product, g.per_tensor(2)}));
}

// ---- Gemm

void gemm(Graph& g, const NodeAttributes& attributes, Bias kind) {
  const bool a_is_transposed = attributes.contains("transA"), b_is_transposed = attributes.contains("transB");
  // If all lengths are 4, scales also fit a wrong axis.
  const bool is_distinct = g.has_distinct_lengths();
  const std::int64_t rows = g.rows(is_distinct ? 3 : 4), summed_length = is_distinct ? 5 : 4;
  const std::string a = activations(g, a_is_transposed ? Shape{summed_length, rows} : Shape{rows, summed_length});
  const std::string b = b_is_transposed ? weights(g, {4, summed_length}, 0) : weights(g, {summed_length, 4}, 1);
  std::vector<std::string> inputs{a, b};
  // C is optional since version 11.
  if (kind == Bias::none && g.opset() < 11) kind = Bias::numbers;
  if (kind != Bias::none) inputs.push_back(bias(g, kind, 4));
  g.output(g.quantize({g.node("Gemm", inputs, attributes), g.results({rows, 4}, 1)}));
}

void gemm_float_weights(Graph& g) {
  std::vector<std::string> inputs{activations(g, {g.rows(3), 5}), float_weights(g, {5, 4})};
  if (g.opset() < 11) inputs.push_back(g.number(0));
  g.output(g.quantize({g.node("Gemm", inputs), g.results({g.rows(3), 4}, 1, 0)}));
}
void gemm_plain(Graph& g) { gemm(g, NodeAttributes{}, Bias::none); }
void gemm_bias(Graph& g) { gemm(g, NodeAttributes{}, Bias::numbers); }
void gemm_int32_bias(Graph& g) { gemm(g, NodeAttributes{}, Bias::quantized); }
void gemm_other_bias(Graph& g) { gemm(g, NodeAttributes{}, Bias::other_scale); }
void gemm_int32_bias_alpha(Graph& g) { gemm(g, NodeAttributes{{"alpha", 2.0F}}, Bias::quantized); }
void gemm_int32_bias_beta(Graph& g) { gemm(g, NodeAttributes{{"beta", 2.0F}}, Bias::quantized); }
void gemm_alpha(Graph& g) { gemm(g, NodeAttributes{{"alpha", 0.5F}}, Bias::numbers); }
void gemm_beta(Graph& g) { gemm(g, NodeAttributes{{"beta", 4.0F}}, Bias::numbers); }
void gemm_alpha_beta(Graph& g) { gemm(g, NodeAttributes{{"alpha", 2.0F}, {"beta", 0.25F}}, Bias::numbers); }
void gemm_trans_a(Graph& g) { gemm(g, NodeAttributes{{"transA", std::int64_t{1}}}, Bias::numbers); }
void gemm_trans_b(Graph& g) { gemm(g, NodeAttributes{{"transB", std::int64_t{1}}}, Bias::numbers); }

// ---- Add, Mul

template <bool is_quantized>
void binary(Graph& g, const char* op) {
  const std::string a = activations(g, g.cube());
  const std::string b = g.dequantize({g.quantized_x(g.cube(), Data::small), g.per_tensor(-1)});
  const std::string value = g.node(op, {a, b});
  g.output(is_quantized ? g.quantize({value, g.results(g.cube(), g.quantized_axis(3), 0)}) : value);
}

void add(Graph& g) { binary<false>(g, "Add"); }
void add_ql(Graph& g) { binary<true>(g, "Add"); }
void sub_ql(Graph& g) { binary<true>(g, "Sub"); }
void mul(Graph& g) { binary<false>(g, "Mul"); }
void mul_ql(Graph& g) { binary<true>(g, "Mul"); }

/// Operands that differ as the second parameters do, in the zero point alone for example.
template <bool is_product>
void binary_of_unlike(Graph& g) {
  const std::string a = g.dequantize({g.quantized_x(g.cube(), Data::small), g.first(g.cube())});
  const Quantization second = g.second(g.cube());
  const std::string b = g.dequantize({g.quantized_constant(second.type, g.cube(), Data::small), second});
  g.output(g.node(is_product ? "Mul" : "Add", {a, b}));
}

void where_of_unlike(Graph& g) {
  const std::string a = g.dequantize({g.quantized_x(g.cube()), g.first(g.cube())});
  const Quantization second = g.second(g.cube());
  const std::string b = g.dequantize({g.quantized_constant(second.type, g.cube(), Data::any), second});
  Tensor condition(ElementType::boolean, {g.cube()[1], 1});
  for (std::int64_t i = 0; i < g.cube()[1]; i += 2) condition.set_code(i, 1);
  g.output(g.node("Where", {g.constant(condition), a, b}));
}

void add_constant_ql(Graph& g) {
  const std::string value = g.node("Add", {activations(g, g.cube()), g.number(2.5)});
  g.output(g.quantize({value, g.results(g.cube(), g.quantized_axis(3), 0)}));
}

void mul_constant_ql(Graph& g) {
  const std::string value = g.node("Mul", {activations(g, g.cube()), g.number(-2)});
  g.output(g.quantize({value, g.results(g.cube(), g.quantized_axis(3), 0)}));
}

// clang-format off
constexpr std::array product_rows{
    Pattern{"dq_matmul", "DequantizeLinear of both operands, MatMul", "forgets a zero point", computes, matmul},
    Pattern{"dq_matmul_ql", "DequantizeLinear of both operands, MatMul, QuantizeLinear", "forgets a zero point", computes, matmul_ql},
    Pattern{"dq_matmul_ql_dq_add_ql", "DequantizeLinear of both operands, MatMul, QuantizeLinear, DequantizeLinear, Add of other activations, QuantizeLinear", "does not round before Add", computes, matmul_add_ql},
    Pattern{"dq_matmul_of_inputs_ql", "DequantizeLinear of two inputs, MatMul, QuantizeLinear", "forgets a zero point", computes, matmul_of_two_inputs_ql},
    Pattern{"dq_matmul_weights_first_ql", "DequantizeLinear of weights and of a stack of matrices, MatMul, QuantizeLinear", "takes the first operand for the activations", computes, matmul_of_weights_first_ql},
    Pattern{"dq_matmul_at_ends", "MatMul of elements at the ends of their range", "saturates sums of two products to 16 bits", computes_at_ends, matmul_at_ends<false, false>},
    Pattern{"dq_matmul_at_ends_ql", "MatMul of elements at the ends of their range, QuantizeLinear", "saturates sums of two products to 16 bits", computes_at_ends, matmul_at_ends<false, true>},
    Pattern{"dq_matmul_at_unlike_ends", "MatMul of unsigned and signed elements at the ends of their range", "saturates sums of two products to 16 bits", computes_at_unlike_ends, matmul_at_ends<false, false>},
    Pattern{"dq_matmul_at_unlike_ends_ql", "MatMul of unsigned and signed elements at the ends of their range, QuantizeLinear", "saturates sums of two products to 16 bits", computes_at_unlike_ends, matmul_at_ends<false, true>},
    Pattern{"dq_gemm_at_ends", "Gemm of elements at the ends of their range", "saturates sums of two products to 16 bits", computes_at_ends, matmul_at_ends<true, false>},
    Pattern{"dq_gemm_at_ends_ql", "Gemm of elements at the ends of their range, QuantizeLinear", "saturates sums of two products to 16 bits", computes_at_ends, matmul_at_ends<true, true>},
    Pattern{"dq_gemm_at_unlike_ends_ql", "Gemm of unsigned and signed elements at the ends of their range, QuantizeLinear", "saturates sums of two products to 16 bits", computes_at_unlike_ends, matmul_at_ends<true, true>},
    Pattern{"dq_matmul_single_terms", "DequantizeLinear of weights, MatMul of rows with one number", "rounds the product of scales and numbers", computes_single_terms_in_any_layout, matmul_of_single_terms},
    Pattern{"dq_gemm_single_terms", "DequantizeLinear of weights, Gemm of rows with one number", "rounds the product of scales and numbers", computes_single_terms, gemm_of_single_terms},
    Pattern{"dq_long_matmul", "MatMul with 2,048 terms", "sums in too few bits", computes_bytes_without_zero_point, long_matmul},

    Pattern{"blocked_dq_matmul", "DequantizeLinear of weights in blocks along the summed axis, MatMul", "quantizes or shortens the activations, or uses the scale of another block", computes_in_blocks, blocked_matmul},
    Pattern{"blocked_dq_matmul_of_input", "the same with weights that are an input or a constant like x", "uses the scale of another block", computes_float_in_blocks, blocked_matmul_of_input},
    Pattern{"blocked_dq_transpose_matmul", "DequantizeLinear of weights in blocks along the last axis, Transpose, MatMul", "keeps the axis of the blocks", computes_in_blocks, blocked_transpose_matmul},
    Pattern{"blocked_dq_gemm", "DequantizeLinear of weights in blocks along the summed axis, Gemm with a bias", "quantizes or shortens the activations, or uses the scale of another block", computes_float_in_blocks, blocked_gemm<false>},
    Pattern{"blocked_dq_gemm_trans_b", "the same with transB", "keeps the axis of the blocks", computes_float_in_blocks, blocked_gemm<true>},
    Pattern{"blocked_dq_matmul_two_readers", "one DequantizeLinear of weights in blocks, and two MatMul", "fuses it into one reader, and loses the other", computes_in_blocks, blocked_matmul_of_two_readers},
    Pattern{"dq_blocked_dq_matmul_ql", "DequantizeLinear of activations and of weights in blocks, MatMul, QuantizeLinear", "forgets a zero point", computes_float_in_blocks, blocked_matmul_of_quantized_ql},

    Pattern{"dq_gemm_ql", "DequantizeLinear of both operands, Gemm, QuantizeLinear", "forgets a zero point", computes, gemm_plain},
    Pattern{"dq_gemm_bias_ql", "the same with a bias", "quantizes the bias", computes, gemm_bias},
    Pattern{"dq_gemm_int32_bias_ql", "the same with an int32 bias", "scales the bias otherwise", computes, gemm_int32_bias, is_disputed_vector},
    Pattern{"dq_gemm_other_bias_ql", "the same with another scale of the bias than the product of the others", "takes the product for the scale of the bias", computes, gemm_other_bias},
    Pattern{"dq_gemm_int32_bias_alpha_ql", "the same with an int32 bias and alpha", "multiplies the bias by alpha", computes, gemm_int32_bias_alpha, is_disputed_vector},
    Pattern{"dq_gemm_int32_bias_beta_ql", "the same with an int32 bias and beta", "drops beta", computes, gemm_int32_bias_beta, is_disputed_vector},
    Pattern{"dq_gemm_alpha_ql", "the same with alpha", "multiplies the bias by alpha, or drops alpha", computes, gemm_alpha},
    Pattern{"dq_gemm_beta_ql", "the same with beta", "drops beta", computes, gemm_beta},
    Pattern{"dq_gemm_alpha_beta_ql", "the same with alpha and beta", "drops one of them", computes, gemm_alpha_beta},
    Pattern{"dq_gemm_trans_a_ql", "the same with transA", "does not transpose A", computes, gemm_trans_a},
    Pattern{"dq_gemm_trans_b_ql", "the same with transB", "keeps the axis of the scales of B", computes, gemm_trans_b},
    Pattern{"dq_gemm_float_weights_ql", "DequantizeLinear, Gemm with weights that are not quantized, QuantizeLinear", "quantizes the weights", computes, gemm_float_weights},
    Pattern{"dq_add", "DequantizeLinear of both operands, Add", "adds quantized elements of different scales", computes_per_tensor_once, add},
    Pattern{"dq_add_ql", "DequantizeLinear of both operands, Add, QuantizeLinear", "adds quantized elements of different scales", computes, add_ql},
    Pattern{"dq_add_constant_ql", "DequantizeLinear, Add of a constant, QuantizeLinear", "adds the constant to the zero point", computes, add_constant_ql},
    Pattern{"dq_sub_ql", "DequantizeLinear of both operands, Sub, QuantizeLinear", "adds a zero point", computes, sub_ql},
    Pattern{"dq_mul", "DequantizeLinear of both operands, Mul", "multiplies quantized elements without their zero points", computes_per_tensor_once, mul},
    Pattern{"dq_mul_ql", "DequantizeLinear of both operands, Mul, QuantizeLinear", "multiplies quantized elements without their zero points", computes, mul_ql},
    Pattern{"dq_mul_constant_ql", "DequantizeLinear, Mul by a constant, QuantizeLinear", "multiplies the scale, and forgets its sign", computes, mul_constant_ql},
    Pattern{"dq_add_unlike", "DequantizeLinear of operands with different parameters, Add", "adds quantized elements of different parameters", computes_unlike, binary_of_unlike<false>},
    Pattern{"dq_mul_unlike", "DequantizeLinear of operands with different parameters, Mul", "multiplies quantized elements of different parameters", computes_unlike, binary_of_unlike<true>},
    Pattern{"dq_where_of_two", "DequantizeLinear of operands with different parameters, Where", "chooses among quantized elements of different parameters", pair_or_zero_points, where_of_unlike},
};
// clang-format on

}  // namespace

std::span<const Pattern> product_patterns() { return product_rows; }

}  // namespace touchstone::conformance
