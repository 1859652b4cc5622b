// Patterns with operators that choose among elements, or move them to other sizes.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "conformance/graphs/pattern_conditions.h"
#include "conformance/graphs/patterns.h"
#include "reference/codec.h"

namespace touchstone::conformance {

namespace {

using namespace conditions;
using Graph = GraphBuilder;
using Integers = std::vector<std::int64_t>;

/// A value that an operator gives, and its shape.
using Chosen = std::pair<std::string, Shape>;
/// Chooses among a tensor of the shape `image`.
using Choose = Chosen (*)(Graph& g, const std::string& x);

template <Choose choose>
void dq_chosen_ql(Graph& g) {
  const auto first = g.first(g.image());
  const auto [value, shape] = choose(g, g.dequantize({g.quantized_x(g.image()), first}));
  g.output(g.quantize({value, g.second(shape)}));
}

template <Choose choose>
void dq_chosen(Graph& g) {
  const auto first = g.first(g.image());
  g.output(choose(g, g.dequantize({g.quantized_x(g.image()), first})).first);
}

template <Choose choose>
void int32_dq_chosen(Graph& g) {
  const auto first = g.first(g.image());
  g.output(choose(g, g.dequantize({g.int32_x(g.image()), first})).first);
}

template <Choose choose>
void int32_dq_chosen_ql(Graph& g) {
  const auto first = g.first(g.image());
  const auto [value, shape] = choose(g, g.dequantize({g.int32_x(g.image()), first}));
  g.output(g.quantize({value, g.second(shape)}));
}

template <Choose choose>
void chosen_ql_dq(Graph& g) {
  const auto [value, shape] = choose(g, g.number_x(g.image()));
  const auto q = g.first(shape);
  g.output(g.dequantize({g.quantize({value, q}), q}));
}

/// With the zero point that makes a lower limit of 0 redundant, unless the scale is negative.
template <Choose choose>
void chosen_ql_dq_from_lowest(Graph& g) {
  const auto [value, shape] = choose(g, g.number_x(g.image()));
  const auto q = g.from_lowest(-2);
  g.output(g.dequantize({g.quantize({value, q}), q}));
}

// ---- one of two elements

Chosen relu(Graph& g, const std::string& x) { return {g.node("Relu", {x}), g.image()}; }
Chosen clip(Graph& g, const std::string& x) { return {g.node("Clip", {x, g.number(-1), g.number(2)}), g.image()}; }
Chosen clip_to_tens(Graph& g, const std::string& x) {
  return {g.node("Clip", {x, g.number(-20), g.number(30)}), g.image()};
}
Chosen clip_at_0(Graph& g, const std::string& x) { return {g.node("Clip", {x, g.number(0)}), g.image()}; }
Chosen clip_without_limits(Graph& g, const std::string& x) { return {g.node("Clip", {x}), g.image()}; }
Chosen max(Graph& g, const std::string& x) { return {g.node("Max", {x, g.number(0.5)}), g.image()}; }
Chosen min(Graph& g, const std::string& x) { return {g.node("Min", {x, g.number(0.5)}), g.image()}; }
Chosen where(Graph& g, const std::string& x) {
  Tensor condition(ElementType::boolean, {1, 4, 1, 1});
  condition.set_code(1, 1);
  condition.set_code(2, 1);
  return {g.node("Where", {g.constant(condition), x, g.number(0.25)}), g.image()};
}

// ---- the place of the largest element

template <bool has_axis, bool is_int32>
void dq_arg_max(Graph& g) {
  const auto first = g.first(g.cube());
  const std::string x = is_int32 ? g.int32_x(g.cube()) : g.quantized_x(g.cube());
  const NodeAttributes attributes =
      has_axis ? NodeAttributes{{"axis", g.written_axis(2, 3)}, {"keepdims", std::int64_t{0}}} : NodeAttributes{};
  g.output(g.node("ArgMax", {g.dequantize({x, first})}, attributes));
}

// ---- pools

Chosen max_pool(Graph& g, const std::string& x) {
  return {g.node("MaxPool", {x}, {{"kernel_shape", Integers{2, 2}}}),
          {g.image()[0], 4, g.image()[2] - 1, g.image()[3] - 1}};
}
Chosen max_pool_padded(Graph& g, const std::string& x) {
  return {g.node("MaxPool", {x},
                 {{"kernel_shape", Integers{3, 3}}, {"pads", Integers{1, 1, 1, 1}}, {"strides", Integers{2, 2}}}),
          {g.image()[0], 4, (g.image()[2] + 1) / 2, (g.image()[3] + 1) / 2}};
}
Chosen max_pool_uneven(Graph& g, const std::string& x) {
  return {g.node("MaxPool", {x},
                 {{"kernel_shape", Integers{3, 2}},
                  {"pads", Integers{1, 0, 0, 1}},
                  {"strides", Integers{2, 1}},
                  {"dilations", Integers{1, 2}}}),
          {g.image()[0], 4, g.image()[2] / 2, g.image()[3] - 1}};
}
Chosen max_pool_auto_pad(Graph& g, const std::string& x) {
  const std::string auto_pad = g.picked_auto_pad();
  const std::int64_t less = auto_pad == "VALID" ? 1 : 0;
  return {
      g.node("MaxPool", {x}, {{"kernel_shape", Integers{3, 3}}, {"auto_pad", auto_pad}, {"strides", Integers{2, 2}}}),
      {g.image()[0], 4, (g.image()[2] + 1) / 2 - less, (g.image()[3] + 1) / 2 - less}};
}
Chosen max_pool_ceil(Graph& g, const std::string& x) {
  return {g.node("MaxPool", {x},
                 {{"kernel_shape", Integers{3, 3}}, {"ceil_mode", std::int64_t{1}}, {"strides", Integers{2, 2}}}),
          {g.image()[0], 4, g.image()[2] / 2, g.image()[3] / 2}};
}

// ---- other sizes

Chosen mul_by_constant(Graph& g, const std::string& x) { return {g.node("Mul", {x, g.number(-2)}), g.image()}; }

Tensor resize_scales() {
  return Tensor::from_codes(ElementType::float32, {4},
                            std::array<std::uint64_t, 4>{0x3F800000, 0x3F800000, 0x40000000, 0x40000000});
}
std::string resized(Graph& g, const std::string& x, const NodeAttributes& attributes) {
  // Version 10 has the input scales alone. With whole scales, all ways to find the nearest element agree.
  if (g.opset() == 10) return g.node("Resize", {x, g.constant(resize_scales())}, attributes);
  const std::string no_region = g.opset() < 13 ? g.numbers({0}, {}) : "";
  return g.node("Resize", {x, no_region, g.constant(resize_scales())}, attributes);
}
Shape doubled(const Shape& image) { return {image[0], image[1], 2 * image[2], 2 * image[3]}; }
Shape with_border(const Shape& image) { return {image[0], image[1], image[2] + 2, image[3] + 2}; }

Chosen resize_nearest(Graph& g, const std::string& x) {
  const std::string nearest = g.picker().coin() ? "floor" : "ceil";
  return {resized(g, x, {{"coordinate_transformation_mode", std::string("asymmetric")}, {"nearest_mode", nearest}}),
          doubled(g.image())};
}
Chosen resize_nearest_by_default(Graph& g, const std::string& x) { return {resized(g, x, {}), doubled(g.image())}; }
Chosen resize_linear(Graph& g, const std::string& x) {
  return {
      resized(g, x, {{"mode", std::string("linear")}, {"coordinate_transformation_mode", std::string("half_pixel")}}),
      doubled(g.image())};
}
Chosen pad_zero(Graph& g, const std::string& x) {
  return {g.node("Pad", {x, g.integers({0, 0, 1, 1, 0, 0, 1, 1})}), with_border(g.image())};
}
Chosen pad_value(Graph& g, const std::string& x) {
  return {g.node("Pad", {x, g.integers({0, 0, 1, 1, 0, 0, 1, 1}), g.number(1.5)}), with_border(g.image())};
}

// ---- blocks of elements and channels

Chosen depth_to_space(Graph& g, const std::string& x) {
  NodeAttributes attributes{{"blocksize", std::int64_t{2}}};
  if (g.opset() >= 11) attributes.emplace("mode", std::string(g.picker().coin() ? "DCR" : "CRD"));
  return {g.node("DepthToSpace", {x}, attributes), {g.image()[0], 1, 2 * g.image()[2], 2 * g.image()[3]}};
}
Chosen space_to_depth(Graph& g, const std::string& x) {
  const std::string part = g.node("Slice", {x, g.integers({0, 0}), g.integers({4, 4}), g.integers({2, 3})});
  return {g.node("SpaceToDepth", {part}, {{"blocksize", std::int64_t{2}}}), {g.image()[0], 16, 2, 2}};
}

// clang-format off
constexpr std::array selection_rows{
    Pattern{"dq_relu_ql", "DequantizeLinear, Relu, QuantizeLinear", "removes Relu, or replaces it by a maximum with the zero point", selects, dq_chosen_ql<relu>},
    Pattern{"relu_ql_dq", "Relu, QuantizeLinear, DequantizeLinear", "removes Relu because QuantizeLinear saturates", one_pair_of_any_scales, chosen_ql_dq<relu>},
    Pattern{"relu_ql_dq_from_lowest", "Relu, QuantizeLinear with the lowest zero point, DequantizeLinear", "removes Relu although a scale is negative", from_lowest, chosen_ql_dq_from_lowest<relu>},
    Pattern{"clip_at_0_ql_dq_from_lowest", "Clip at 0, QuantizeLinear with the lowest zero point, DequantizeLinear", "removes Clip although a scale is negative", since<11, from_lowest>, chosen_ql_dq_from_lowest<clip_at_0>},
    Pattern{"dq_clip_ql", "DequantizeLinear, Clip, QuantizeLinear", "clips quantized elements", since<11, selects>, dq_chosen_ql<clip>},
    Pattern{"clip_ql_dq", "Clip, QuantizeLinear, DequantizeLinear", "removes Clip because QuantizeLinear saturates", since<11, pair>, chosen_ql_dq<clip>},
    Pattern{"clip_at_0_ql_dq", "Clip at 0, QuantizeLinear, DequantizeLinear", "removes Clip because QuantizeLinear saturates", since<11, pair>, chosen_ql_dq<clip_at_0>},
    Pattern{"dq_max_ql", "DequantizeLinear, Max with a constant, QuantizeLinear", "takes the maximum of quantized elements", selects, dq_chosen_ql<max>},
    Pattern{"dq_min_ql", "DequantizeLinear, Min with a constant, QuantizeLinear", "takes the minimum of quantized elements", selects, dq_chosen_ql<min>},
    Pattern{"dq_maxpool", "DequantizeLinear, MaxPool", "pools quantized elements although a scale is negative", one_pair_not_blocked_of_any_scales, dq_chosen<max_pool>},
    Pattern{"dq_maxpool_ql", "DequantizeLinear, MaxPool, QuantizeLinear", "pools quantized elements although a scale is negative", selects_windows, dq_chosen_ql<max_pool>},
    Pattern{"dq_maxpool_padded_ql", "DequantizeLinear, MaxPool with padding, QuantizeLinear", "lets the padding win against negative numbers", selects_windows, dq_chosen_ql<max_pool_padded>},
    Pattern{"maxpool_ql_dq", "MaxPool, QuantizeLinear, DequantizeLinear", "moves MaxPool after QuantizeLinear although a scale is negative", one_pair_not_blocked_of_any_scales, chosen_ql_dq<max_pool>},
    Pattern{"dq_resize_nearest_ql", "DequantizeLinear, Resize to the nearest, QuantizeLinear", "resizes quantized elements although the parameters differ", since<11, selects_windows>, dq_chosen_ql<resize_nearest>},
    Pattern{"dq_resize_linear", "DequantizeLinear, linear Resize", "interpolates quantized elements, and rounds them", resizes, dq_chosen<resize_linear>},
    Pattern{"dq_resize_linear_ql", "DequantizeLinear, linear Resize, QuantizeLinear", "interpolates quantized elements, and rounds them twice", resizes, dq_chosen_ql<resize_linear>},
    Pattern{"dq_pad_zero_ql", "DequantizeLinear, Pad with 0, QuantizeLinear", "pads quantized elements with 0 instead of the zero point", since<11, pair>, dq_chosen_ql<pad_zero>},
    Pattern{"dq_pad_value_ql", "DequantizeLinear, Pad with a constant, QuantizeLinear", "pads quantized elements with the constant", since<11, pair>, dq_chosen_ql<pad_value>},
    Pattern{"dq_depth_to_space_ql", "DequantizeLinear, DepthToSpace, QuantizeLinear", "keeps the scales of the channels, or takes the other mode", pair, dq_chosen_ql<depth_to_space>},
    Pattern{"dq_space_to_depth_ql", "DequantizeLinear, Slice, SpaceToDepth, QuantizeLinear", "keeps the scales of the channels", pair, dq_chosen_ql<space_to_depth>},
    Pattern{"dq_where_ql", "DequantizeLinear, Where with a constant, QuantizeLinear", "chooses quantized elements", selects, dq_chosen_ql<where>},

    Pattern{"dq_clip_default_ql", "DequantizeLinear, Clip without limits, QuantizeLinear", "clips to 0 or to 6", since<11, selects>, dq_chosen_ql<clip_without_limits>},
    Pattern{"dq_argmax", "DequantizeLinear, ArgMax", "finds the largest quantized element although a scale is negative", finds_largest, dq_arg_max<true, false>},
    Pattern{"dq_argmax_default", "DequantizeLinear, ArgMax along the default axis", "finds the largest quantized element although scales differ", finds_largest, dq_arg_max<false, false>},
    Pattern{"dq_clip", "DequantizeLinear, Clip", "clips quantized elements", since<11, one_pair_of_any_scales>, dq_chosen<clip>},
    Pattern{"dq_max", "DequantizeLinear, Max with a constant", "takes the maximum of quantized elements", one_pair_of_any_scales, dq_chosen<max>},
    Pattern{"dq_min", "DequantizeLinear, Min with a constant", "takes the minimum of quantized elements", one_pair_of_any_scales, dq_chosen<min>},
    Pattern{"dq_resize_nearest", "DequantizeLinear, Resize to the nearest", "resizes quantized elements, and keeps the scales of the last axis", since<11, one_pair_of_any_scales>, dq_chosen<resize_nearest>},
    Pattern{"dq_mul_constant", "DequantizeLinear, Mul by a constant", "multiplies the scale, and forgets its sign", computes_single_terms_in_any_layout, dq_chosen<mul_by_constant>},
    Pattern{"dq_maxpool_uneven_ql", "DequantizeLinear, MaxPool with uneven padding, strides and dilations, QuantizeLinear", "lets the padding win against negative numbers", selects_windows, dq_chosen_ql<max_pool_uneven>},
    Pattern{"dq_maxpool_same_ql", "DequantizeLinear, MaxPool with auto_pad, QuantizeLinear", "lets the padding win against negative numbers", selects_windows, dq_chosen_ql<max_pool_auto_pad>},
    Pattern{"dq_maxpool_ceil_ql", "DequantizeLinear, MaxPool with ceil_mode, QuantizeLinear", "gives another shape, or reads beyond the end", selects_windows, dq_chosen_ql<max_pool_ceil>},
    Pattern{"dq_resize_default_ql", "DequantizeLinear, Resize with default attributes, QuantizeLinear", "takes other attributes for the default", selects_windows, dq_chosen_ql<resize_nearest_by_default>},

    Pattern{"int32_dq_relu_ql", "DequantizeLinear of int32, Relu, QuantizeLinear", "takes int32 elements for those of the 8-bit type", pair_behind_int32, int32_dq_chosen_ql<relu>},
    Pattern{"int32_dq_max_ql", "DequantizeLinear of int32, Max with a constant, QuantizeLinear", "takes int32 elements for those of the 8-bit type", pair_behind_int32, int32_dq_chosen_ql<max>},
    Pattern{"int32_dq_where_ql", "DequantizeLinear of int32, Where with a constant, QuantizeLinear", "takes int32 elements for those of the 8-bit type", pair_behind_int32, int32_dq_chosen_ql<where>},
    Pattern{"int32_dq_min_ql", "DequantizeLinear of int32, Min with a constant, QuantizeLinear", "takes int32 elements for those of the 8-bit type", pair_behind_int32, int32_dq_chosen_ql<min>},
    Pattern{"int32_dq_clip", "DequantizeLinear of int32, Clip", "requantizes to 8 bits, which loses large numbers", since<11, one_pair_behind_int32>, int32_dq_chosen<clip_to_tens>},
    Pattern{"int32_dq_clip_ql", "DequantizeLinear of int32, Clip, QuantizeLinear", "takes int32 elements for those of the 8-bit type", since<11, pair_behind_int32>, int32_dq_chosen_ql<clip_to_tens>},
    Pattern{"int32_dq_pad_value_ql", "DequantizeLinear of int32, Pad with a constant, QuantizeLinear", "takes int32 elements for those of the 8-bit type", since<11, pair_behind_int32>, int32_dq_chosen_ql<pad_value>},
    Pattern{"int32_dq_resize_nearest", "DequantizeLinear of int32, Resize to the nearest", "requantizes to 8 bits, which loses large numbers", since<11, one_pair_behind_int32>, int32_dq_chosen<resize_nearest>},
    Pattern{"int32_dq_resize_nearest_ql", "DequantizeLinear of int32, Resize to the nearest, QuantizeLinear", "takes int32 elements for those of the 8-bit type", since<11, pair_behind_int32>, int32_dq_chosen_ql<resize_nearest>},
    Pattern{"int32_dq_argmax", "DequantizeLinear of int32, ArgMax", "requantizes to 8 bits, in which large numbers are equal", finds_largest_of_int32, dq_arg_max<true, true>},
    Pattern{"int32_dq_maxpool_ql", "DequantizeLinear of int32, MaxPool, QuantizeLinear", "takes int32 elements for those of the 8-bit type", pair_behind_int32, int32_dq_chosen_ql<max_pool>},
};
// clang-format on

}  // namespace

std::span<const Pattern> selection_patterns() { return selection_rows; }

}  // namespace touchstone::conformance
