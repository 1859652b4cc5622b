// Wrong models of graphs with sums and products.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/diagnose/graph_editor.h"
#include "conformance/diagnose/host_arithmetic.h"
#include "conformance/diagnose/wrong_graphs.h"
#include "reference/codec.h"
#include "reference/host_numbers.h"

namespace touchstone::conformance {

namespace {

/// Alpha or beta of Gemm.
float factor_of(GraphNode& node, const char* name) {
  const auto* number = attribute<float>(node, name);
  return number != nullptr ? *number : 1.0F;
}

void multiply(Tensor& tensor, double by) {
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    tensor.set_code(i,
                    reference::rounded_code(tensor.type(), by * reference::number_of(tensor.type(), tensor.code(i))));
}

/// Gives all channels of a constant bias the number of the first one.
bool repeat_first_bias(Editor& editor, GraphNode& node) {
  GraphNode* dequantize = editor.producer_of_input(node, 2);
  if (node.inputs.size() < 3 || (dequantize != nullptr && !is(dequantize, dq) && !is(dequantize, "Constant")))
    return false;
  std::string& place = is(dequantize, dq) ? dequantize->inputs[0] : node.inputs[2];
  const Tensor* bias = editor.constant(place);
  if (bias == nullptr || bias->size() < 2) return false;
  Tensor changed = *bias;
  for (std::int64_t i = 1; i < bias->size(); ++i) changed.set_code(i, bias->code(0));
  place = editor.add_constant(changed);
  return true;
}

/// Gives the bias of a node the scale of one factor.
template <std::size_t factor>
bool take_scale_for_bias(Editor& editor, GraphNode& node) {
  GraphNode* bias = editor.producer_of_input(node, 2);
  const GraphNode* other = editor.producer_of_input(node, factor);
  if (!is(bias, dq) || !is(other, dq)) return false;
  const Tensor* scale = editor.constant(other->inputs[1]);
  if (scale == nullptr || scale->rank() > 1 || other->attributes.contains("block_size")) return false;
  bias->inputs[1] = other->inputs[1];
  if (scale->rank() > 0) bias->attributes["axis"] = std::int64_t{0};
  return true;
}

bool use_one_scale(Editor& editor, GraphNode& node) {
  const GraphNode* first = editor.producer_of_input(node, 0);
  GraphNode* second = editor.producer_of_input(node, 1);
  if (!is(first, dq) || !is(second, dq) || first->inputs[1] == second->inputs[1]) return false;
  second->inputs[1] = first->inputs[1];
  return true;
}

bool use_one_zero_point(Editor& editor, GraphNode& node) {
  const GraphNode* first = editor.producer_of_input(node, 0);
  GraphNode* second = editor.producer_of_input(node, 1);
  if (!is(first, dq) || !is(second, dq) || zero_point_of(*first) == zero_point_of(*second)) return false;
  if (!has_same_type(editor, *first, *second)) return false;
  second->inputs[2] = zero_point_of(*first);
  return true;
}

bool forget_both_zero_points(Editor& editor, GraphNode& node) {
  bool changed = false;
  for (const std::size_t operand : {0U, 1U})
    if (GraphNode* dequantize = editor.producer_of_input(node, operand); is(dequantize, dq))
      changed = forget_zero_point(editor, *dequantize) || changed;
  return changed;
}

std::string integers(Editor& editor, const std::vector<std::int64_t>& values) {
  const std::vector<std::uint64_t> codes(values.begin(), values.end());
  return editor.add_constant(Tensor::from_codes(ElementType::int64, {std::ssize(codes)}, codes));
}

/// The number of a constant that is an integer.
std::optional<float> integer_of(Editor& editor, const std::string& value) {
  const Tensor* tensor = editor.constant(value);
  if (tensor == nullptr || tensor->size() != 1 || !spec::is_integer(tensor->type())) return std::nullopt;
  return static_cast<float>(host::decode(tensor->type(), tensor->code(0)));
}

/// Makes a node quantize or dequantize with a scale of 1 and a zero point of 0.
void take_codes(Editor& editor, GraphNode& node) {
  node.inputs[1] = number(editor, 1);
  if (const Tensor* zero_point = editor.constant(zero_point_of(node)))
    node.inputs[2] = editor.add_constant(Tensor(zero_point->type(), {}));
}

bool rescale_products_of_codes(Editor& editor, GraphNode quantize, Replacement& nodes) {
  GraphNode* product = editor.producer_of_input(quantize, 0);
  if (!is(product, "Mul")) return false;
  GraphNode* left = editor.producer_of_input(*product, 0);
  GraphNode* right = editor.producer_of_input(*product, 1);
  const auto zero_point = integer_of(editor, zero_point_of(quantize));
  if (!is(left, dq) || !is(right, dq) || !zero_point) return false;
  const auto first = scale_of(editor, *left), second = scale_of(editor, *right), last = scale_of(editor, quantize);
  if (!first || !second || !last) return false;
  left->inputs[1] = right->inputs[1] = number(editor, 1);
  take_codes(editor, quantize);
  const std::string rescaled = nodes.add("Mul", {quantize.inputs[0], number(editor, *first * *second / *last)});
  quantize.inputs[0] = nodes.add("Add", {rescaled, number(editor, *zero_point)});
  nodes.add(std::move(quantize));
  return true;
}

bool rescale_sums_of_codes(Editor& editor, GraphNode quantize, Replacement& nodes) {
  const GraphNode* sum = editor.producer_of_input(quantize, 0);
  if (!is(sum, "Add")) return false;
  const std::array operands{editor.producer_of_input(*sum, 0), editor.producer_of_input(*sum, 1)};
  const auto zero_point = integer_of(editor, zero_point_of(quantize)), last = scale_of(editor, quantize);
  if (!zero_point || !last || operands[0] == operands[1]) return false;
  std::array<float, 2> ratios{};
  float offset = 0;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (!is(operands[k], dq) || !has_same_type(editor, *operands[k], quantize)) return false;
    const auto own = integer_of(editor, zero_point_of(*operands[k])), scale = scale_of(editor, *operands[k]);
    if (!own || !scale) return false;
    ratios[k] = *scale / *last;
    offset += ratios[k] * *own;
  }
  std::array<std::string, 2> rescaled;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    take_codes(editor, *operands[k]);
    rescaled[k] = nodes.add("Mul", {sum->inputs[k], number(editor, ratios[k])});
  }
  take_codes(editor, quantize);
  const std::string both = nodes.add("Add", {rescaled[0], rescaled[1]});
  quantize.inputs[0] = nodes.add("Add", {both, number(editor, *zero_point - offset)});
  nodes.add(std::move(quantize));
  return true;
}

/// How a processor adds two products in 16 bits.
struct PairSums {
  int offset;    ///< is added to the first factors, which makes signed ones unsigned, or the reverse if it is negative;
                 ///< what it contributes is subtracted
  int distance;  ///< between the two products
  bool wraps;    ///< or saturates
};

/// The difference of the sum of 16 bits and the exact sum, which is below 3 * 2^15.
std::string lost_of(Replacement& nodes, Editor& editor, const std::string& sum, bool wraps) {
  const std::string limit = number(editor, 32767), lower = number(editor, -32768);
  const std::string saturated = nodes.add("Max", {nodes.add("Min", {sum, limit}), lower});
  const std::string difference = nodes.add("Sub", {saturated, sum});
  if (!wraps) return difference;
  const std::string sign = nodes.add("Max", {nodes.add("Min", {difference, number(editor, 1)}), number(editor, -1)});
  return nodes.add("Mul", {sign, number(editor, 65536)});
}

/// The integers that a processor multiplies first, without a scale.
std::string codes_of_factor(Editor& editor, Replacement& nodes, const GraphNode& dequantize, int offset) {
  std::vector<std::string> inputs{dequantize.inputs[0], number(editor, 1)};
  if (offset != 0) {
    const ElementType type = offset > 0 ? ElementType::int8 : ElementType::uint8;
    const std::array codes{reference::encode(type, reference::exact(-offset))};
    inputs.push_back(editor.add_constant(Tensor::from_codes(type, {}, codes)));
  }
  return nodes.add(dq, inputs);
}

std::string transposed_if(Replacement& nodes, const std::string& value, const std::int64_t* condition) {
  return condition != nullptr && *condition != 0 ? nodes.add("Transpose", {value}) : value;
}

/// What MatMul or Gemm loses, without scales; empty if it is none of which that is known.
std::string lost_of_matrices(Editor& editor, Replacement& nodes, GraphNode product, const Tensor& weights,
                             const PairSums& sums) {
  const bool has_factors = product.attributes.contains("alpha") || product.attributes.contains("beta");
  if ((!is(&product, "MatMul") && !is(&product, "Gemm")) || has_factors || weights.rank() != 2) return "";
  const GraphNode &left = *editor.producer_of_input(product, 0), &right = *editor.producer_of_input(product, 1);
  const auto *trans_a = attribute<std::int64_t>(product, "transA"),
             *trans_b = attribute<std::int64_t>(product, "transB");
  const std::string a = transposed_if(nodes, codes_of_factor(editor, nodes, left, sums.offset), trans_a),
                    b = transposed_if(nodes, codes_of_factor(editor, nodes, right, 0), trans_b),
                    step = integers(editor, {sums.distance}), rows = integers(editor, {0}),
                    columns = integers(editor, {editor.opset() < 11 ? 1 : -1});
  const std::int64_t terms = weights.shape()[trans_b != nullptr && *trans_b != 0 ? 1 : 0];
  std::string lost;
  for (std::int64_t k = 0; k < terms; ++k) {
    if (k / sums.distance % 2 != 0) continue;
    const std::string start = integers(editor, {k}), end = integers(editor, {k + sums.distance + 1});
    const std::string sum = nodes.add("MatMul", {nodes.add("Slice", {a, start, end, columns, step}),
                                                 nodes.add("Slice", {b, start, end, rows, step})});
    const std::string difference = lost_of(nodes, editor, sum, sums.wraps);
    lost = lost.empty() ? difference : nodes.add("Add", {lost, difference});
  }
  return lost;
}

/// The pads of Conv for Pad, with those of batch and channel.
std::string pads_of_all_axes(Editor& editor, const std::vector<std::int64_t>& pads) {
  std::vector<std::int64_t> all(pads.size() + 4);
  const std::ptrdiff_t half = std::ssize(pads) / 2;
  std::copy_n(pads.begin(), half, all.begin() + 2);
  std::copy_n(pads.begin() + half, half, all.begin() + half + 4);
  return integers(editor, all);
}

/// The codes of the input of Conv with its padding, which is the zero point; empty if that is not known.
std::string padded_codes(Editor& editor, Replacement& nodes, GraphNode& conv, int offset) {
  const GraphNode& left = *editor.producer_of_input(conv, 0);
  const std::string codes = codes_of_factor(editor, nodes, left, offset);
  const auto* pads = attribute<std::vector<std::int64_t>>(conv, "pads");
  if (pads == nullptr) return codes;
  // Before opset 11, Pad takes its amounts as an attribute.
  const auto zero_point = zero_point_of(left).empty() ? std::optional(0.0F) : integer_of(editor, zero_point_of(left));
  if (editor.opset() < 11 || !zero_point) return "";
  const std::string padded = nodes.add(
      "Pad", {codes, pads_of_all_axes(editor, *pads), number(editor, *zero_point + static_cast<float>(offset))});
  conv.attributes.erase("pads");
  return padded;
}

/// The same of Conv without groups, whose terms are in the order of the kernel's places, and of the
/// channels within each.
std::string lost_of_windows(Editor& editor, Replacement& nodes, GraphNode product, const Tensor& weights,
                            const PairSums& sums) {
  constexpr std::int64_t most_terms = 256;
  if (!is(&product, "Conv") || product.attributes.contains("group") || product.attributes.contains("auto_pad") ||
      weights.rank() < 3)
    return "";
  const std::int64_t maps = weights.shape()[0], channels = weights.shape()[1], terms = weights.size() / maps;
  if (terms > most_terms) return "";
  product.inputs.resize(2);
  product.inputs[0] = padded_codes(editor, nodes, product, sums.offset);
  if (product.inputs[0].empty()) return "";
  std::string lost;
  for (std::int64_t k = 0; k < terms; ++k) {
    if (k / sums.distance % 2 != 0) continue;
    Tensor pair(weights.type(), weights.shape());
    for (const std::int64_t term : {k, k + sums.distance})
      for (std::int64_t map = 0; map < maps && term < terms; ++map) {
        const std::int64_t place = map * terms + term % channels * (terms / channels) + term / channels;
        pair.set_code(place, weights.code(place));
      }
    product.inputs[1] = nodes.add(dq, {editor.add_constant(pair), number(editor, 1)});
    const std::string difference =
        lost_of(nodes, editor, nodes.add("Conv", product.inputs, product.attributes), sums.wraps);
    lost = lost.empty() ? difference : nodes.add("Add", {lost, difference});
  }
  return lost;
}

bool add_pairs_in_16_bits(GraphModel& model, const PairSums& sums) {
  Editor editor(model);
  for (std::size_t i = 0; i < editor.nodes().size(); ++i) {
    const GraphNode product = editor.nodes()[i];
    const GraphNode* left = editor.producer_of_input(product, 0);
    const GraphNode* right = editor.producer_of_input(product, 1);
    if (!is(left, dq) || !is(right, dq)) continue;
    const Tensor* weights = editor.constant(right->inputs[0]);
    if (weights == nullptr || weights->size() == 0) continue;
    Replacement nodes(product.outputs[0]);
    std::string lost = lost_of_matrices(editor, nodes, product, *weights, sums);
    if (lost.empty()) lost = lost_of_windows(editor, nodes, product, *weights, sums);
    if (lost.empty()) continue;
    std::string scale = right->inputs[1];
    if (is(&product, "Conv")) {  // those of the maps are along the second axis of the product
      std::vector<std::int64_t> shape(weights->shape().size() - 1, 1);
      shape[0] = -1;
      scale = nodes.add("Reshape", {scale, integers(editor, shape)});
    }
    lost = nodes.add("Mul", {nodes.add("Mul", {lost, left->inputs[1]}), scale});
    nodes.add("Add", {nodes.add(product.op_type, product.inputs, product.attributes), lost});
    nodes.put(editor, i);
    return true;
  }
  return false;
}

bool saturate_to_24_bits(Editor& editor, GraphNode product, Replacement& nodes) {
  const GraphNode* left = editor.producer_of_input(product, 0);
  const GraphNode* right = editor.producer_of_input(product, 1);
  if (!is(left, dq) || !is(right, dq)) return false;
  const auto first = scale_of(editor, *left), second = scale_of(editor, *right);
  if (!first || !second) return false;
  const double one = static_cast<double>(*first) * static_cast<double>(*second);
  const auto [lowest, highest] = std::minmax({one * 0x7FFFFF, one * -0x800000});
  const std::string sum = nodes.add("MatMul", product.inputs);
  nodes.add("Max", {nodes.add("Min", {sum, number(editor, highest)}), number(editor, lowest)});
  return true;
}

bool halve_weights(Editor& editor, GraphNode& dequantize) {
  const Tensor* weights = editor.constant(dequantize.inputs[0]);
  const Tensor* scale = editor.constant(dequantize.inputs[1]);
  if (weights == nullptr || weights->type() != ElementType::int8 || scale == nullptr) return false;
  Tensor halved = *weights, doubled = *scale;
  for (std::int64_t i = 0; i < weights->size(); ++i) {
    const double half = reference::number_of(weights->type(), weights->code(i)) / 2;
    halved.set_code(i, reference::encode(weights->type(), reference::exact(std::nearbyint(half))));
  }
  multiply(doubled, 2);
  dequantize.inputs[0] = editor.add_constant(halved);
  dequantize.inputs[1] = editor.add_constant(doubled);
  return true;
}

constexpr const char strides[] = "strides", dilations[] = "dilations";

/// Exchanges the numbers of rows and columns.
template <const char* name>
bool exchange(Editor&, GraphNode& node) {
  auto* both = attribute<std::vector<std::int64_t>>(node, name);
  if (both == nullptr || both->size() != 2 || (*both)[0] == (*both)[1]) return false;
  std::swap((*both)[0], (*both)[1]);
  return true;
}

bool pad_at_other_end(Editor&, GraphNode& node) {
  if (auto* amounts = attribute<std::vector<std::int64_t>>(node, "pads")) {
    const std::vector<std::int64_t> before = *amounts;
    std::ranges::rotate(*amounts, amounts->begin() + std::ssize(*amounts) / 2);
    return *amounts != before;
  }
  auto* text = attribute<std::string>(node, "auto_pad");
  if (text == nullptr || !text->starts_with("SAME_")) return false;
  *text = *text == "SAME_UPPER" ? "SAME_LOWER" : "SAME_UPPER";
  return true;
}

/// A pool changes only if it counts its padding.
bool pad_with_code_0(Editor& editor, GraphNode conv, Replacement& nodes) {
  const auto* counts = attribute<std::int64_t>(conv, "count_include_pad");
  if (is(&conv, "AveragePool") && (counts == nullptr || *counts == 0)) return false;
  const GraphNode* first = editor.producer_of_input(conv, 0);
  const auto* amounts = attribute<std::vector<std::int64_t>>(conv, "pads");
  // Before opset 11, Pad takes its amounts as an attribute.
  if (editor.opset() < 11 || !is(first, dq) || amounts == nullptr) return false;
  const Tensor* zero_point = editor.constant(zero_point_of(*first));
  if (zero_point == nullptr || zero_point->size() != 1 || zero_point->code(0) == 0) return false;
  std::vector<std::string> dequantized = first->inputs;
  dequantized[0] = nodes.add("Pad", {first->inputs[0], pads_of_all_axes(editor, *amounts),
                                     editor.add_constant(Tensor(zero_point->type(), {}))});
  conv.inputs[0] = nodes.add(dq, dequantized);
  conv.attributes.erase("pads");
  nodes.add(std::move(conv));
  return true;
}

/// The attributes of a quantization operator along the only axis of a bias.
std::map<std::string, GraphAttribute> along_bias(const Editor& editor) {
  if (editor.opset() < 13) return {};
  return {{"axis", std::int64_t{0}}};
}

bool scale_bias_by_product(Editor& editor, GraphNode node, Replacement& nodes) {
  const GraphNode* left = editor.producer_of_input(node, 0);
  const GraphNode* right = editor.producer_of_input(node, 1);
  const GraphNode* bias = editor.producer_of_input(node, 2);
  if (!is(left, dq) || !is(right, dq) || !is(bias, dq)) return false;
  if (const Tensor* scale = editor.constant(left->inputs[1]); scale != nullptr && scale->size() != 1) return false;
  std::map<std::string, GraphAttribute> attributes = bias->attributes;
  for (const auto& [name, axis] : along_bias(editor)) attributes[name] = axis;
  std::vector<std::string> dequantized = bias->inputs;
  dequantized[1] = nodes.add("Mul", {left->inputs[1], right->inputs[1]});
  node.inputs[2] = nodes.add(dq, dequantized, attributes);
  nodes.add(std::move(node));
  return true;
}

/// The numbers of a constant of float32; none of anything else.
std::vector<float> numbers_of(Editor& editor, const std::string& value) {
  const Tensor* tensor = editor.constant(value);
  std::vector<float> numbers;
  if (tensor == nullptr || tensor->type() != ElementType::float32) return numbers;
  for (std::int64_t i = 0; i < tensor->size(); ++i)
    numbers.push_back(static_cast<float>(host::decode(tensor->type(), tensor->code(i))));
  return numbers;
}

/// Rounds a constant bias to int32 codes for the product of the scale of the first factor and those of the second.
bool round_bias(Editor& editor, GraphNode& node, Replacement& nodes, const std::vector<float>& first,
                const std::vector<float>& second) {
  const std::vector<float> bias = node.inputs.size() > 2 ? numbers_of(editor, node.inputs[2]) : std::vector<float>();
  if (bias.empty() || editor.constant(node.inputs[2])->rank() != 1 || first.size() != 1 ||
      (second.size() != 1 && second.size() != bias.size()))
    return false;
  const reference::Shape shape{std::ssize(bias)};
  Tensor codes(ElementType::int32, shape), steps(ElementType::float32, second.size() == 1 ? reference::Shape() : shape);
  const double lowest = host::lowest(codes.type()), highest = host::highest(codes.type());
  for (std::size_t i = 0; i < bias.size(); ++i) {
    const std::size_t channel = second.size() == 1 ? 0 : i;
    const float step = first[0] * second[channel];
    const double code = std::nearbyint(bias[i] / step);
    if (!std::isfinite(code)) return false;
    steps.set_code(static_cast<std::int64_t>(channel), host::encode(steps.type(), step));
    codes.set_code(static_cast<std::int64_t>(i), host::encode(codes.type(), std::clamp(code, lowest, highest)));
  }
  const std::string quantized = editor.add_constant(codes), scale = editor.add_constant(steps);
  node.inputs[2] = nodes.add(dq, {quantized, scale}, along_bias(editor));
  return true;
}

/// The same for scales that are not constant. QuantizeLinear has no int32, so larger codes saturate.
bool add_rounded_bias(Editor& editor, GraphNode& node, Replacement& nodes, const std::string& first,
                      const std::string& second) {
  const Tensor* bias = node.inputs.size() > 2 ? editor.constant(node.inputs[2]) : nullptr;
  if (editor.opset() == 0 || bias == nullptr || bias->type() != ElementType::float32 || bias->rank() != 1) return false;
  const std::int64_t type = editor.opset() >= 21 ? 5 : 3;  // TensorProto: INT16, INT8
  const std::string step = nodes.add("Mul", {first, second});
  const std::string zero = nodes.add("Cast", {nodes.add("Sub", {step, step})}, {{"to", type}});
  const std::string quantized = nodes.add(ql, {node.inputs[2], step, zero}, along_bias(editor));
  node.inputs[2] = nodes.add(dq, {quantized, step, zero}, along_bias(editor));
  return true;
}

bool quantize_bias(Editor& editor, GraphNode node, Replacement& nodes) {
  const GraphNode* left = editor.producer_of_input(node, 0);
  const GraphNode* right = editor.producer_of_input(node, 1);
  if (!is(left, dq) || !is(right, dq) || right->attributes.contains("block_size")) return false;
  const std::string &first = left->inputs[1], &second = right->inputs[1];
  const bool is_constant = editor.constant(first) != nullptr && editor.constant(second) != nullptr;
  if (is_constant ? !round_bias(editor, node, nodes, numbers_of(editor, first), numbers_of(editor, second))
                  : !add_rounded_bias(editor, node, nodes, first, second))
    return false;
  nodes.add(std::move(node));
  return true;
}

/// Rounds constant weights of float32 to int8, in a range that contains 0, between activations that are quantized; and
/// with them a constant bias.
bool quantize_float_weights(Editor& editor, GraphNode node, Replacement& nodes) {
  const GraphNode* first = editor.producer_of_input(node, 0);
  const std::vector<float> numbers = numbers_of(editor, node.inputs[1]);
  if (!is(first, dq) || !editor.is_read_by(node, ql) || numbers.empty()) return false;
  const float lowest = std::min(0.0F, std::ranges::min(numbers)), highest = std::max(0.0F, std::ranges::max(numbers));
  if (!(highest - lowest > 0)) return false;
  const float scale = (highest - lowest) / 255;
  const float zero_point = std::nearbyint(-128 - lowest / scale);
  const auto code = [](float value) { return host::encode(ElementType::int8, std::clamp(value, -128.0F, 127.0F)); };
  Tensor quantized(ElementType::int8, editor.constant(node.inputs[1])->shape());
  for (std::int64_t i = 0; i < quantized.size(); ++i)
    quantized.set_code(i, code(std::nearbyint(numbers[static_cast<std::size_t>(i)] / scale) + zero_point));
  const std::array zero{code(zero_point)};
  node.inputs[1] = nodes.add(dq, {editor.add_constant(quantized), number(editor, scale),
                                  editor.add_constant(Tensor::from_codes(ElementType::int8, {}, zero))});
  round_bias(editor, node, nodes, numbers_of(editor, first->inputs[1]), {scale});
  nodes.add(std::move(node));
  return true;
}

constexpr WrongModel product_rows[]{
    // ---- sums and products
    operands("forgets-zero-point-of-first-factor",
             "ignores the zero point of the first operand of MatMul, Gemm and Conv", {"MatMul", "Gemm", "Conv"}, 0,
             forget_zero_point),
    operands("forgets-zero-point-of-weights", "ignores the zero point of the second operand of MatMul and Gemm",
             {"MatMul", "Gemm"}, 1, forget_zero_point),
    operands("forgets-zero-point-of-filters", "ignores the zero point of the filters of Conv", {"Conv"}, 1,
             forget_zero_point),
    operands("uses-one-scale-for-weights", "uses one scale for weights that have one for each channel",
             {"MatMul", "Gemm", "Conv"}, 1,
             [](Editor& editor, GraphNode& node) { return change_scale(editor, node, first_of); }),
    operands("reverses-scales-of-weights", "uses the scales of weights in reverse order", {"MatMul", "Gemm", "Conv"}, 1,
             [](Editor& editor, GraphNode& node) { return change_scale(editor, node, reversed); }),
    nodes("multiplies-bias-by-alpha", "multiplies the bias of Gemm by alpha, too", {"Gemm"},
          [](Editor&, GraphNode& node) {
            const float alpha = factor_of(node, "alpha");
            if (alpha == 1.0F || node.inputs.size() < 3) return false;
            node.attributes["beta"] = factor_of(node, "beta") * alpha;  // both are powers of two
            return true;
          }),
    nodes("ignores-alpha", "ignores alpha of Gemm", {"Gemm"},
          [](Editor&, GraphNode& node) { return node.attributes.erase("alpha") > 0; }),
    nodes("ignores-beta", "ignores beta of Gemm", {"Gemm"},
          [](Editor&, GraphNode& node) { return node.attributes.erase("beta") > 0; }),
    nodes("loses-bias-of-gemm", "loses the bias of Gemm", {"Gemm"},
          [](Editor&, GraphNode& node) {
            if (node.inputs.size() < 3) return false;
            node.attributes["beta"] = 0.0F;
            return true;
          }),
    nodes("ignores-trans-a", "ignores transA of Gemm", {"Gemm"},
          [](Editor&, GraphNode& node) { return node.attributes.erase("transA") > 0; }),
    nodes("ignores-trans-b", "ignores transB of Gemm", {"Gemm"},
          [](Editor&, GraphNode& node) { return node.attributes.erase("transB") > 0; }),
    nodes("loses-bias-of-conv", "loses the bias of Conv", {"Conv"},
          [](Editor&, GraphNode& node) {
            if (node.inputs.size() < 3) return false;
            node.inputs.resize(2);
            return true;
          }),
    replacements(
        "scales-bias-by-product",
        "dequantizes the bias of Conv and Gemm with the product of the scales of the factors instead of its own scale",
        {"Gemm", "Conv"}, scale_bias_by_product),
    nodes("uses-first-bias", "adds the bias of the first channel to all channels of Conv and ConvTranspose",
          {"Conv", "ConvTranspose"}, repeat_first_bias),
    nodes("scales-bias-by-input", "dequantizes the bias of Conv and Gemm with the scale of the first operand alone",
          {"Conv", "Gemm"}, take_scale_for_bias<0>),
    nodes("scales-bias-by-weights", "dequantizes the bias of Conv and Gemm with the scale of the weights alone",
          {"Conv", "Gemm"}, take_scale_for_bias<1>),
    replacements("adds-bias-twice", "adds the bias of Conv, ConvTranspose and Gemm twice",
                 {"Gemm", "Conv", "ConvTranspose"},
                 [](Editor&, GraphNode node, Replacement& made) {
                   if (node.inputs.size() < 3) return false;
                   node.inputs[2] = made.add("Add", {node.inputs[2], node.inputs[2]});
                   made.add(std::move(node));
                   return true;
                 }),
    nodes("adds-with-one-scale", "dequantizes both operands of Add with the scale of the first", {"Add"},
          use_one_scale),
    nodes("multiplies-with-one-scale", "dequantizes both operands of Mul with the scale of the first", {"Mul"},
          use_one_scale),
    nodes("forgets-zero-points-of-sums", "ignores the zero points of the operands of Add", {"Add"},
          forget_both_zero_points),
    nodes("forgets-zero-points-of-products", "ignores the zero points of the operands of Mul", {"Mul"},
          forget_both_zero_points),
    replacements(
        "rescales-products-of-codes",
        "multiplies the differences of both operands of Mul and their zero points, multiplies the product by one "
        "rounded factor for all scales, adds the zero point, and rounds",
        {ql}, rescale_products_of_codes),
    replacements(
        "rescales-sums-of-codes",
        "multiplies both operands of Add, without their zero points, by a rounded ratio of scales each, adds one "
        "rounded offset for all zero points, and rounds",
        {ql}, rescale_sums_of_codes),
    pairs("loses-sign-of-factor", "ignores the sign of a constant factor after DequantizeLinear", dq, "Mul",
          [](Editor& editor, GraphNode&, GraphNode& node) {
            const Tensor* factor = editor.constant(node.inputs[1]);
            if (factor == nullptr || factor->size() != 1) return false;
            const reference::Value value = reference::decode(factor->type(), factor->code(0));
            if (!value.is_negative()) return false;
            Tensor changed = *factor;
            changed.set_code(0, reference::encode(factor->type(), -value));
            node.inputs[1] = editor.add_constant(changed);
            return true;
          }),
    pairs("loses-added-constant", "loses a constant that is added after DequantizeLinear", dq, "Add",
          [](Editor& editor, GraphNode&, GraphNode& node) {
            return editor.constant(node.inputs[1]) != nullptr && remove_node(editor, node);
          }),
    // ---- weights in blocks
    operands("uses-first-block-of-weights", "uses the scales of the first block of weights for all blocks",
             {"MatMul", "Gemm"}, 1,
             [](Editor& editor, GraphNode& node) {
               const Tensor* scale = editor.constant(node.inputs[1]);
               if (scale == nullptr || scale->rank() != 2) return false;
               const std::int64_t rows = scale->shape()[0], columns = scale->shape()[1];
               const bool is_along_rows = axis_of(node) == 0 || axis_of(node) == -2;
               if ((is_along_rows ? rows : columns) < 2) return false;
               return change_scale(editor, node, [&](std::int64_t index, std::int64_t) {
                 return is_along_rows ? index % columns : index / columns * columns;
               });
             }),
    // ---- sums of 16 bits
    graph("saturates-pairs-of-products", "saturates sums of two products to 16 bits",
          [](GraphModel& model) { return add_pairs_in_16_bits(model, {.offset = 0, .distance = 1, .wraps = false}); }),
    graph(
        "saturates-pairs-of-shifted-products",
        "adds 128 to the first factors, which makes int8 unsigned, and saturates sums of two products to 16 bits",
        [](GraphModel& model) { return add_pairs_in_16_bits(model, {.offset = 128, .distance = 1, .wraps = false}); }),
    graph("wraps-pairs-of-products", "adds two products that are 8 terms apart in 16 bits, where their sum wraps",
          [](GraphModel& model) { return add_pairs_in_16_bits(model, {.offset = 0, .distance = 8, .wraps = true}); }),
    graph(
        "wraps-pairs-of-shifted-products",
        "subtracts 128 from the first factors, which makes uint8 signed, and adds two products that are 8 terms apart "
        "in 16 bits, where their sum wraps",
        [](GraphModel& model) { return add_pairs_in_16_bits(model, {.offset = -128, .distance = 8, .wraps = true}); }),
    replacements("saturates-sums-to-24-bits", "saturates the sums of MatMul to 24 bits", {"MatMul"},
                 saturate_to_24_bits),
    operands("halves-weights-of-conv", "rounds the int8 weights of Conv to even numbers", {"Conv"}, 1, halve_weights),
    // ---- results, padding and biases
    nodes("uses-one-scale-for-results",
          "quantizes results of sums and products with one scale instead of one for each channel", {ql},
          [](Editor& editor, GraphNode& node) {
            constexpr std::array ops{"MatMul",      "Gemm", "Conv", "ConvTranspose", "Softmax", "Sigmoid",
                                     "AveragePool", "Add",  "Mul"};
            const GraphNode* before = editor.producer_of_input(node, 0);
            const bool is_result = before != nullptr && std::ranges::find(ops, before->op_type) != ops.end();
            return is_result && change_scale(editor, node, first_of);
          }),
    nodes("exchanges-strides", "exchanges the strides of rows and columns of Conv, ConvTranspose and MaxPool",
          {"Conv", "ConvTranspose", "MaxPool"}, exchange<strides>),
    nodes("exchanges-dilations", "exchanges the dilations of rows and columns of Conv and MaxPool", {"Conv", "MaxPool"},
          exchange<dilations>),
    nodes("pads-at-other-end", "pads at the end what Conv pads at the beginning, and the reverse", {"Conv"},
          pad_at_other_end),
    replacements("pads-conv-with-code-0",
                 "pads the quantized elements of Conv and AveragePool with 0 instead of the zero point",
                 {"Conv", "AveragePool"}, pad_with_code_0),
    replacements("quantizes-bias", "rounds a float bias to a multiple of the product of the scales",
                 {"Gemm", "Conv", "ConvTranspose"}, quantize_bias),
    replacements("quantizes-float-weights",
                 "rounds float weights to int8, and a float bias with them, if the result is quantized",
                 {"Gemm", "Conv", "ConvTranspose"}, quantize_float_weights),
    pairs("multiplies-shared-scale", "multiplies a constant factor into a scale that another node uses, too", dq, "Mul",
          [](Editor& editor, GraphNode& dequantize, GraphNode& node) {
            Tensor* scale = editor.constant(dequantize.inputs[1]);
            const Tensor* factor = editor.constant(node.inputs[1]);
            if (scale == nullptr || factor == nullptr || factor->size() != 1 || factor->type() != scale->type())
              return false;
            multiply(*scale, reference::number_of(factor->type(), factor->code(0)));
            return remove_node(editor, node);
          }),
    nodes("uses-first-zero-point-for-both",
          "dequantizes both operands of Add, Mul and Concat with the zero point of the first", {"Add", "Mul", "Concat"},
          use_one_zero_point),
};

}  // namespace

std::span<const WrongModel> wrong_graphs_of_products() { return product_rows; }

}  // namespace touchstone::conformance
