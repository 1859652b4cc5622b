// Patterns with sums of products in windows.
#include <array>
#include <string>
#include <vector>

#include "conformance/graphs/pattern_conditions.h"
#include "conformance/graphs/patterns.h"
#include "conformance/graphs/products.h"

namespace touchstone::conformance {

namespace {

using namespace conditions;
using Graph = GraphBuilder;
using Integers = std::vector<std::int64_t>;

std::int64_t groups_of(const NodeAttributes& attributes) {
  const auto groups = attributes.find("group");
  return groups == attributes.end() ? 1 : std::get<std::int64_t>(groups->second);
}

/// W gives this number of maps. X has four channels.
void conv(Graph& g, const Shape& x, std::int64_t maps, const Shape& kernel, const NodeAttributes& attributes, Bias kind,
          bool is_quantized) {
  Shape w{maps, 4 / groups_of(attributes)};
  w.insert(w.end(), kernel.begin(), kernel.end());
  std::vector<std::string> inputs{activations(g, x), weights(g, w, 0)};
  if (kind != Bias::none) inputs.push_back(bias(g, kind, maps));
  const std::string value = g.node("Conv", inputs, attributes);
  // Only the rank and the number of channels of the shape matter for scales along the channels.
  Shape shape(x.size(), 1);
  shape[1] = maps;
  g.output(is_quantized ? g.quantize({value, g.results(shape, 1)}) : value);
}

/// Either there are four maps too, so that scales also fit the channels of X, or all lengths of each tensor differ.
void conv_of_image(Graph& g, const NodeAttributes& attributes, Bias kind, bool is_quantized = true) {
  if (!g.has_distinct_lengths())
    conv(g, g.image(), 4, {2, 2}, attributes, kind, is_quantized);
  else if (groups_of(attributes) == 2)
    conv(g, g.image(), 6, {3, 4}, attributes, kind, is_quantized);
  else
    conv(g, g.image(), 8, {2, 3}, attributes, kind, is_quantized);
}

void conv_plain(Graph& g) { conv_of_image(g, {}, Bias::none, false); }
void conv_ql(Graph& g) { conv_of_image(g, {}, Bias::none); }
void conv_bias_ql(Graph& g) { conv_of_image(g, {}, Bias::quantized); }
void conv_groups_ql(Graph& g) { conv_of_image(g, {{"group", std::int64_t{2}}}, Bias::quantized); }
void conv_depthwise_ql(Graph& g) { conv_of_image(g, {{"group", std::int64_t{4}}}, Bias::none); }
void conv_other_bias_ql(Graph& g) { conv_of_image(g, {}, Bias::other_scale); }
void conv_float_bias_ql(Graph& g) { conv_of_image(g, {}, Bias::numbers); }
void conv_pads_ql(Graph& g) { conv_of_image(g, {{"pads", Integers{1, 0, 2, 1}}}, Bias::none); }
void conv_strides_ql(Graph& g) {
  conv_of_image(g, {{"strides", Integers{2, 1}}, {"dilations", Integers{1, 2}}}, Bias::none);
}
void conv_auto_pad_ql(Graph& g) {
  const std::string auto_pad = g.picked_auto_pad();
  // Before version 11, the page says that the output has the size of the input, whatever the strides are.
  const Integers strides = g.opset() < 11 ? Integers{1, 1} : Integers{1, 2};
  conv_of_image(g, {{"auto_pad", auto_pad}, {"strides", strides}}, Bias::none);
}
void conv_1d_ql(Graph& g) {
  conv(g, {g.rows(2), 4, 9}, g.has_distinct_lengths() ? 5 : 4, {3}, {{"pads", Integers{2, 1}}}, Bias::none, true);
}
void conv_3d_ql(Graph& g) {
  if (g.has_distinct_lengths())
    conv(g, {g.rows(1), 4, 3, 5, 6}, 7, {2, 1, 3}, {}, Bias::none, true);
  else
    conv(g, {g.rows(1), 4, 3, 2, 4}, 4, {2, 1, 2}, {}, Bias::none, true);
}

void conv_float_weights_ql(Graph& g) {
  const Shape w = g.has_distinct_lengths() ? Shape{8, 4, 2, 3} : Shape{4, 4, 2, 2};
  const std::string product = g.node("Conv", {activations(g, g.image()), float_weights(g, w)});
  g.output(g.quantize({product, g.results({1, w[0], 1, 1}, 1, 0)}));
}

void conv_add_ql(Graph& g) {
  const Shape x = g.image(), w = g.has_distinct_lengths() ? Shape{8, 4, 2, 3} : Shape{4, 4, 2, 2};
  const std::string product = g.node("Conv", {activations(g, x), weights(g, w, 0)});
  g.output(residual(g, product, {x[0], w[0], x[2] - w[2] + 1, x[3] - w[3] + 1}));
}

/// X has 64 elements in each window.
template <bool is_quantized>
void conv_at_ends(Graph& g) {
  const Shape x{picked_rows(g), 8, 3, 5}, w{3, 8, 2, 4};
  const Quantization of_w = g.second(w, 0);
  const std::string left =
      g.dequantize({g.tensor_x(ends(g, g.parameters().quantized, x, Ends::rows)), g.per_tensor(-2)});
  const std::string right = g.dequantize({g.constant(ends(g, of_w.type, w, Ends::filters)), of_w});
  const std::string value = g.node("Conv", {left, right});
  g.output(is_quantized ? g.quantize({value, g.results({x[0], 3, 2, 2}, 1, 12)}) : value);
}

/// The scales are arbitrary: one product in each sum is not 0, that with the middle of one channel.
void conv_of_single_terms(Graph& g) {
  const Shape w{6, 4, 2, 3};
  const auto q = g.first(w, 0);
  const std::string weights = g.dequantize({g.quantized_constant(w), q});
  g.output(g.node("Conv", {x_of_single_terms(g, {g.rows(8), 4, 3, 5}, 15, 7), weights}));
}

void conv_transpose(Graph& g, const NodeAttributes& attributes, Bias kind) {
  const Shape w = g.has_distinct_lengths() ? Shape{4, 3, 2, 5} : Shape{4, 4, 2, 2};
  std::vector<std::string> inputs{activations(g, g.image()), weights(g, w, 1)};
  if (kind != Bias::none) inputs.push_back(bias(g, kind, w[1]));
  const std::int64_t maps = w[1] * groups_of(attributes);
  g.output(g.quantize({g.node("ConvTranspose", inputs, attributes), g.results({1, maps, 1, 1}, 1)}));
}
void conv_transpose_ql(Graph& g) { conv_transpose(g, {}, Bias::quantized); }
void conv_transpose_strides_ql(Graph& g) {
  conv_transpose(g, {{"strides", Integers{2, 1}}, {"pads", Integers{1, 0, 0, 1}}}, Bias::none);
}
void conv_transpose_groups_ql(Graph& g) { conv_transpose(g, {{"group", std::int64_t{2}}}, Bias::none); }
void conv_transpose_dilations_ql(Graph& g) {
  // "Each padding value in "output_padding" must be less than the corresponding stride/dilation dimension", which may
  // be either of the two.
  conv_transpose(g, {{"strides", Integers{3, 1}}, {"dilations", Integers{2, 1}}, {"output_padding", Integers{1, 0}}},
                 Bias::none);
}
void conv_transpose_auto_pad_ql(Graph& g) {
  const std::string auto_pad = g.picked_auto_pad();
  conv_transpose(g, {{"strides", Integers{1, 2}}, {"auto_pad", auto_pad}}, Bias::none);
}

// clang-format off
constexpr std::array convolution_rows{
    Pattern{"dq_conv", "DequantizeLinear of X and W, Conv", "forgets a zero point", computes, conv_plain},
    Pattern{"dq_conv_ql", "DequantizeLinear of X and W, Conv, QuantizeLinear", "forgets a zero point", computes, conv_ql},
    Pattern{"dq_conv_float_weights_ql", "DequantizeLinear, Conv with weights that are not quantized, QuantizeLinear", "quantizes the weights", computes, conv_float_weights_ql},
    Pattern{"dq_conv_ql_dq_add_ql", "DequantizeLinear of X and W, Conv, QuantizeLinear, DequantizeLinear, Add of other activations, QuantizeLinear", "does not round before Add", computes, conv_add_ql},
    Pattern{"dq_conv_bias_ql", "the same with an int32 bias", "scales the bias otherwise", computes, conv_bias_ql, is_disputed_vector},
    Pattern{"dq_conv_other_bias_ql", "the same with another scale of the bias than the product of the others", "takes the product for the scale of the bias", computes, conv_other_bias_ql, is_disputed_vector},
    Pattern{"dq_conv_groups_ql", "the same with groups", "mixes the scales of groups", computes, conv_groups_ql, is_disputed_vector},
    Pattern{"dq_conv_float_bias_ql", "the same with a float bias", "quantizes the bias", computes, conv_float_bias_ql},
    Pattern{"dq_conv_depthwise_ql", "the same with one group for each channel", "mixes the scales of channels", computes, conv_depthwise_ql},
    Pattern{"dq_conv_pads_ql", "the same with uneven padding", "pads quantized elements with 0 instead of the zero point", computes, conv_pads_ql},
    Pattern{"dq_conv_auto_pad_ql", "the same with auto_pad and strides", "pads at the other end", computes, conv_auto_pad_ql},
    Pattern{"dq_conv_strides_ql", "the same with strides and dilations", "exchanges strides or dilations", computes, conv_strides_ql},
    Pattern{"dq_conv_1d_ql", "the same with one dimension", "forgets a zero point", computes, conv_1d_ql},
    Pattern{"dq_conv_3d_ql", "the same with three dimensions", "forgets a zero point", computes, conv_3d_ql},
    Pattern{"dq_conv_at_ends", "Conv of elements at the ends of their range", "saturates sums of two products to 16 bits", computes_at_ends, conv_at_ends<false>},
    Pattern{"dq_conv_at_ends_ql", "Conv of elements at the ends of their range, QuantizeLinear", "saturates sums of two products to 16 bits", computes_at_ends, conv_at_ends<true>},
    Pattern{"dq_conv_at_unlike_ends_ql", "Conv of unsigned and signed elements at the ends of their range, QuantizeLinear", "saturates sums of two products to 16 bits", computes_at_unlike_ends, conv_at_ends<true>},
    Pattern{"dq_conv_single_terms", "DequantizeLinear of filters, Conv of windows with one number", "rounds the product of scales and numbers", computes_single_terms, conv_of_single_terms},
    Pattern{"dq_conv_transpose_ql", "DequantizeLinear of X, W and an int32 bias, ConvTranspose, QuantizeLinear", "uses the scales of the channels of X", computes, conv_transpose_ql, is_disputed_vector},
    Pattern{"dq_conv_transpose_strides_ql", "the same without a bias, with strides and uneven padding", "forgets a zero point", computes, conv_transpose_strides_ql},
    Pattern{"dq_conv_transpose_groups_ql", "the same with groups", "mixes the scales of groups", computes, conv_transpose_groups_ql},
    Pattern{"dq_conv_transpose_dilations_ql", "the same with strides, dilations and output_padding", "exchanges strides or dilations, or gives another shape", since<11, computes>, conv_transpose_dilations_ql},
    Pattern{"dq_conv_transpose_auto_pad_ql", "the same with auto_pad", "pads at the other end", since<11, computes>, conv_transpose_auto_pad_ql},
};
// clang-format on

}  // namespace

std::span<const Pattern> convolution_patterns() { return convolution_rows; }

}  // namespace touchstone::conformance
