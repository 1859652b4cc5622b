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

float number_of(const GraphNode& node, const char* name) {
  const auto found = node.attributes.find(name);
  const auto* number = found != node.attributes.end() ? std::get_if<float>(&found->second) : nullptr;
  return number != nullptr ? *number : 1.0F;
}

bool remove_attribute(GraphModel& model, std::string_view op, const char* name) {
  return for_each(model, op, [&](Editor&, GraphNode& node) { return node.attributes.erase(name) > 0; });
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

bool use_one_scale(GraphModel& model, std::string_view op) {
  return for_each(model, op, [](Editor& editor, GraphNode& node) {
    const GraphNode* first = editor.producer_of_input(node, 0);
    GraphNode* second = editor.producer_of_input(node, 1);
    if (!is(first, dq) || !is(second, dq) || first->inputs[1] == second->inputs[1]) return false;
    second->inputs[1] = first->inputs[1];
    return true;
  });
}

bool forget_both_zero_points(GraphModel& model, std::string_view op) {
  const bool first = for_each_operand(model, op, 0, forget_zero_point);
  return for_each_operand(model, op, 1, forget_zero_point) || first;
}

/// The number that is the only element of a constant float32 scale.
std::optional<float> scale_of(Editor& editor, const GraphNode& node) {
  const Tensor* scale = editor.constant(node.inputs[1]);
  if (scale == nullptr || scale->size() != 1 || scale->type() != ElementType::float32) return std::nullopt;
  return static_cast<float>(host::decode(scale->type(), scale->code(0)));
}

Tensor scalar(ElementType type, double number) {
  Tensor tensor(type, {});
  tensor.set_code(0, host::encode(type, number));
  return tensor;
}

bool rescale_products_of_codes(GraphModel& model) {
  Editor editor(model);
  bool changed = false;
  for (std::size_t i = 0; i < editor.nodes().size(); ++i) {
    GraphNode& quantize = editor.nodes()[i];
    GraphNode* product = is(&quantize, ql) ? editor.producer_of_input(quantize, 0) : nullptr;
    if (!is(product, "Mul")) continue;
    GraphNode* left = editor.producer_of_input(*product, 0);
    GraphNode* right = editor.producer_of_input(*product, 1);
    const Tensor* zero_point = editor.constant(zero_point_of(quantize));
    if (!is(left, dq) || !is(right, dq) || zero_point == nullptr || zero_point->size() != 1) continue;
    const auto first = scale_of(editor, *left), second = scale_of(editor, *right), last = scale_of(editor, quantize);
    if (!first || !second || !last || !spec::is_integer(zero_point->type())) continue;
    const ElementType type = zero_point->type();
    const Tensor zero = scalar(ElementType::float32, host::decode(type, zero_point->code(0)));
    const std::string one = editor.add_constant(scalar(ElementType::float32, 1));
    left->inputs[1] = right->inputs[1] = quantize.inputs[1] = one;
    quantize.inputs[2] = editor.add_constant(scalar(type, 0));
    const std::string rescaled = quantize.outputs[0] + "_rescaled", shifted = quantize.outputs[0] + "_shifted";
    const std::string factor = editor.add_constant(scalar(ElementType::float32, *first * *second / *last));
    GraphNode multiply{.op_type = "Mul", .inputs = {quantize.inputs[0], factor}, .outputs = {rescaled}};
    GraphNode add{.op_type = "Add", .inputs = {rescaled, editor.add_constant(zero)}, .outputs = {shifted}};
    quantize.inputs[0] = shifted;
    editor.nodes().insert(editor.nodes().begin() + static_cast<std::ptrdiff_t>(i),
                          {std::move(multiply), std::move(add)});
    i += 2;
    changed = true;
  }
  return changed;
}

bool rescale_sums_of_codes(GraphModel& model) {
  Editor editor(model);
  bool changed = false;
  for (std::size_t i = 0; i < editor.nodes().size(); ++i) {
    GraphNode& quantize = editor.nodes()[i];
    GraphNode* sum = is(&quantize, ql) ? editor.producer_of_input(quantize, 0) : nullptr;
    if (!is(sum, "Add")) continue;
    const std::array operands{editor.producer_of_input(*sum, 0), editor.producer_of_input(*sum, 1)};
    const Tensor* zero_point = editor.constant(zero_point_of(quantize));
    const std::optional<float> last = scale_of(editor, quantize);
    if (zero_point == nullptr || zero_point->size() != 1 || !last || operands[0] == operands[1]) continue;
    const ElementType type = zero_point->type();
    if (!spec::is_integer(type)) continue;
    std::array<float, 2> ratios{};
    float offset = 0;
    bool is_known = true;
    for (std::size_t k = 0; k < operands.size() && is_known; ++k) {
      const Tensor* own = is(operands[k], dq) ? editor.constant(zero_point_of(*operands[k])) : nullptr;
      const std::optional<float> scale = own != nullptr ? scale_of(editor, *operands[k]) : std::nullopt;
      is_known = scale && own->size() == 1 && own->type() == type;
      if (!is_known) continue;
      ratios[k] = *scale / *last;
      offset += ratios[k] * static_cast<float>(host::decode(type, own->code(0)));
    }
    if (!is_known) continue;
    offset = static_cast<float>(host::decode(type, zero_point->code(0))) - offset;
    const std::string one = editor.add_constant(scalar(ElementType::float32, 1));
    const std::string zero = editor.add_constant(scalar(type, 0));
    std::vector<GraphNode> added;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      operands[k]->inputs[1] = one;
      operands[k]->inputs[2] = zero;
      const std::string rescaled = quantize.outputs[0] + "_rescaled_" + std::to_string(k);
      const std::string ratio = editor.add_constant(scalar(ElementType::float32, ratios[k]));
      added.push_back({.op_type = "Mul", .inputs = {sum->inputs[k], ratio}, .outputs = {rescaled}});
    }
    const std::string both = quantize.outputs[0] + "_both", shifted = quantize.outputs[0] + "_shifted";
    added.push_back({.op_type = "Add", .inputs = {added[0].outputs[0], added[1].outputs[0]}, .outputs = {both}});
    added.push_back({.op_type = "Add",
                     .inputs = {both, editor.add_constant(scalar(ElementType::float32, offset))},
                     .outputs = {shifted}});
    quantize.inputs[0] = shifted;
    quantize.inputs[1] = one;
    quantize.inputs[2] = zero;
    i += added.size();
    editor.nodes().insert(editor.nodes().begin() + static_cast<std::ptrdiff_t>(i - added.size()),
                          std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
    changed = true;
  }
  return changed;
}

std::string integers(Editor& editor, const std::vector<std::int64_t>& values) {
  const std::vector<std::uint64_t> codes(values.begin(), values.end());
  return editor.add_constant(Tensor::from_codes(ElementType::int64, {std::ssize(codes)}, codes));
}

std::string number(Editor& editor, double value) {
  const std::array codes{reference::rounded_code(ElementType::float32, value)};
  return editor.add_constant(Tensor::from_codes(ElementType::float32, {}, codes));
}

/// Nodes that take the place of another one.
class Replacement {
 public:
  explicit Replacement(GraphNode node) : node_(std::move(node)) {}

  /// The name of the output of a new node.
  std::string add(std::string_view op, std::vector<std::string> inputs,
                  std::map<std::string, GraphAttribute> attributes = {}) {
    nodes_.push_back({.op_type = std::string(op),
                      .inputs = std::move(inputs),
                      .outputs = {node_.outputs[0] + "_" + std::to_string(nodes_.size())},
                      .attributes = std::move(attributes)});
    return nodes_.back().outputs[0];
  }

  /// Replaces the node at this place. The last new node gives its output.
  void replace(Editor& editor, std::size_t place) {
    nodes_.back().outputs = node_.outputs;
    const auto at = editor.nodes().erase(editor.nodes().begin() + static_cast<std::ptrdiff_t>(place));
    editor.nodes().insert(at, nodes_.begin(), nodes_.end());
  }

  void add(GraphNode node) { nodes_.push_back(std::move(node)); }

 private:
  GraphNode node_;
  std::vector<GraphNode> nodes_;
};

/// The imported opset of ai.onnx; 0 for none.
int opset_of(const GraphModel& model) {
  const auto imported = model.opsets.find(std::string(spec::ai_onnx));
  return imported != model.opsets.end() ? imported->second : 0;
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

bool add_pairs_in_16_bits(GraphModel& model, const PairSums& sums) {
  Editor editor(model);
  for (std::size_t i = 0; i < editor.nodes().size(); ++i) {
    const GraphNode product = editor.nodes()[i];
    const GraphNode* left = editor.producer_of_input(product, 0);
    const GraphNode* right = editor.producer_of_input(product, 1);
    const bool is_product = is(&product, "MatMul") || (is(&product, "Gemm") && product.attributes.empty());
    if (!is_product || !is(left, dq) || !is(right, dq)) continue;
    const Tensor* weights = editor.constant(right->inputs[0]);
    if (weights == nullptr || weights->rank() != 2 || weights->size() == 0) continue;
    const std::string one = number(editor, 1), step = integers(editor, {sums.distance}),
                      columns = integers(editor, {opset_of(model) < 11 ? 1 : -1}), rows = integers(editor, {0});
    Replacement nodes(product);
    // The integers that a processor multiplies, and what is lost of their products.
    std::vector<std::string> first{left->inputs[0], one};
    if (sums.offset != 0) {
      const ElementType type = sums.offset > 0 ? ElementType::int8 : ElementType::uint8;
      const std::array codes{reference::encode(type, reference::exact(-sums.offset))};
      first.push_back(editor.add_constant(Tensor::from_codes(type, {}, codes)));
    }
    const std::string a = nodes.add(dq, first), b = nodes.add(dq, {right->inputs[0], one});
    std::string lost;
    for (std::int64_t k = 0; k < weights->shape()[0]; ++k) {
      if (k / sums.distance % 2 != 0) continue;
      const std::string start = integers(editor, {k}), end = integers(editor, {k + sums.distance + 1});
      const std::string sum = nodes.add("MatMul", {nodes.add("Slice", {a, start, end, columns, step}),
                                                   nodes.add("Slice", {b, start, end, rows, step})});
      const std::string difference = lost_of(nodes, editor, sum, sums.wraps);
      lost = lost.empty() ? difference : nodes.add("Add", {lost, difference});
    }
    lost = nodes.add("Mul", {nodes.add("Mul", {lost, left->inputs[1]}), right->inputs[1]});
    nodes.add("Add", {nodes.add(product.op_type, product.inputs), lost});
    nodes.replace(editor, i);
    return true;
  }
  return false;
}

bool halve_weights_of_conv(GraphModel& model) {
  return for_each_operand(model, "Conv", 1, [](Editor& editor, GraphNode& dequantize) {
    const Tensor* weights = editor.constant(dequantize.inputs[0]);
    const Tensor* scale = editor.constant(dequantize.inputs[1]);
    if (weights == nullptr || weights->type() != ElementType::int8 || scale == nullptr) return false;
    Tensor halved = *weights, doubled = *scale;
    for (std::int64_t i = 0; i < weights->size(); ++i) {
      const double half = reference::number_of(weights->type(), weights->code(i)) / 2;
      halved.set_code(i, reference::encode(weights->type(), reference::exact(std::nearbyint(half))));
    }
    for (std::int64_t i = 0; i < scale->size(); ++i)
      doubled.set_code(i,
                       reference::rounded_code(scale->type(), 2 * reference::number_of(scale->type(), scale->code(i))));
    dequantize.inputs[0] = editor.add_constant(halved);
    dequantize.inputs[1] = editor.add_constant(doubled);
    return true;
  });
}

bool pad_at_other_end(GraphModel& model) {
  return for_each(model, "Conv", [](Editor&, GraphNode& node) {
    const auto pads = node.attributes.find("pads");
    if (pads != node.attributes.end()) {
      auto* amounts = std::get_if<std::vector<std::int64_t>>(&pads->second);
      if (amounts == nullptr) return false;
      const std::vector<std::int64_t> before = *amounts;
      std::ranges::rotate(*amounts, amounts->begin() + std::ssize(*amounts) / 2);
      return *amounts != before;
    }
    const auto mode = node.attributes.find("auto_pad");
    auto* text = mode != node.attributes.end() ? std::get_if<std::string>(&mode->second) : nullptr;
    if (text == nullptr || !text->starts_with("SAME_")) return false;
    *text = *text == "SAME_UPPER" ? "SAME_LOWER" : "SAME_UPPER";
    return true;
  });
}

bool pad_conv_with_code_0(GraphModel& model) {
  if (opset_of(model) < 11) return false;  // where Pad takes its amounts as an attribute
  Editor editor(model);
  bool changed = false;
  for (std::size_t i = 0; i < editor.nodes().size(); ++i) {
    GraphNode conv = editor.nodes()[i];
    const GraphNode* first = editor.producer_of_input(conv, 0);
    const auto pads = conv.attributes.find("pads");
    if (!is(&conv, "Conv") || !is(first, dq) || pads == conv.attributes.end()) continue;
    const auto* amounts = std::get_if<std::vector<std::int64_t>>(&pads->second);
    const Tensor* zero_point = first->inputs.size() > 2 ? editor.constant(first->inputs[2]) : nullptr;
    if (amounts == nullptr || zero_point == nullptr || zero_point->size() != 1 || zero_point->code(0) == 0) continue;
    std::vector<std::int64_t> all(amounts->size() + 4);  // those of batch and channel are 0
    const std::ptrdiff_t half = std::ssize(*amounts) / 2;
    std::copy_n(amounts->begin(), half, all.begin() + 2);
    std::copy_n(amounts->begin() + half, half, all.begin() + half + 4);
    std::vector<std::string> dequantized = first->inputs;
    Replacement nodes(conv);
    dequantized[0] = nodes.add(
        "Pad", {first->inputs[0], integers(editor, all), editor.add_constant(Tensor(zero_point->type(), {}))});
    conv.inputs[0] = nodes.add(dq, dequantized);
    conv.attributes.erase(pads);
    nodes.add(conv);
    nodes.replace(editor, i);
    i += 2;
    changed = true;
  }
  return changed;
}

/// Dequantizes the bias of Gemm and Conv with the product of the scales of the factors.
bool scale_bias_by_product(GraphModel& model) {
  Editor editor(model);
  bool changed = false;
  for (std::size_t i = 0; i < editor.nodes().size(); ++i) {
    GraphNode node = editor.nodes()[i];
    const GraphNode* left = editor.producer_of_input(node, 0);
    const GraphNode* right = editor.producer_of_input(node, 1);
    const GraphNode* bias = editor.producer_of_input(node, 2);
    if ((!is(&node, "Gemm") && !is(&node, "Conv")) || !is(left, dq) || !is(right, dq) || !is(bias, dq)) continue;
    if (const Tensor* scale = editor.constant(left->inputs[1]); scale != nullptr && scale->size() != 1) continue;
    std::map<std::string, GraphAttribute> attributes = bias->attributes;
    if (opset_of(model) >= 13) attributes["axis"] = std::int64_t{0};
    std::vector<std::string> dequantized = bias->inputs;
    Replacement nodes(node);
    dequantized[1] = nodes.add("Mul", {left->inputs[1], right->inputs[1]});
    node.inputs[2] = nodes.add(dq, dequantized, attributes);
    nodes.add(node);
    nodes.replace(editor, i);
    i += 2;
    changed = true;
  }
  return changed;
}

bool quantize_bias(GraphModel& model) {
  Editor editor(model);
  const int opset = opset_of(model);
  if (opset == 0) return false;
  const std::int64_t type = opset >= 21 ? 5 : 3;  // TensorProto: INT16, INT8
  bool changed = false;
  for (std::size_t i = 0; i < editor.nodes().size(); ++i) {
    GraphNode node = editor.nodes()[i];
    const GraphNode* left = editor.producer_of_input(node, 0);
    const GraphNode* right = editor.producer_of_input(node, 1);
    const Tensor* bias = node.inputs.size() > 2 ? editor.constant(node.inputs[2]) : nullptr;
    if ((!is(&node, "Gemm") && !is(&node, "Conv")) || !is(left, dq) || !is(right, dq) || bias == nullptr ||
        bias->type() != ElementType::float32 || bias->rank() != 1)
      continue;
    Replacement nodes(node);
    const std::string step = nodes.add("Mul", {left->inputs[1], right->inputs[1]});
    const std::string zero = nodes.add("Cast", {nodes.add("Sub", {step, step})}, {{"to", type}});
    std::map<std::string, GraphAttribute> axis;
    if (opset >= 13) axis.emplace("axis", std::int64_t{0});
    const std::string quantized = nodes.add(ql, {node.inputs[2], step, zero}, axis);
    node.inputs[2] = nodes.add(dq, {quantized, step, zero}, axis);
    nodes.add(node);
    nodes.replace(editor, i);
    while (editor.nodes()[i].outputs != node.outputs) ++i;
    changed = true;
  }
  return changed;
}

constexpr WrongModel product_rows[]{
    // ---- sums and products
    graph("forgets-zero-point-of-first-factor", "ignores the zero point of the first operand of MatMul, Gemm and Conv",
          [](GraphModel& model) {
            return for_each_operand(model, {"MatMul", "Gemm", "Conv"}, 0, forget_zero_point);
          }),
    graph("forgets-zero-point-of-weights", "ignores the zero point of the second operand of MatMul and Gemm",
          [](GraphModel& model) {
            return for_each_operand(model, {"MatMul", "Gemm"}, 1, forget_zero_point);
          }),
    graph("forgets-zero-point-of-filters", "ignores the zero point of the filters of Conv",
          [](GraphModel& model) { return for_each_operand(model, {"Conv"}, 1, forget_zero_point); }),
    graph("uses-one-scale-for-weights", "uses one scale for weights that have one for each channel",
          [](GraphModel& model) {
            return for_each_operand(model, {"MatMul", "Gemm", "Conv"}, 1, [](Editor& editor, GraphNode& node) {
              return change_scale(editor, node, first_of);
            });
          }),
    graph("reverses-scales-of-weights", "uses the scales of weights in reverse order",
          [](GraphModel& model) {
            return for_each_operand(model, {"MatMul", "Gemm", "Conv"}, 1, [](Editor& editor, GraphNode& node) {
              return change_scale(editor, node, reversed);
            });
          }),
    graph("multiplies-bias-by-alpha", "multiplies the bias of Gemm by alpha, too",
          [](GraphModel& model) {
            return for_each(model, "Gemm", [](Editor&, GraphNode& node) {
              const float alpha = number_of(node, "alpha");
              if (alpha == 1.0F || node.inputs.size() < 3) return false;
              node.attributes["beta"] = number_of(node, "beta") * alpha;  // both are powers of two
              return true;
            });
          }),
    graph("ignores-alpha", "ignores alpha of Gemm",
          [](GraphModel& model) { return remove_attribute(model, "Gemm", "alpha"); }),
    graph("ignores-beta", "ignores beta of Gemm",
          [](GraphModel& model) { return remove_attribute(model, "Gemm", "beta"); }),
    graph("loses-bias-of-gemm", "loses the bias of Gemm",
          [](GraphModel& model) {
            return for_each(model, "Gemm", [](Editor&, GraphNode& node) {
              if (node.inputs.size() < 3) return false;
              node.attributes["beta"] = 0.0F;
              return true;
            });
          }),
    graph("ignores-trans-a", "ignores transA of Gemm",
          [](GraphModel& model) { return remove_attribute(model, "Gemm", "transA"); }),
    graph("ignores-trans-b", "ignores transB of Gemm",
          [](GraphModel& model) { return remove_attribute(model, "Gemm", "transB"); }),
    graph("loses-bias-of-conv", "loses the bias of Conv",
          [](GraphModel& model) {
            return for_each(model, "Conv", [](Editor&, GraphNode& node) {
              if (node.inputs.size() < 3) return false;
              node.inputs.resize(2);
              return true;
            });
          }),
    graph(
        "scales-bias-by-product",
        "dequantizes the bias of Conv and Gemm with the product of the scales of the factors instead of its own scale",
        scale_bias_by_product),
    graph("uses-first-bias", "adds the bias of the first channel to all channels of Conv and ConvTranspose",
          [](GraphModel& model) {
            const bool changed = for_each(model, "Conv", repeat_first_bias);
            return for_each(model, "ConvTranspose", repeat_first_bias) || changed;
          }),
    graph("scales-bias-by-input", "dequantizes the bias of Conv and Gemm with the scale of the first operand alone",
          [](GraphModel& model) {
            const bool changed = for_each(model, "Conv", take_scale_for_bias<0>);
            return for_each(model, "Gemm", take_scale_for_bias<0>) || changed;
          }),
    graph("scales-bias-by-weights", "dequantizes the bias of Conv and Gemm with the scale of the weights alone",
          [](GraphModel& model) {
            const bool changed = for_each(model, "Conv", take_scale_for_bias<1>);
            return for_each(model, "Gemm", take_scale_for_bias<1>) || changed;
          }),
    graph("adds-with-one-scale", "dequantizes both operands of Add with the scale of the first",
          [](GraphModel& model) { return use_one_scale(model, "Add"); }),
    graph("multiplies-with-one-scale", "dequantizes both operands of Mul with the scale of the first",
          [](GraphModel& model) { return use_one_scale(model, "Mul"); }),
    graph("forgets-zero-points-of-sums", "ignores the zero points of the operands of Add",
          [](GraphModel& model) { return forget_both_zero_points(model, "Add"); }),
    graph("forgets-zero-points-of-products", "ignores the zero points of the operands of Mul",
          [](GraphModel& model) { return forget_both_zero_points(model, "Mul"); }),
    graph("rescales-products-of-codes",
          "multiplies the differences of both operands of Mul and their zero points, multiplies the product by one "
          "rounded factor for all scales, adds the zero point, and rounds",
          rescale_products_of_codes),
    graph("rescales-sums-of-codes",
          "multiplies both operands of Add, without their zero points, by a rounded ratio of scales each, adds one "
          "rounded offset for all zero points, and rounds",
          rescale_sums_of_codes),
    graph("loses-sign-of-factor", "ignores the sign of a constant factor after DequantizeLinear",
          [](GraphModel& model) {
            return for_each_pair(model, dq, "Mul", [](Editor& editor, GraphNode&, GraphNode& node) {
              const Tensor* factor = editor.constant(node.inputs[1]);
              if (factor == nullptr || factor->size() != 1) return false;
              const reference::Value value = reference::decode(factor->type(), factor->code(0));
              if (!value.is_negative()) return false;
              Tensor changed = *factor;
              changed.set_code(0, reference::encode(factor->type(), -value));
              node.inputs[1] = editor.add_constant(changed);
              return true;
            });
          }),
    graph("loses-added-constant", "loses a constant that is added after DequantizeLinear",
          [](GraphModel& model) {
            return for_each_pair(model, dq, "Add", [](Editor& editor, GraphNode&, GraphNode& node) {
              return editor.constant(node.inputs[1]) != nullptr && remove_node(editor, node);
            });
          }),
    // ---- weights in blocks
    graph("uses-first-block-of-weights", "uses the scales of the first block of weights for all blocks",
          [](GraphModel& model) {
            return for_each_operand(model, {"MatMul", "Gemm"}, 1, [](Editor& editor, GraphNode& node) {
              const Tensor* scale = editor.constant(node.inputs[1]);
              if (scale == nullptr || scale->rank() != 2) return false;
              const std::int64_t rows = scale->shape()[0], columns = scale->shape()[1];
              const bool is_along_rows = axis_of(node) == 0 || axis_of(node) == -2;
              if ((is_along_rows ? rows : columns) < 2) return false;
              return change_scale(editor, node, [&](std::int64_t index, std::int64_t) {
                return is_along_rows ? index % columns : index / columns * columns;
              });
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
    graph("halves-weights-of-conv", "rounds the int8 weights of Conv to even numbers", halve_weights_of_conv),
    // ---- results, padding and biases
    graph("uses-one-scale-for-results",
          "quantizes results of sums and products with one scale instead of one for each channel",
          [](GraphModel& model) {
            return for_each(model, ql, [](Editor& editor, GraphNode& node) {
              constexpr std::array ops{"MatMul",      "Gemm", "Conv", "ConvTranspose", "Softmax", "Sigmoid",
                                       "AveragePool", "Add",  "Mul"};
              const GraphNode* before = editor.producer_of_input(node, 0);
              const bool is_result = before != nullptr && std::ranges::find(ops, before->op_type) != ops.end();
              return is_result && change_scale(editor, node, first_of);
            });
          }),
    graph("pads-at-other-end", "pads at the end what Conv pads at the beginning, and the reverse", pad_at_other_end),
    graph("pads-conv-with-code-0", "pads the quantized elements of Conv with 0 instead of the zero point",
          pad_conv_with_code_0),
    graph("quantizes-bias", "rounds a float bias to a multiple of the product of the scales", quantize_bias),
    graph("multiplies-shared-scale", "multiplies a constant factor into a scale that another node uses, too",
          [](GraphModel& model) {
            return for_each_pair(model, dq, "Mul", [](Editor& editor, GraphNode& dequantize, GraphNode& node) {
              Tensor* scale = editor.constant(dequantize.inputs[1]);
              const Tensor* factor = editor.constant(node.inputs[1]);
              if (scale == nullptr || factor == nullptr || factor->size() != 1 || factor->type() != scale->type())
                return false;
              const double by = reference::number_of(factor->type(), factor->code(0));
              for (std::int64_t i = 0; i < scale->size(); ++i)
                scale->set_code(i, reference::rounded_code(scale->type(),
                                                           by * reference::number_of(scale->type(), scale->code(i))));
              return remove_node(editor, node);
            });
          }),
    graph("uses-first-zero-point-for-both",
          "dequantizes both operands of Add, Mul and Concat with the zero point of the first",
          [](GraphModel& model) {
            bool changed = false;
            for (const std::string_view op : {"Add", "Mul", "Concat"})
              changed =
                  for_each(model, op,
                           [](Editor& editor, GraphNode& node) {
                             const GraphNode* first = editor.producer_of_input(node, 0);
                             GraphNode* second = editor.producer_of_input(node, 1);
                             if (!is(first, dq) || !is(second, dq) || zero_point_of(*first) == zero_point_of(*second))
                               return false;
                             if (!has_same_type(editor, *first, *second)) return false;
                             second->inputs[2] = zero_point_of(*first);
                             return true;
                           }) ||
                  changed;
            return changed;
          }),
};

}  // namespace

std::span<const WrongModel> wrong_graphs_of_products() { return product_rows; }

}  // namespace touchstone::conformance
