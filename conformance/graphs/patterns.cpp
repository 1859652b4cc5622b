#include "conformance/graphs/patterns.h"

#include <array>
#include <vector>

namespace touchstone::conformance {

using reference::Shape;
using spec::ElementType;
using spec::Granularity;

namespace {

using Graph = GraphBuilder;
using Parameters = GraphParameters;

// ---- which parameters a pattern has

bool is_per_tensor(const Parameters& p) { return p.granularity == Granularity::per_tensor; }
bool is_narrow_integer(const Parameters& p) {
  return spec::is_integer(p.quantized) && spec::info(p.quantized).bits <= 8;
}
/// bfloat16 is only in patterns of pairs: the wrong rewrites of other patterns do not depend on the type of numbers.
bool has_usual_number(const Parameters& p) { return p.number != ElementType::bfloat16; }
bool has_one_pair(const Parameters& p) { return p.second == Second::same && has_usual_number(p); }
bool has_equal_or_scaled_pair(const Parameters& p) {
  return (p.second == Second::same || p.second == Second::scale) && has_usual_number(p);
}

bool any(const Parameters&) { return true; }
bool equal_pairs(const Parameters& p) { return p.second == Second::same; }
bool one_pair(const Parameters& p) { return has_one_pair(p); }
bool is_blocked(const Parameters& p) { return p.granularity == Granularity::blocked; }
bool one_pair_not_blocked(const Parameters& p) { return has_one_pair(p) && !is_blocked(p); }
bool pair_not_blocked(const Parameters& p) { return has_equal_or_scaled_pair(p) && !is_blocked(p); }
bool unlike_pair(const Parameters& p) { return p.second != Second::same; }
bool per_tensor(const Parameters& p) { return is_per_tensor(p) && has_equal_or_scaled_pair(p); }
bool pair(const Parameters& p) { return has_equal_or_scaled_pair(p); }
bool from_lowest(const Parameters& p) {
  return is_per_tensor(p) && has_one_pair(p) && p.has_zero_point && spec::is_integer(p.quantized);
}
bool from_lowest_since_11(const Parameters& p) { return p.opset >= 11 && from_lowest(p); }
/// Squeeze and Unsqueeze have another interface before 13, and so has Split before 18.
bool one_pair_since_13(const Parameters& p) { return p.opset >= 13 && has_one_pair(p); }
bool pair_since_13(const Parameters& p) { return p.opset >= 13 && has_equal_or_scaled_pair(p); }
bool pair_since_11(const Parameters& p) { return p.opset >= 11 && has_equal_or_scaled_pair(p); }
bool per_tensor_since_13(const Parameters& p) { return p.opset >= 13 && per_tensor(p); }
/// No other operator takes the float6 types.
bool is_type_of_others(const Parameters& p) { return !spec::is_float6(p.quantized); }
bool pair_of_other_types(const Parameters& p) { return is_type_of_others(p) && has_equal_or_scaled_pair(p); }
bool one_pair_of_other_types(const Parameters& p) { return is_type_of_others(p) && has_one_pair(p); }
/// Transpose takes the float8 types since version 21.
bool transposes(const Parameters& p) {
  return one_pair_of_other_types(p) && (!spec::is_float8(p.quantized) || p.opset >= 21);
}
/// Products of 8-bit integers are exact in float, and their sums in any order.
bool computes(const Parameters& p) {
  return is_narrow_integer(p) && p.number == ElementType::float32 && has_equal_or_scaled_pair(p) &&
         p.granularity != Granularity::blocked;
}
bool computes_per_tensor(const Parameters& p) { return computes(p) && is_per_tensor(p); }
bool computes_since_11(const Parameters& p) { return computes_per_tensor(p) && p.opset >= 11; }
/// What a caller can replace is an initializer.
bool has_initializers(const Parameters& p) {
  return pair(p) && p.form->x == Source::graph_input && p.form->parameters == Source::initializer;
}
/// com.microsoft has no blocks, and its QuantizeLinear without a zero point gives uint8.
bool is_of_microsoft(const Parameters& p) {
  using enum ElementType;
  constexpr std::array types{uint8, int8, uint16, int16, uint4, int4};
  return has_usual_number(p) && !is_blocked(p) && spec::contains(types, p.quantized) &&
         (p.has_zero_point || (p.quantized == uint8 && p.second != Second::type));
}
bool equal_pairs_of_microsoft(const Parameters& p) { return is_of_microsoft(p) && p.second == Second::same; }
bool computes_per_tensor_once(const Parameters& p) { return computes_per_tensor(p) && has_one_pair(p); }

/// The bias has a scale for each element, which a reading rejects for vectors.
bool is_disputed_bias(const Parameters& p) { return p.is_negative || p.granularity == Granularity::per_axis; }
/// Readings reject other types than the page of com.microsoft names, and absent zero points.
bool is_disputed_by_microsoft(const Parameters& p) {
  return p.is_negative || !p.has_zero_point || !is_narrow_integer(p) || spec::info(p.quantized).bits < 8;
}
bool always(const Parameters&) { return true; }

/// All dimensions are equal, so that scales fit every axis: the wrong one gives wrong results.
const Shape cube{4, 4, 4};
const Shape image{1, 4, 5, 5};

// ---- pairs of quantization operators

void ql_dq(Graph& g) {
  const auto q = g.first(cube);
  g.output(g.dequantize(g.quantize(g.number_x(cube), q), q));
}

void dq_ql(Graph& g) {
  const auto first = g.first(cube);
  const auto second = g.second(cube);
  g.output(g.quantize(g.dequantize(g.quantized_x(cube), first), second));
}

void ql_dq_ql_dq(Graph& g) {
  const auto first = g.first(cube);
  const auto second = g.second(cube);
  const auto once = g.dequantize(g.quantize(g.number_x(cube), first), first);
  g.output(g.dequantize(g.quantize(once, second), second));
}

void dq_ql_dq(Graph& g) {
  const auto first = g.first(cube);
  const auto second = g.second(cube);
  g.output(g.dequantize(g.quantize(g.dequantize(g.quantized_x(cube), first), second), second));
}

void dq_ql_dq_ql(Graph& g) {
  const auto first = g.first(cube);
  const auto second = g.second(cube);
  const auto once = g.quantize(g.dequantize(g.quantized_x(cube), first), second);
  g.output(g.quantize(g.dequantize(once, second), first));
}

// ---- operators that move elements

/// Moves a tensor of shape `cube`, and the axis of its quantization.
struct Moved {
  std::string value;
  Shape shape;
  std::optional<std::int64_t> axis;  ///< where axis 1 of the cube is now; std::nullopt: nowhere
};
using Move = Moved (*)(Graph& g, const std::string& x);

template <Move move>
void dq_moved(Graph& g) {
  const auto first = g.first(cube);
  g.output(move(g, g.dequantize(g.quantized_x(cube), first)).value);
}

template <Move move>
void dq_moved_ql(Graph& g) {
  const auto first = g.first(cube);
  const Moved moved = move(g, g.dequantize(g.quantized_x(cube), first));
  // Per axis, the scales stay with their channels. Where these are gone, one scale remains.
  g.output(g.quantize(moved.value, g.second(moved.shape, moved.axis)));
}

template <Move move>
void ql_moved_dq(Graph& g) {
  const auto first = g.first(cube);
  const Moved moved = move(g, g.quantize(g.number_x(cube), first));
  g.output(g.dequantize(moved.value, g.second(moved.shape, moved.axis, Second::same)));
}

Moved identity(Graph& g, const std::string& x) { return {g.node("Identity", {x}), cube, 1}; }
Moved reshape(Graph& g, const std::string& x) {
  return {g.node("Reshape", {x, g.integers({4, 4, 2, 2})}), {4, 4, 2, 2}, 1};
}
Moved reshape_channels(Graph& g, const std::string& x) {
  return {g.node("Reshape", {x, g.integers({2, 4, 8})}), {2, 4, 8}, std::nullopt};
}
Moved flatten(Graph& g, const std::string& x) { return {g.node("Flatten", {x}), {4, 16}, std::nullopt}; }
Moved unsqueeze(Graph& g, const std::string& x) { return {g.node("Unsqueeze", {x, g.integers({0})}), {1, 4, 4, 4}, 2}; }
Moved squeeze(Graph& g, const std::string& x) {
  const std::string wide = g.node("Reshape", {x, g.integers({4, 1, 4, 4})});
  return {g.node("Squeeze", {wide, g.integers({1})}), cube, 1};
}
Moved transpose(Graph& g, const std::string& x) {
  return {g.node("Transpose", {x}, {{"perm", std::vector<std::int64_t>{0, 2, 1}}}), {4, 4, 4}, 2};
}
Moved slice(Graph& g, const std::string& x) {
  return {g.node("Slice", {x, g.integers({1}), g.integers({4}), g.integers({2}), g.integers({2})}), {4, 4, 2}, 1};
}
Moved slice_channels(Graph& g, const std::string& x) {
  return {g.node("Slice", {x, g.integers({1}), g.integers({3}), g.integers({1})}), {4, 2, 4}, std::nullopt};
}
Moved split(Graph& g, const std::string& x) {
  const auto parts = g.node_with_outputs("Split", {x, g.integers({1, 3})}, 2, {{"axis", std::int64_t{2}}});
  return {parts[1], {4, 4, 3}, 1};
}
Moved gather(Graph& g, const std::string& x) {
  return {g.node("Gather", {x, g.integers({3, 0, 1, 1})}, {{"axis", std::int64_t{1}}}), {4, 4, 4}, std::nullopt};
}
Moved expand(Graph& g, const std::string& x) {
  return {g.node("Expand", {x, g.integers({4, 4, 4, 4})}), {4, 4, 4, 4}, 2};
}
Moved tile(Graph& g, const std::string& x) { return {g.node("Tile", {x, g.integers({1, 1, 2})}), {4, 4, 8}, 1}; }
Moved concat_self(Graph& g, const std::string& x) {
  return {g.node("Concat", {x, x}, {{"axis", std::int64_t{2}}}), {4, 4, 8}, 1};
}
Moved pad_edge(Graph& g, const std::string& x) {
  return {g.node("Pad", {x, g.integers({0, 0, 1, 0, 0, 2})}, {{"mode", std::string("edge")}}), {4, 4, 7}, 1};
}

// ---- operators that choose among elements

template <auto choose>
void dq_chosen_ql(Graph& g) {
  const auto first = g.first(image);
  const auto [value, shape] = choose(g, g.dequantize(g.quantized_x(image), first));
  g.output(g.quantize(value, g.second(shape)));
}

template <auto choose>
void dq_chosen(Graph& g) {
  const auto first = g.first(image);
  g.output(choose(g, g.dequantize(g.quantized_x(image), first)).first);
}

template <auto choose>
void chosen_ql_dq(Graph& g) {
  const auto [value, shape] = choose(g, g.number_x(image));
  const auto q = g.first(shape);
  g.output(g.dequantize(g.quantize(value, q), q));
}

/// With the zero point that makes a lower limit of 0 redundant, unless the scale is negative.
template <auto choose>
void chosen_ql_dq_from_lowest(Graph& g) {
  const auto [value, shape] = choose(g, g.number_x(image));
  const auto q = g.from_lowest(-2);
  g.output(g.dequantize(g.quantize(value, q), q));
}

using Chosen = std::pair<std::string, Shape>;

Chosen relu(Graph& g, const std::string& x) { return {g.node("Relu", {x}), image}; }
Chosen clip(Graph& g, const std::string& x) { return {g.node("Clip", {x, g.number(-1), g.number(2)}), image}; }
Chosen clip_at_0(Graph& g, const std::string& x) { return {g.node("Clip", {x, g.number(0)}), image}; }
Chosen max(Graph& g, const std::string& x) { return {g.node("Max", {x, g.number(0.5)}), image}; }
Chosen min(Graph& g, const std::string& x) { return {g.node("Min", {x, g.number(0.5)}), image}; }
Chosen max_pool(Graph& g, const std::string& x) {
  return {g.node("MaxPool", {x}, {{"kernel_shape", std::vector<std::int64_t>{2, 2}}}), {1, 4, 4, 4}};
}
Chosen max_pool_padded(Graph& g, const std::string& x) {
  return {g.node("MaxPool", {x},
                 {{"kernel_shape", std::vector<std::int64_t>{3, 3}},
                  {"pads", std::vector<std::int64_t>{1, 1, 1, 1}},
                  {"strides", std::vector<std::int64_t>{2, 2}}}),
          {1, 4, 3, 3}};
}
Chosen resize_nearest(Graph& g, const std::string& x) {
  const std::string no_region = g.opset() < 13 ? g.numbers({0}, {}) : "";
  const reference::Tensor scales = reference::Tensor::from_codes(
      ElementType::float32, {4}, std::array<std::uint64_t, 4>{0x3F800000, 0x3F800000, 0x40000000, 0x40000000});
  return {
      g.node("Resize", {x, no_region, g.constant(scales)},
             {{"coordinate_transformation_mode", std::string("asymmetric")}, {"nearest_mode", std::string("floor")}}),
      {1, 4, 10, 10}};
}
Chosen resize_linear(Graph& g, const std::string& x) {
  const std::string no_region = g.opset() < 13 ? g.numbers({0}, {}) : "";
  const reference::Tensor scales = reference::Tensor::from_codes(
      ElementType::float32, {4}, std::array<std::uint64_t, 4>{0x3F800000, 0x3F800000, 0x40000000, 0x40000000});
  return {g.node("Resize", {x, no_region, g.constant(scales)},
                 {{"mode", std::string("linear")}, {"coordinate_transformation_mode", std::string("half_pixel")}}),
          {1, 4, 10, 10}};
}
Chosen pad_zero(Graph& g, const std::string& x) {
  return {g.node("Pad", {x, g.integers({0, 0, 1, 1, 0, 0, 1, 1})}), {1, 4, 7, 7}};
}
Chosen pad_value(Graph& g, const std::string& x) {
  return {g.node("Pad", {x, g.integers({0, 0, 1, 1, 0, 0, 1, 1}), g.number(1.5)}), {1, 4, 7, 7}};
}
Chosen where(Graph& g, const std::string& x) {
  reference::Tensor condition(ElementType::boolean, {1, 4, 1, 1});
  condition.set_code(1, 1);
  condition.set_code(2, 1);
  return {g.node("Where", {g.constant(condition), x, g.number(0.25)}), image};
}

// ---- several readers

void dq_with_two_readers(Graph& g) {
  const auto first = g.first(cube);
  const std::string value = g.dequantize(g.quantized_x(cube), first);
  g.output(g.quantize(value, first));
  g.output(g.quantize(g.node("Relu", {value}), first));
}

void ql_with_two_readers(Graph& g) {
  const auto first = g.first(cube);
  const auto second = g.second(cube);
  const std::string value = g.quantize(g.number_x(cube), first);
  g.output(g.dequantize(value, first));
  g.output(g.dequantize(value, g.second(cube, 1, Second::scale)));
}

void dq_that_is_an_output(Graph& g) {
  const auto first = g.first(cube);
  const std::string value = g.dequantize(g.quantized_x(cube), first);
  g.output(g.quantize(value, g.second(cube)));
  g.output(value);
}

void ql_that_is_an_output(Graph& g) {
  const auto first = g.first(cube);
  const std::string value = g.quantize(g.number_x(cube), first);
  g.output(g.dequantize(value, first));
  g.output(value);
}

void relu_that_is_an_output(Graph& g) {
  const auto first = g.first(cube);
  const std::string value = g.node("Relu", {g.dequantize(g.quantized_x(cube), first)});
  g.output(g.quantize(value, g.second(cube)));
  g.output(value);
}

void scale_for_two_axes(Graph& g) {
  const Shape square{3, 3};
  const auto rows = g.first(square, 0);
  Quantization columns = rows;
  if (columns.axis) columns.axis = 1;
  g.output(g.quantize(g.dequantize(g.quantized_x(square), rows), columns));
}

void scale_that_a_node_computes(Graph& g) {
  Quantization q = g.first(cube);
  q.scale = g.node("Mul", {q.scale, g.number(2)});
  g.output(g.quantize(g.dequantize(g.quantized_x(cube), q), g.second(cube)));
}

void scale_that_is_an_input(Graph& g) {
  const Quantization q = g.first(cube);
  g.output(g.quantize(g.dequantize(g.quantized_x(cube), q), g.second(cube)));
  g.declare_as_input(q.scale);
}

void zero_point_that_a_node_computes(Graph& g) {
  Quantization q = g.first(cube);
  if (!q.zero_point.empty()) q.zero_point = g.node("Identity", {q.zero_point});
  g.output(g.quantize(g.dequantize(g.quantized_x(cube), q), g.second(cube)));
}

// ---- operators of com.microsoft next to those of ai.onnx

void ql_of_microsoft_dq(Graph& g) {
  const auto q = g.first(cube);
  g.output(g.dequantize(g.quantize(g.number_x(cube), g.of_microsoft(q)), q));
}

void dq_ql_of_microsoft(Graph& g) {
  const auto first = g.first(cube);
  const auto second = g.second(cube);
  g.output(g.quantize(g.dequantize(g.quantized_x(cube), first), g.of_microsoft(second)));
}

void dq_of_microsoft_transpose_ql(Graph& g) {
  const auto first = g.of_microsoft(g.first(cube));
  const Moved moved = transpose(g, g.dequantize(g.quantized_x(cube), first));
  g.output(g.quantize(moved.value, g.second(moved.shape, moved.axis)));
}

// ---- constants that an optimizer folds

template <Move move>
void constant_dq_moved(Graph& g) {
  const auto first = g.first(cube);
  const std::string constant = move(g, g.dequantize(g.quantized_constant(cube), first)).value;
  const std::string x = g.number_x({1}, Data::small);
  g.output(constant);
  g.output(g.node("Identity", {x}));
}

void constant_dq_cast(Graph& g) {
  const auto first = g.first(cube);
  const std::string value = g.dequantize(g.quantized_constant(cube, Data::small), first);
  g.output(g.node("Cast", {value}, {{"to", static_cast<std::int64_t>(ElementType::float64)}}));
}

void constant_ql_dq(Graph& g) {
  const auto q = g.first(cube);
  const std::string value = g.dequantize(g.quantized_constant(cube), q);
  g.output(g.dequantize(g.quantize(value, q), q));
}

// ---- sums and products

std::string weights(Graph& g, const Shape& shape, std::int64_t axis) {
  return g.dequantize(g.quantized_constant(shape, Data::small), g.first(shape, axis));
}

std::string activations(Graph& g, const Shape& shape) {
  return g.dequantize(g.quantized_x(shape, Data::small), g.per_tensor(-2));
}

void matmul(Graph& g) { g.output(g.node("MatMul", {activations(g, {3, 5}), weights(g, {5, 4}, 1)})); }
void matmul_ql(Graph& g) {
  g.output(g.quantize(g.node("MatMul", {activations(g, {3, 5}), weights(g, {5, 4}, 1)}), g.per_tensor(1)));
}
void matmul_of_two_inputs_ql(Graph& g) {
  const std::string a = activations(g, {3, 5});
  const std::string b = g.dequantize(g.quantized_x({5, 4}, Data::small), g.per_tensor(-1));
  g.output(g.quantize(g.node("MatMul", {a, b}), g.per_tensor(1)));
}

enum class Bias {
  none,
  numbers,      ///< a constant of the type of numbers
  quantized,    ///< int32, with the product of the scales of both operands as scale, as quantizers choose it
  other_scale,  ///< the same with another scale
};

std::string bias(Graph& g, Bias kind) {
  if (kind == Bias::numbers) return g.numbers({4}, {1, -2, 0.5, 3});
  const std::array<std::uint64_t, 4> codes{3, static_cast<std::uint64_t>(-7), 100, 0};
  const std::string values = g.constant(reference::Tensor::from_codes(ElementType::int32, {4}, codes));
  if (kind == Bias::other_scale) return g.node("DequantizeLinear", {values, g.number(0.125)});
  if (is_per_tensor(g.parameters())) return g.node("DequantizeLinear", {values, g.number(0.0625)});
  const std::string products = g.numbers({4}, {0.0625, 0.125, 0.03125, 0.0625});
  return g.node("DequantizeLinear", {values, products}, {{"axis", std::int64_t{0}}});
}

template <class Attributes>
void gemm(Graph& g, const Attributes& attributes, Bias kind, bool b_is_transposed) {
  const std::string a = activations(g, {4, 4});
  const std::string b = weights(g, {4, 4}, b_is_transposed ? 0 : 1);
  std::vector<std::string> inputs{a, b};
  // C is optional since version 11.
  if (kind == Bias::none && g.opset() < 11) kind = Bias::numbers;
  if (kind != Bias::none) inputs.push_back(bias(g, kind));
  g.output(g.quantize(g.node("Gemm", inputs, attributes), g.per_tensor(1)));
}

void gemm_plain(Graph& g) { gemm(g, NodeAttributes{}, Bias::none, false); }
void gemm_bias(Graph& g) { gemm(g, NodeAttributes{}, Bias::numbers, false); }
void gemm_int32_bias(Graph& g) { gemm(g, NodeAttributes{}, Bias::quantized, false); }
void gemm_int32_bias_alpha(Graph& g) { gemm(g, NodeAttributes{{"alpha", 2.0F}}, Bias::quantized, false); }
void gemm_int32_bias_beta(Graph& g) { gemm(g, NodeAttributes{{"beta", 2.0F}}, Bias::quantized, false); }
void gemm_alpha(Graph& g) { gemm(g, NodeAttributes{{"alpha", 0.5F}}, Bias::numbers, false); }
void gemm_beta(Graph& g) { gemm(g, NodeAttributes{{"beta", 4.0F}}, Bias::numbers, false); }
void gemm_alpha_beta(Graph& g) { gemm(g, NodeAttributes{{"alpha", 2.0F}, {"beta", 0.25F}}, Bias::numbers, false); }
void gemm_trans_a(Graph& g) { gemm(g, NodeAttributes{{"transA", std::int64_t{1}}}, Bias::numbers, false); }
void gemm_trans_b(Graph& g) { gemm(g, NodeAttributes{{"transB", std::int64_t{1}}}, Bias::numbers, true); }

void conv(Graph& g, std::int64_t groups, Bias kind, bool is_quantized) {
  std::vector<std::string> inputs{activations(g, image), weights(g, {4, 4 / groups, 2, 2}, 0)};
  if (kind != Bias::none) inputs.push_back(bias(g, kind));
  const std::string value = g.node("Conv", inputs, {{"group", groups}});
  g.output(is_quantized ? g.quantize(value, g.per_tensor(1)) : value);
}

void conv_plain(Graph& g) { conv(g, 1, Bias::none, false); }
void conv_ql(Graph& g) { conv(g, 1, Bias::none, true); }
void conv_bias_ql(Graph& g) { conv(g, 1, Bias::quantized, true); }
void conv_groups_ql(Graph& g) { conv(g, 2, Bias::quantized, true); }
void conv_other_bias_ql(Graph& g) { conv(g, 1, Bias::other_scale, true); }

template <bool is_quantized>
void binary(Graph& g, const char* op) {
  const std::string a = activations(g, cube);
  const std::string b = g.dequantize(g.quantized_x(cube, Data::small), g.per_tensor(-1));
  const std::string value = g.node(op, {a, b});
  g.output(is_quantized ? g.quantize(value, g.second(cube, std::nullopt)) : value);
}

void add(Graph& g) { binary<false>(g, "Add"); }
void add_ql(Graph& g) { binary<true>(g, "Add"); }
void mul(Graph& g) { binary<false>(g, "Mul"); }
void mul_ql(Graph& g) { binary<true>(g, "Mul"); }

void add_constant_ql(Graph& g) {
  const std::string value = g.node("Add", {activations(g, cube), g.number(2.5)});
  g.output(g.quantize(value, g.second(cube, std::nullopt)));
}

void mul_constant_ql(Graph& g) {
  const std::string value = g.node("Mul", {activations(g, cube), g.number(-2)});
  g.output(g.quantize(value, g.second(cube, std::nullopt)));
}

void concat_of_two_ql(Graph& g) {
  const std::string a = g.dequantize(g.quantized_x(cube), g.first(cube));
  const std::string b = g.dequantize(g.quantized_x(cube), g.second(cube));
  g.output(g.quantize(g.node("Concat", {a, b}, {{"axis", std::int64_t{2}}}), g.first(cube)));
}

// ---- branches, functions, and other surroundings

void if_dq(Graph& g) {
  const auto first = g.first(cube);
  const std::string x = g.quantized_x(cube);
  const auto second = g.second(cube, 1, Second::scale);
  g.output(g.if_node([&] { return g.dequantize(x, first); }, [&] { return g.dequantize(x, second); }));
}

void dq_if_ql(Graph& g) {
  const auto first = g.first(cube);
  const auto second = g.second(cube);
  const std::string value = g.dequantize(g.quantized_x(cube), first);
  g.output(g.if_node([&] { return g.quantize(value, second); },
                     [&] { return g.quantize(g.node("Relu", {value}), second); }));
}

void function_dq_ql(Graph& g) {
  const auto q = g.first(cube);
  const std::string x = g.quantized_x(cube);
  std::vector<std::string> inputs{x, q.scale};
  if (!q.zero_point.empty()) inputs.push_back(q.zero_point);
  g.output(g.call_function(inputs, [&] { return g.quantize(g.node("Relu", {g.dequantize(x, q)}), q); }));
}

void dq_ql_of_nothing(Graph& g) {
  const Shape empty{0, 4};
  const auto first = g.first(empty);
  g.output(g.quantize(g.dequantize(g.quantized_x(empty), first), g.second(empty)));
}

// clang-format off
constexpr std::array rows{
    Pattern{"ql_dq", "QuantizeLinear, DequantizeLinear", "removes the pair", equal_pairs, ql_dq},
    Pattern{"dq_ql_same", "DequantizeLinear, QuantizeLinear with the same parameters", "replaces the identity by something else", equal_pairs, dq_ql},
    Pattern{"dq_ql_other", "DequantizeLinear, QuantizeLinear with other parameters", "removes the pair", unlike_pair, dq_ql},
    Pattern{"ql_dq_ql_dq_same", "two pairs with the same parameters", "merges the pairs, and rounds otherwise", equal_pairs, ql_dq_ql_dq},
    Pattern{"ql_dq_ql_dq_other", "two pairs with other parameters", "merges the pairs into one", unlike_pair, ql_dq_ql_dq},
    Pattern{"dq_ql_dq", "DequantizeLinear, QuantizeLinear, DequantizeLinear", "keeps only the first operator", any, dq_ql_dq},
    Pattern{"dq_ql_dq_ql", "two requantizations", "merges them into one", any, dq_ql_dq_ql},

    Pattern{"dq_identity", "DequantizeLinear, Identity", "removes Identity, and with it an output", one_pair, dq_moved<identity>},
    Pattern{"dq_identity_ql", "DequantizeLinear, Identity, QuantizeLinear", "removes the pair although its parameters differ", pair, dq_moved_ql<identity>},
    Pattern{"dq_reshape", "DequantizeLinear, Reshape", "moves DequantizeLinear after Reshape", one_pair, dq_moved<reshape>},
    Pattern{"dq_reshape_ql", "DequantizeLinear, Reshape, QuantizeLinear", "reshapes quantized elements although the parameters differ", pair, dq_moved_ql<reshape>},
    Pattern{"dq_reshape_channels", "DequantizeLinear, Reshape of the channels", "keeps the axis of the scales", one_pair, dq_moved<reshape_channels>},
    Pattern{"dq_reshape_channels_ql", "DequantizeLinear, Reshape of the channels, QuantizeLinear", "keeps the axis of the scales", pair, dq_moved_ql<reshape_channels>},
    Pattern{"dq_flatten", "DequantizeLinear, Flatten", "keeps the axis of the scales", one_pair, dq_moved<flatten>},
    Pattern{"dq_flatten_ql", "DequantizeLinear, Flatten, QuantizeLinear", "keeps the axis of the scales", pair, dq_moved_ql<flatten>},
    Pattern{"dq_unsqueeze", "DequantizeLinear, Unsqueeze", "keeps the axis of the scales", one_pair_since_13, dq_moved<unsqueeze>},
    Pattern{"dq_unsqueeze_ql", "DequantizeLinear, Unsqueeze, QuantizeLinear", "keeps the axis of the scales", pair_since_13, dq_moved_ql<unsqueeze>},
    Pattern{"dq_squeeze", "DequantizeLinear, Reshape, Squeeze", "keeps the axis of the scales", one_pair_since_13, dq_moved<squeeze>},
    Pattern{"dq_squeeze_ql", "DequantizeLinear, Reshape, Squeeze, QuantizeLinear", "keeps the axis of the scales", pair_since_13, dq_moved_ql<squeeze>},
    Pattern{"dq_transpose", "DequantizeLinear, Transpose", "keeps the axis of the scales", one_pair, dq_moved<transpose>},
    Pattern{"dq_transpose_ql", "DequantizeLinear, Transpose, QuantizeLinear", "keeps the axis of the scales", pair, dq_moved_ql<transpose>},
    Pattern{"ql_transpose_dq", "QuantizeLinear, Transpose, DequantizeLinear", "keeps the axis of the scales", transposes, ql_moved_dq<transpose>},
    Pattern{"ql_reshape_dq", "QuantizeLinear, Reshape, DequantizeLinear", "keeps the axis of the scales", one_pair_of_other_types, ql_moved_dq<reshape>},
    Pattern{"dq_slice", "DequantizeLinear, Slice", "slices the scales, or does not", one_pair, dq_moved<slice>},
    Pattern{"dq_slice_ql", "DequantizeLinear, Slice, QuantizeLinear", "slices quantized elements although the parameters differ", pair, dq_moved_ql<slice>},
    Pattern{"dq_slice_channels_ql", "DequantizeLinear, Slice of the channels, QuantizeLinear", "keeps the scales of other channels", pair, dq_moved_ql<slice_channels>},
    Pattern{"dq_split", "DequantizeLinear, Split", "moves DequantizeLinear after one output only", one_pair_since_13, dq_moved<split>},
    Pattern{"dq_split_ql", "DequantizeLinear, Split, QuantizeLinear", "splits quantized elements although the parameters differ", pair_since_13, dq_moved_ql<split>},
    Pattern{"dq_gather", "DequantizeLinear, Gather of channels", "keeps the scales of other channels", one_pair, dq_moved<gather>},
    Pattern{"dq_gather_ql", "DequantizeLinear, Gather of channels, QuantizeLinear", "keeps the scales of other channels", pair, dq_moved_ql<gather>},
    Pattern{"dq_expand", "DequantizeLinear, Expand", "keeps the axis of the scales", one_pair, dq_moved<expand>},
    Pattern{"dq_expand_ql", "DequantizeLinear, Expand, QuantizeLinear", "keeps the axis of the scales", pair, dq_moved_ql<expand>},
    Pattern{"dq_tile", "DequantizeLinear, Tile", "moves DequantizeLinear after Tile", one_pair, dq_moved<tile>},
    Pattern{"dq_tile_ql", "DequantizeLinear, Tile, QuantizeLinear", "tiles quantized elements although the parameters differ", pair, dq_moved_ql<tile>},
    Pattern{"dq_concat_ql", "DequantizeLinear, Concat with itself, QuantizeLinear", "concatenates quantized elements although the parameters differ", pair, dq_moved_ql<concat_self>},
    Pattern{"dq_pad_edge_ql", "DequantizeLinear, Pad with the edge, QuantizeLinear", "pads quantized elements although the parameters differ", pair_since_11, dq_moved_ql<pad_edge>},

    Pattern{"dq_relu_ql", "DequantizeLinear, Relu, QuantizeLinear", "removes Relu, or replaces it by a maximum with the zero point", pair, dq_chosen_ql<relu>},
    Pattern{"relu_ql_dq", "Relu, QuantizeLinear, DequantizeLinear", "removes Relu because QuantizeLinear saturates", one_pair, chosen_ql_dq<relu>},
    Pattern{"relu_ql_dq_from_lowest", "Relu, QuantizeLinear with the lowest zero point, DequantizeLinear", "removes Relu although a scale is negative", from_lowest, chosen_ql_dq_from_lowest<relu>},
    Pattern{"clip_at_0_ql_dq_from_lowest", "Clip at 0, QuantizeLinear with the lowest zero point, DequantizeLinear", "removes Clip although a scale is negative", from_lowest_since_11, chosen_ql_dq_from_lowest<clip_at_0>},
    Pattern{"dq_clip_ql", "DequantizeLinear, Clip, QuantizeLinear", "clips quantized elements", pair_since_11, dq_chosen_ql<clip>},
    Pattern{"clip_ql_dq", "Clip, QuantizeLinear, DequantizeLinear", "removes Clip because QuantizeLinear saturates", pair_since_11, chosen_ql_dq<clip>},
    Pattern{"clip_at_0_ql_dq", "Clip at 0, QuantizeLinear, DequantizeLinear", "removes Clip because QuantizeLinear saturates", pair_since_11, chosen_ql_dq<clip_at_0>},
    Pattern{"dq_max_ql", "DequantizeLinear, Max with a constant, QuantizeLinear", "takes the maximum of quantized elements", pair, dq_chosen_ql<max>},
    Pattern{"dq_min_ql", "DequantizeLinear, Min with a constant, QuantizeLinear", "takes the minimum of quantized elements", pair, dq_chosen_ql<min>},
    Pattern{"dq_maxpool", "DequantizeLinear, MaxPool", "pools quantized elements although a scale is negative", per_tensor, dq_chosen<max_pool>},
    Pattern{"dq_maxpool_ql", "DequantizeLinear, MaxPool, QuantizeLinear", "pools quantized elements although a scale is negative", per_tensor, dq_chosen_ql<max_pool>},
    Pattern{"dq_maxpool_padded_ql", "DequantizeLinear, MaxPool with padding, QuantizeLinear", "lets the padding win against negative numbers", per_tensor, dq_chosen_ql<max_pool_padded>},
    Pattern{"maxpool_ql_dq", "MaxPool, QuantizeLinear, DequantizeLinear", "moves MaxPool after QuantizeLinear although a scale is negative", per_tensor, chosen_ql_dq<max_pool>},
    Pattern{"dq_resize_nearest_ql", "DequantizeLinear, Resize to the nearest, QuantizeLinear", "resizes quantized elements although the parameters differ", per_tensor_since_13, dq_chosen_ql<resize_nearest>},
    Pattern{"dq_resize_linear", "DequantizeLinear, linear Resize", "interpolates quantized elements, and rounds them", computes_since_11, dq_chosen<resize_linear>},
    Pattern{"dq_resize_linear_ql", "DequantizeLinear, linear Resize, QuantizeLinear", "interpolates quantized elements, and rounds them twice", computes_since_11, dq_chosen_ql<resize_linear>},
    Pattern{"dq_pad_zero_ql", "DequantizeLinear, Pad with 0, QuantizeLinear", "pads quantized elements with 0 instead of the zero point", pair_since_11, dq_chosen_ql<pad_zero>},
    Pattern{"dq_pad_value_ql", "DequantizeLinear, Pad with a constant, QuantizeLinear", "pads quantized elements with the constant", pair_since_11, dq_chosen_ql<pad_value>},
    Pattern{"dq_where_ql", "DequantizeLinear, Where with a constant, QuantizeLinear", "chooses quantized elements", pair, dq_chosen_ql<where>},
    Pattern{"dq_concat_of_two_ql", "two DequantizeLinear, Concat, QuantizeLinear", "concatenates quantized elements of different scales", pair_not_blocked, concat_of_two_ql},

    Pattern{"dq_two_readers", "DequantizeLinear with two readers", "fuses it into one reader, and loses the other", one_pair, dq_with_two_readers},
    Pattern{"ql_two_readers", "QuantizeLinear with two readers", "merges it with one reader, and loses the other", one_pair, ql_with_two_readers},
    Pattern{"dq_output", "DequantizeLinear whose output is an output of the graph", "removes what the graph gives", pair, dq_that_is_an_output},
    Pattern{"ql_output", "QuantizeLinear whose output is an output of the graph", "removes what the graph gives", one_pair, ql_that_is_an_output},
    Pattern{"relu_output", "Relu between, whose output is an output of the graph", "removes what the graph gives", pair, relu_that_is_an_output},
    Pattern{"scale_for_two_axes", "one scale for two axes", "uses one axis for both", one_pair_not_blocked, scale_for_two_axes},
    Pattern{"computed_scale", "a scale that a node computes", "uses the scale before it is computed", pair, scale_that_a_node_computes},
    Pattern{"scale_and_input", "a scale that is an initializer and a graph input", "takes the scale for a value that the caller must give", has_initializers, scale_that_is_an_input},
    Pattern{"computed_zero_point", "a zero point that a node computes", "takes the zero point for 0", pair_of_other_types, zero_point_that_a_node_computes},

    Pattern{"ms_ql_dq", "QuantizeLinear of com.microsoft, DequantizeLinear of ai.onnx", "removes the pair", equal_pairs_of_microsoft, ql_of_microsoft_dq, is_disputed_by_microsoft},
    Pattern{"dq_ms_ql", "DequantizeLinear of ai.onnx, QuantizeLinear of com.microsoft", "removes the pair", is_of_microsoft, dq_ql_of_microsoft, is_disputed_by_microsoft},
    Pattern{"ms_dq_transpose_ql", "DequantizeLinear of com.microsoft, Transpose, QuantizeLinear of ai.onnx", "keeps the axis of the scales", is_of_microsoft, dq_of_microsoft_transpose_ql, is_disputed_by_microsoft},

    Pattern{"constant_dq_reshape", "constant, DequantizeLinear, Reshape", "folds the constant with another type", one_pair, constant_dq_moved<reshape>},
    Pattern{"constant_dq_transpose", "constant, DequantizeLinear, Transpose", "folds the constant with another type", one_pair, constant_dq_moved<transpose>},
    Pattern{"constant_dq_identity", "constant, DequantizeLinear, Identity", "folds the constant with another type", one_pair, constant_dq_moved<identity>},
    Pattern{"constant_dq_slice", "constant, DequantizeLinear, Slice", "folds the constant with another type", one_pair, constant_dq_moved<slice>},
    Pattern{"constant_dq_cast", "constant, DequantizeLinear, Cast", "folds the constant with another type", one_pair, constant_dq_cast},
    Pattern{"constant_ql_dq", "constant, DequantizeLinear, QuantizeLinear, DequantizeLinear", "removes the pair where it saturates", one_pair, constant_ql_dq},

    Pattern{"dq_matmul", "DequantizeLinear of both operands, MatMul", "forgets a zero point", computes, matmul},
    Pattern{"dq_matmul_ql", "DequantizeLinear of both operands, MatMul, QuantizeLinear", "forgets a zero point", computes, matmul_ql},
    Pattern{"dq_matmul_of_inputs_ql", "DequantizeLinear of two inputs, MatMul, QuantizeLinear", "forgets a zero point", computes_per_tensor, matmul_of_two_inputs_ql},
    Pattern{"dq_gemm_ql", "DequantizeLinear of both operands, Gemm, QuantizeLinear", "forgets a zero point", computes, gemm_plain},
    Pattern{"dq_gemm_bias_ql", "the same with a bias", "quantizes the bias", computes, gemm_bias},
    Pattern{"dq_gemm_int32_bias_ql", "the same with an int32 bias", "scales the bias otherwise", computes, gemm_int32_bias, is_disputed_bias},
    Pattern{"dq_gemm_int32_bias_alpha_ql", "the same with an int32 bias and alpha", "multiplies the bias by alpha", computes, gemm_int32_bias_alpha, is_disputed_bias},
    Pattern{"dq_gemm_int32_bias_beta_ql", "the same with an int32 bias and beta", "drops beta", computes, gemm_int32_bias_beta, is_disputed_bias},
    Pattern{"dq_gemm_alpha_ql", "the same with alpha", "multiplies the bias by alpha, or drops alpha", computes, gemm_alpha},
    Pattern{"dq_gemm_beta_ql", "the same with beta", "drops beta", computes, gemm_beta},
    Pattern{"dq_gemm_alpha_beta_ql", "the same with alpha and beta", "drops one of them", computes, gemm_alpha_beta},
    Pattern{"dq_gemm_trans_a_ql", "the same with transA", "does not transpose A", computes, gemm_trans_a},
    Pattern{"dq_gemm_trans_b_ql", "the same with transB", "keeps the axis of the scales of B", computes, gemm_trans_b},
    Pattern{"dq_conv", "DequantizeLinear of X and W, Conv", "forgets a zero point", computes, conv_plain},
    Pattern{"dq_conv_ql", "DequantizeLinear of X and W, Conv, QuantizeLinear", "forgets a zero point", computes, conv_ql},
    Pattern{"dq_conv_bias_ql", "the same with an int32 bias", "scales the bias otherwise", computes, conv_bias_ql, is_disputed_bias},
    Pattern{"dq_conv_other_bias_ql", "the same with another scale of the bias than the product of the others", "takes the product for the scale of the bias", computes, conv_other_bias_ql, is_disputed_bias},
    Pattern{"dq_conv_groups_ql", "the same with groups", "mixes the scales of groups", computes, conv_groups_ql, is_disputed_bias},
    Pattern{"dq_add", "DequantizeLinear of both operands, Add", "adds quantized elements of different scales", computes_per_tensor_once, add},
    Pattern{"dq_add_ql", "DequantizeLinear of both operands, Add, QuantizeLinear", "adds quantized elements of different scales", computes_per_tensor, add_ql},
    Pattern{"dq_add_constant_ql", "DequantizeLinear, Add of a constant, QuantizeLinear", "adds the constant to the zero point", computes_per_tensor, add_constant_ql},
    Pattern{"dq_mul", "DequantizeLinear of both operands, Mul", "multiplies quantized elements without their zero points", computes_per_tensor_once, mul},
    Pattern{"dq_mul_ql", "DequantizeLinear of both operands, Mul, QuantizeLinear", "multiplies quantized elements without their zero points", computes_per_tensor, mul_ql},
    Pattern{"dq_mul_constant_ql", "DequantizeLinear, Mul by a constant, QuantizeLinear", "multiplies the scale, and forgets its sign", computes_per_tensor, mul_constant_ql},

    Pattern{"if_dq", "DequantizeLinear in branches of If", "uses the scale of the other branch", one_pair, if_dq},
    Pattern{"dq_if_ql", "QuantizeLinear in branches of If", "moves it out of one branch", pair_of_other_types, dq_if_ql},
    Pattern{"function_dq_ql", "DequantizeLinear, Relu, QuantizeLinear in a function", "removes Relu", one_pair, function_dq_ql},
    Pattern{"empty_dq_ql", "DequantizeLinear, QuantizeLinear of a tensor without elements", "fails for a tensor without elements", pair, dq_ql_of_nothing, always},
};
// clang-format on

}  // namespace

std::span<const Pattern> patterns() { return rows; }

}  // namespace touchstone::conformance
