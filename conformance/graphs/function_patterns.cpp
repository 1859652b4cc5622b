// Patterns with functions of each element, averages, and other operators that reduce or normalize.
#include <array>
#include <string>
#include <vector>

#include "conformance/graphs/pattern_conditions.h"
#include "conformance/graphs/patterns.h"
#include "conformance/graphs/products.h"
#include "reference/codec.h"

namespace touchstone::conformance {

namespace {

using namespace conditions;
using Graph = GraphBuilder;
using Integers = std::vector<std::int64_t>;

/// A value that an operator gives, and its shape.
struct Computed {
  std::string value;
  Shape shape;
};
/// Computes from a tensor of the shape `image`.
using Compute = Computed (*)(Graph& g, const std::string& x);

/// With elements of which sums are exact, and a QuantizeLinear for results next to 2^exponent.
template <Compute compute, int exponent>
void dq_computed_ql(Graph& g) {
  const auto first = g.first(g.image());
  const auto [value, shape] = compute(g, g.dequantize({g.quantized_x(g.image(), Data::small), first}));
  g.output(g.quantize({value, g.results(shape, g.quantized_axis(shape.size()), exponent)}));
}

template <Compute compute>
void dq_computed(Graph& g) {
  const auto first = g.first(g.image());
  g.output(compute(g, g.dequantize({g.quantized_x(g.image(), Data::small), first})).value);
}

/// Applies the function to numbers from -2 to 2, or from 0 to 4 if there is no zero point, and quantizes its results
/// with scales of about 2^exponent. No quotient is near a tie: rational ones are integers, thirds, fifths or sevenths.
template <Compute compute, int exponent>
void dq_function_ql(Graph& g) {
  const auto [value, shape] = compute(g, activations(g, g.image()));
  g.output(g.quantize({value, g.results(shape, g.quantized_axis(shape.size()), exponent)}));
}

/// The same with numbers from 0 to 64.
template <Compute compute, int exponent>
void dq_function_of_positive_ql(Graph& g) {
  const auto [value, shape] = compute(g, g.dequantize({g.quantized_x(g.image()), g.from_lowest(-2)}));
  g.output(g.quantize({value, g.results(shape, g.quantized_axis(shape.size()), exponent)}));
}

Computed apply(Graph& g, const char* op, const std::vector<std::string>& inputs) {
  return {g.node(op, inputs), g.image()};
}

Computed erf(Graph& g, const std::string& x) { return apply(g, "Erf", {x}); }
Computed exp(Graph& g, const std::string& x) { return apply(g, "Exp", {x}); }
Computed gelu(Graph& g, const std::string& x) { return apply(g, "Gelu", {x}); }
Computed hard_swish(Graph& g, const std::string& x) { return apply(g, "HardSwish", {x}); }
Computed sqrt(Graph& g, const std::string& x) { return apply(g, "Sqrt", {x}); }
Computed tanh(Graph& g, const std::string& x) { return apply(g, "Tanh", {x}); }
Computed square(Graph& g, const std::string& x) { return apply(g, "Pow", {x, g.number(2)}); }
Computed divide_by_constant(Graph& g, const std::string& x) { return apply(g, "Div", {x, g.number(-4)}); }
/// Each channel has its own slope.
Computed prelu(Graph& g, const std::string& x) {
  return apply(g, "PRelu", {x, g.numbers({4, 1, 1}, {0.25, 2, -1, 0.5})});
}

Computed leaky_relu(Graph& g, const std::string& x) { return {g.node("LeakyRelu", {x}), g.image()}; }
Computed leaky_relu_of_quarter(Graph& g, const std::string& x) {
  return {g.node("LeakyRelu", {x}, {{"alpha", 0.25F}}), g.image()};
}
Computed hard_sigmoid(Graph& g, const std::string& x) {
  return {g.node("HardSigmoid", {x}, {{"alpha", 0.25F}, {"beta", 0.5F}}), g.image()};
}
Computed hard_sigmoid_by_default(Graph& g, const std::string& x) { return apply(g, "HardSigmoid", {x}); }

Computed batch_normalization(Graph& g, const std::string& x) {
  // The default of epsilon would put some results next to a tie if the standard deviations were rational.
  const bool has_epsilon = g.picker().coin();
  const std::vector<double> variances =
      has_epsilon ? std::vector<double>{4, 1, 16, 0.25} : std::vector<double>{3, 0.5, 7, 0.375};
  const NodeAttributes attributes = has_epsilon ? NodeAttributes{{"epsilon", 0.0F}} : NodeAttributes{};
  const std::string scale = g.numbers({4}, {1, -0.5, 2, 1}), bias = g.numbers({4}, {0.5, 0, -1, 2}),
                    mean = g.numbers({4}, {0, 1, -0.5, 0.25}), variance = g.numbers({4}, variances);
  return {g.node("BatchNormalization", {x, scale, bias, mean, variance}, attributes), g.image()};
}
Computed layer_normalization(Graph& g, const std::string& x) {
  const std::int64_t length = g.image()[3];
  std::vector<double> scales, biases;
  for (std::int64_t i = 0; i < length; ++i) {
    scales.push_back(i % 3 == 0 ? 1 : -0.5);
    biases.push_back(i % 2 == 0 ? 0.25 : -1);
  }
  return apply(g, "LayerNormalization", {x, g.numbers({length}, scales), g.numbers({length}, biases)});
}

Computed average_pool(Graph& g, const std::string& x) {
  return {g.node("AveragePool", {x}, {{"kernel_shape", Integers{2, 2}}}),
          {g.image()[0], 4, g.image()[2] - 1, g.image()[3] - 1}};
}
Computed average_pool_padded(Graph& g, const std::string& x) {
  return {g.node("AveragePool", {x},
                 {{"kernel_shape", Integers{2, 2}},
                  {"pads", Integers{1, 0, 0, 1}},
                  {"count_include_pad", std::int64_t{g.picker().coin() ? 1 : 0}}}),
          {g.image()[0], 4, g.image()[2], g.image()[3]}};
}
/// Windows after the last whole one have two elements.
Computed average_pool_strided(Graph& g, const std::string& x) {
  const std::int64_t ceil = g.picker().coin() ? 1 : 0;
  return {
      g.node("AveragePool", {x}, {{"kernel_shape", Integers{2, 2}}, {"strides", Integers{2, 1}}, {"ceil_mode", ceil}}),
      {g.image()[0], 4, (g.image()[2] + ceil) / 2, g.image()[3] - 1}};
}
Computed average_pool_auto_pad(Graph& g, const std::string& x) {
  const std::string auto_pad = g.picked_auto_pad();
  const std::int64_t less = auto_pad == "VALID" ? 1 : 0;
  return {g.node("AveragePool", {x}, {{"kernel_shape", Integers{2, 2}}, {"auto_pad", auto_pad}}),
          {g.image()[0], 4, g.image()[2] - less, g.image()[3] - less}};
}
Computed average_pool_dilated(Graph& g, const std::string& x) {
  return {g.node("AveragePool", {x}, {{"kernel_shape", Integers{2, 2}}, {"dilations", Integers{1, 3}}}),
          {g.image()[0], 4, g.image()[2] - 1, g.image()[3] - 3}};
}

/// The largest window that has a power of two elements.
Computed global_average_pool(Graph& g, const std::string& x) {
  const std::string part = g.node("Slice", {x, g.integers({0, 0}), g.integers({4, 4}), g.integers({2, 3})});
  return {g.node("GlobalAveragePool", {part}), {g.image()[0], 4, 1, 1}};
}

/// The axes are an input since this version, and an attribute before.
Computed reduce(Graph& g, const char* op, const std::string& x, const Integers& axes, int input_since) {
  Shape shape = g.image();
  Integers written;
  for (const std::int64_t axis : axes) {
    shape[static_cast<std::size_t>(axis)] = 1;
    written.push_back(g.written_axis(axis, 4));
  }
  return {g.opset() >= input_since ? g.node(op, {x, g.integers(written)}) : g.node(op, {x}, {{"axes", written}}),
          shape};
}
Computed reduce_mean(Graph& g, const std::string& x) { return reduce(g, "ReduceMean", x, {2}, 18); }
Computed reduce_sum(Graph& g, const std::string& x) { return reduce(g, "ReduceSum", x, {2, 3}, 13); }
/// Without axes, the result has one element: here of at most 16, so that all quotients are integers.
Computed reduce_all(Graph& g, const char* op, const std::string& x) {
  const std::string part = g.node("Slice", {x, g.integers({0, 0, 0}), g.integers({1, 2, 2}), g.integers({1, 2, 3})});
  return {g.node(op, {part}), {1, 1, 1, 1}};
}
Computed reduce_mean_of_all(Graph& g, const std::string& x) { return reduce_all(g, "ReduceMean", x); }
Computed reduce_sum_of_all(Graph& g, const std::string& x) { return reduce_all(g, "ReduceSum", x); }

/// All numbers but 0 have so large a magnitude that their results are 0 or 1.
void dq_sigmoid_ql(Graph& g) {
  const std::string x = g.dequantize({g.quantized_x(g.image()), g.per_tensor(7)});
  g.output(g.quantize({g.node("Sigmoid", {x}), g.results(g.image(), g.quantized_axis(4), -7)}));
}

/// Half of the elements of each row are the largest; the exponentials of the others are 0.
template <bool has_axis>
void dq_softmax_ql(Graph& g) {
  const Shape shape{g.rows(2), 4, 8};
  const auto lowest = static_cast<std::int64_t>(reference::lowest(g.parameters().quantized)),
             highest = static_cast<std::int64_t>(reference::highest(g.parameters().quantized));
  std::vector<std::int64_t> values;
  for (std::int64_t plane = 0; plane < shape[0]; ++plane)
    for (std::int64_t row = 0; row < 4; ++row)
      for (std::int64_t column = 0; column < 8; ++column)
        values.push_back((column / (1 << (row % 3)) + row / 2 + plane) % 2 == 0 ? lowest : highest);
  const std::string x = g.dequantize({g.quantized_x(shape, values), g.per_tensor(7)});
  const NodeAttributes attributes =
      has_axis ? NodeAttributes{{"axis", g.opset() < 13 ? 2 : g.written_axis(2, 3)}} : NodeAttributes{};
  g.output(g.quantize({g.node("Softmax", {x}, attributes), g.results(shape, g.quantized_axis(3), -8)}));
}

/// One element of each row is far above the others, so that its result is 1, and theirs are 0.
void dq_softmax_of_one_ql(Graph& g) {
  const Shape shape{g.rows(2), 4, 8};
  const auto lowest = static_cast<std::int64_t>(reference::lowest(g.parameters().quantized)),
             highest = static_cast<std::int64_t>(reference::highest(g.parameters().quantized));
  std::vector<std::int64_t> values(static_cast<std::size_t>(shape[0] * 4 * 8), lowest);
  for (std::size_t row = 0; 8 * row < values.size(); ++row) values[8 * row + 3 * row % 8] = highest;
  const std::string x = g.dequantize({g.quantized_x(shape, values), g.per_tensor(7)});
  g.output(g.quantize({g.node("Softmax", {x}, {{"axis", std::int64_t{2}}}), g.from_0_to_1()}));
}

// clang-format off
constexpr std::array function_rows{
    Pattern{"dq_sigmoid_ql", "DequantizeLinear, Sigmoid, QuantizeLinear", "uses one scale for all results", computes_with_powers_of_two, dq_sigmoid_ql},
    Pattern{"dq_softmax_ql", "DequantizeLinear, Softmax, QuantizeLinear", "uses one scale for all results", computes_with_powers_of_two, dq_softmax_ql<true>},
    Pattern{"dq_softmax_default_ql", "DequantizeLinear, Softmax along the default axis, QuantizeLinear", "takes another axis for the default", computes_with_powers_of_two, dq_softmax_ql<false>},
    Pattern{"dq_leaky_relu", "DequantizeLinear, LeakyRelu", "computes the factor in the scale of x", computes_once, dq_computed<leaky_relu>},
    Pattern{"dq_leaky_relu_ql", "DequantizeLinear, LeakyRelu, QuantizeLinear", "forgets a zero point, or the sign of a scale", computes, dq_computed_ql<leaky_relu_of_quarter, -2>},
    Pattern{"dq_hard_sigmoid_ql", "DequantizeLinear, HardSigmoid, QuantizeLinear", "looks results up in a table for another scale", computes, dq_computed_ql<hard_sigmoid, -7>},
    Pattern{"dq_hard_sigmoid_default_ql", "DequantizeLinear, HardSigmoid with default attributes, QuantizeLinear", "takes other factors for the default", computes_with_powers_of_two, dq_function_ql<hard_sigmoid_by_default, -7>},
    Pattern{"dq_averagepool", "DequantizeLinear, AveragePool", "rounds the averages of quantized elements", computes_once, dq_computed<average_pool>},
    Pattern{"dq_averagepool_ql", "DequantizeLinear, AveragePool, QuantizeLinear", "rounds twice, or forgets a zero point", computes, dq_computed_ql<average_pool, -1>},
    Pattern{"dq_averagepool_padded_ql", "DequantizeLinear, AveragePool with padding, QuantizeLinear", "pads quantized elements with 0 instead of the zero point", computes, dq_computed_ql<average_pool_padded, -1>},
    Pattern{"dq_averagepool_strided_ql", "DequantizeLinear, AveragePool with strides and ceil_mode, QuantizeLinear", "gives another shape, or divides by the size of whole windows", computes, dq_computed_ql<average_pool_strided, -1>},
    Pattern{"dq_averagepool_auto_pad_ql", "DequantizeLinear, AveragePool with auto_pad, QuantizeLinear", "pads at the other end, or divides by the size of whole windows", computes, dq_computed_ql<average_pool_auto_pad, -1>},
    Pattern{"dq_averagepool_dilated_ql", "DequantizeLinear, AveragePool with dilations, QuantizeLinear", "ignores the dilations", since<19, computes>, dq_computed_ql<average_pool_dilated, -1>},
    Pattern{"dq_global_averagepool_ql", "DequantizeLinear, GlobalAveragePool, QuantizeLinear", "rounds twice, or forgets a zero point", computes, dq_computed_ql<global_average_pool, -2>},
    Pattern{"dq_softmax_of_one_ql", "DequantizeLinear, Softmax of one large element, QuantizeLinear with the scale for 0 to 1", "rounds the reciprocal of the scale", computes_per_tensor_with_positive_powers_of_two, dq_softmax_of_one_ql},
    Pattern{"dq_prelu_ql", "DequantizeLinear, PRelu, QuantizeLinear", "uses one slope for all channels", computes, dq_function_ql<prelu, -5>},
    Pattern{"dq_hard_swish_ql", "DequantizeLinear, HardSwish, QuantizeLinear", "looks results up in a table for another scale", since<14, computes_with_powers_of_two>, dq_function_ql<hard_swish, -6>},
    Pattern{"dq_gelu_ql", "DequantizeLinear, Gelu, QuantizeLinear", "approximates with tanh", since<20, computes_with_powers_of_two>, dq_function_ql<gelu, -5>},
    Pattern{"dq_erf_ql", "DequantizeLinear, Erf, QuantizeLinear", "looks results up in a table for another scale", computes_with_powers_of_two, dq_function_ql<erf, -6>},
    Pattern{"dq_tanh_ql", "DequantizeLinear, Tanh, QuantizeLinear", "looks results up in a table for another scale", computes_with_powers_of_two, dq_function_ql<tanh, -6>},
    Pattern{"dq_exp_ql", "DequantizeLinear, Exp, QuantizeLinear", "looks results up in a table for another scale", computes_with_powers_of_two, dq_function_ql<exp, -3>},
    Pattern{"dq_sqrt_ql", "DequantizeLinear, Sqrt, QuantizeLinear", "looks results up in a table for another scale", computes_from_lowest, dq_function_of_positive_ql<sqrt, -3>},
    Pattern{"dq_pow_ql", "DequantizeLinear, Pow with the exponent 2, QuantizeLinear", "squares quantized elements", computes_with_powers_of_two, dq_function_ql<square, -5>},
    Pattern{"dq_div_constant_ql", "DequantizeLinear, Div by a constant, QuantizeLinear", "divides the scale, and forgets its sign", computes, dq_function_ql<divide_by_constant, -5>},
    Pattern{"dq_reduce_mean_ql", "DequantizeLinear, ReduceMean, QuantizeLinear", "rounds twice, or forgets a zero point", computes_with_powers_of_two, dq_function_ql<reduce_mean, -5>},
    Pattern{"dq_reduce_sum_ql", "DequantizeLinear, ReduceSum, QuantizeLinear", "forgets a zero point, or counts it once", computes_with_powers_of_two, dq_function_ql<reduce_sum, -3>},
    Pattern{"dq_reduce_mean_default_ql", "DequantizeLinear, Slice, ReduceMean without axes, QuantizeLinear", "reduces one axis instead of all", computes_per_tensor_with_powers_of_two, dq_function_ql<reduce_mean_of_all, -6>},
    Pattern{"dq_reduce_sum_default_ql", "DequantizeLinear, Slice, ReduceSum without axes, QuantizeLinear", "reduces one axis instead of all", computes_per_tensor_with_powers_of_two, dq_function_ql<reduce_sum_of_all, -2>},
    Pattern{"dq_batch_normalization_ql", "DequantizeLinear, BatchNormalization, QuantizeLinear", "folds the factors into the scale, and forgets their signs", computes_with_powers_of_two, dq_function_ql<batch_normalization, -4>},
    Pattern{"dq_layer_normalization_ql", "DequantizeLinear, LayerNormalization, QuantizeLinear", "normalizes quantized elements", since<17, computes_with_powers_of_two>, dq_function_ql<layer_normalization, -5>},
};
// clang-format on

}  // namespace

std::span<const Pattern> function_patterns() { return function_rows; }

}  // namespace touchstone::conformance
