// Changes of graphs with sums and products.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/diagnose/graph_changes.h"
#include "conformance/diagnose/graph_editor.h"
#include "reference/codec.h"
#include "reference/host_numbers.h"

namespace touchstone::conformance {

// ---- sums and products

bool forget_zero_point_of_first_factor(GraphModel& model) {
  return for_each_operand(model, {"MatMul", "Gemm", "Conv"}, 0, forget_zero_point);
}
bool forget_zero_point_of_weights(GraphModel& model) {
  return for_each_operand(model, {"MatMul", "Gemm"}, 1, forget_zero_point);
}
bool forget_zero_point_of_filters(GraphModel& model) { return for_each_operand(model, {"Conv"}, 1, forget_zero_point); }
bool use_one_scale_for_weights(GraphModel& model) {
  return for_each_operand(model, {"MatMul", "Gemm", "Conv"}, 1,
                          [](Editor& editor, GraphNode& node) { return change_scale(editor, node, first_of); });
}
bool reverse_scales_of_weights(GraphModel& model) {
  return for_each_operand(model, {"MatMul", "Gemm", "Conv"}, 1,
                          [](Editor& editor, GraphNode& node) { return change_scale(editor, node, reversed); });
}

namespace {

float number_of(const GraphNode& node, const char* name) {
  const auto found = node.attributes.find(name);
  const auto* number = found != node.attributes.end() ? std::get_if<float>(&found->second) : nullptr;
  return number != nullptr ? *number : 1.0F;
}

bool remove_attribute(GraphModel& model, std::string_view op, const char* name) {
  return for_each(model, op, [&](Editor&, GraphNode& node) { return node.attributes.erase(name) > 0; });
}

}  // namespace

bool multiply_bias_by_alpha(GraphModel& model) {
  return for_each(model, "Gemm", [](Editor&, GraphNode& node) {
    const float alpha = number_of(node, "alpha");
    if (alpha == 1.0F || node.inputs.size() < 3) return false;
    node.attributes["beta"] = number_of(node, "beta") * alpha;  // both are powers of two
    return true;
  });
}

bool remove_alpha(GraphModel& model) { return remove_attribute(model, "Gemm", "alpha"); }
bool remove_beta(GraphModel& model) { return remove_attribute(model, "Gemm", "beta"); }

bool remove_bias_of_gemm(GraphModel& model) {
  return for_each(model, "Gemm", [](Editor&, GraphNode& node) {
    if (node.inputs.size() < 3) return false;
    node.attributes["beta"] = 0.0F;
    return true;
  });
}

bool ignore_trans_a(GraphModel& model) { return remove_attribute(model, "Gemm", "transA"); }
bool ignore_trans_b(GraphModel& model) { return remove_attribute(model, "Gemm", "transB"); }

bool remove_bias_of_conv(GraphModel& model) {
  return for_each(model, "Conv", [](Editor&, GraphNode& node) {
    if (node.inputs.size() < 3) return false;
    node.inputs.resize(2);
    return true;
  });
}

bool scale_bias_by_product(GraphModel& model) {
  return for_each(model, "Conv", [](Editor& editor, GraphNode& node) {
    GraphNode* bias = editor.producer_of_input(node, 2);
    const GraphNode* x = editor.producer_of_input(node, 0);
    const GraphNode* w = editor.producer_of_input(node, 1);
    if (!is(bias, dq) || !is(x, dq) || !is(w, dq)) return false;
    const Tensor* of_x = editor.constant(x->inputs[1]);
    const Tensor* of_w = editor.constant(w->inputs[1]);
    if (of_x == nullptr || of_w == nullptr || of_x->size() != 1) return false;
    Tensor product(of_w->type(), of_w->shape());
    for (std::int64_t i = 0; i < of_w->size(); ++i)
      product.set_code(
          i, reference::encode(of_w->type(), reference::multiply(reference::decode(of_x->type(), of_x->code(0)),
                                                                 reference::decode(of_w->type(), of_w->code(i)))));
    bias->inputs[1] = editor.add_constant(product);
    if (of_w->rank() > 0) bias->attributes["axis"] = std::int64_t{0};
    return true;
  });
}

bool scale_bias_of_conv_by_input(GraphModel& model) {
  return for_each(model, "Conv", [](Editor& editor, GraphNode& node) {
    GraphNode* bias = editor.producer_of_input(node, 2);
    const GraphNode* x = editor.producer_of_input(node, 0);
    if (!is(bias, dq) || !is(x, dq)) return false;
    bias->inputs[1] = x->inputs[1];
    return true;
  });
}

namespace {

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

}  // namespace

bool add_with_one_scale(GraphModel& model) { return use_one_scale(model, "Add"); }
bool multiply_with_one_scale(GraphModel& model) { return use_one_scale(model, "Mul"); }
bool forget_zero_points_of_sums(GraphModel& model) { return forget_both_zero_points(model, "Add"); }
bool forget_zero_points_of_products(GraphModel& model) { return forget_both_zero_points(model, "Mul"); }

bool lose_sign_of_factor(GraphModel& model) {
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
}

bool lose_added_constant(GraphModel& model) {
  return for_each_pair(model, dq, "Add", [](Editor& editor, GraphNode&, GraphNode& node) {
    return editor.constant(node.inputs[1]) != nullptr && remove_node(editor, node);
  });
}

// ---- weights in blocks

bool use_first_block_of_weights(GraphModel& model) {
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
}

// ---- sums of 16 bits

namespace {

/// The number of a constant scale that belongs to a channel, or std::nullopt.
std::optional<double> scale_of(Editor& editor, const GraphNode& dequantize, std::int64_t channel) {
  const Tensor* scale = editor.constant(dequantize.inputs[1]);
  if (scale == nullptr || scale->rank() > 1 || scale->type() != ElementType::float32) return std::nullopt;
  if (scale->size() == 1) channel = 0;
  if (channel >= scale->size()) return std::nullopt;
  return reference::number_of(scale->type(), scale->code(channel));
}

/// The same of a scale with one element.
std::optional<double> one_scale(Editor& editor, const GraphNode& dequantize) {
  const Tensor* scale = editor.constant(dequantize.inputs[1]);
  return scale != nullptr && scale->size() == 1 ? scale_of(editor, dequantize, 0) : std::nullopt;
}

std::string integers(Editor& editor, std::initializer_list<std::int64_t> values) {
  const std::vector<std::uint64_t> codes(values.begin(), values.end());
  return editor.add_constant(Tensor::from_codes(ElementType::int64, {std::ssize(codes)}, codes));
}

std::string number(Editor& editor, double value) {
  const std::array codes{reference::rounded_code(ElementType::float32, value)};
  return editor.add_constant(Tensor::from_codes(ElementType::float32, {}, codes));
}

}  // namespace

bool saturate_pairs_of_products(GraphModel& model) {
  Editor editor(model);
  for (std::size_t i = 0; i < editor.nodes().size(); ++i) {
    const GraphNode product = editor.nodes()[i];
    if (!is(&product, "MatMul")) continue;
    const GraphNode* left = editor.producer_of_input(product, 0);
    const GraphNode* right = editor.producer_of_input(product, 1);
    if (!is(left, dq) || !is(right, dq)) continue;
    const Tensor* weights = editor.constant(right->inputs[0]);
    const auto scale = one_scale(editor, *left), other = one_scale(editor, *right);
    if (weights == nullptr || weights->rank() != 2 || !scale || !other) continue;
    const std::int64_t terms = weights->shape()[0];
    const std::string limit = number(editor, 32767 * std::abs(*scale * *other)),
                      lower = number(editor, -32768 * std::abs(*scale * *other)), columns = integers(editor, {-1}),
                      rows = integers(editor, {0});
    std::vector<GraphNode> nodes;
    const auto add = [&](const char* op, std::vector<std::string> inputs) {
      nodes.push_back({.op_type = op,
                       .inputs = std::move(inputs),
                       .outputs = {product.outputs[0] + "_" + std::to_string(nodes.size())}});
      return nodes.back().outputs[0];
    };
    std::string sum;
    for (std::int64_t k = 0; k < terms; k += 2) {
      const std::string start = integers(editor, {k}), end = integers(editor, {k + 2});
      const std::string a = add("Slice", {product.inputs[0], start, end, columns});
      const std::string b = add("Slice", {product.inputs[1], start, end, rows});
      const std::string pair = add("Max", {add("Min", {add("MatMul", {a, b}), limit}), lower});
      sum = sum.empty() ? pair : add("Add", {sum, pair});
    }
    if (nodes.empty()) continue;
    nodes.back().outputs = product.outputs;
    const auto place = editor.nodes().erase(editor.nodes().begin() + static_cast<std::ptrdiff_t>(i));
    editor.nodes().insert(place, nodes.begin(), nodes.end());
    return true;
  }
  return false;
}

// ---- results, padding and biases

bool use_one_scale_for_results(GraphModel& model) {
  return for_each(model, ql, [](Editor& editor, GraphNode& node) {
    constexpr std::array ops{"MatMul",      "Gemm", "Conv", "ConvTranspose", "Softmax", "Sigmoid",
                             "AveragePool", "Add",  "Mul"};
    const GraphNode* before = editor.producer_of_input(node, 0);
    const bool is_result = before != nullptr && std::ranges::find(ops, before->op_type) != ops.end();
    return is_result && change_scale(editor, node, first_of);
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

namespace {

/// Rounds the bias of a node to multiples of the products of the scales. Returns whether it could.
bool round_bias(Editor& editor, GraphNode& node) {
  const Tensor* bias = node.inputs.size() > 2 ? editor.constant(node.inputs[2]) : nullptr;
  const GraphNode* left = editor.producer_of_input(node, 0);
  const GraphNode* right = editor.producer_of_input(node, 1);
  if (bias == nullptr || bias->type() != ElementType::float32 || !is(left, dq) || !is(right, dq)) return false;
  Tensor rounded = *bias;
  for (std::int64_t i = 0; i < bias->size(); ++i) {
    const auto scale = scale_of(editor, *left, 0), other = scale_of(editor, *right, i);
    if (!scale || !other) return false;
    const double step = *scale * *other, value = reference::number_of(bias->type(), bias->code(i));
    rounded.set_code(i, reference::rounded_code(bias->type(), std::nearbyint(value / step) * step));
  }
  node.inputs[2] = editor.add_constant(rounded);
  return true;
}

}  // namespace

bool quantize_bias(GraphModel& model) {
  bool changed = false;
  for (const std::string_view op : {"Gemm", "Conv"}) changed = for_each(model, op, round_bias) || changed;
  return changed;
}

bool multiply_shared_scale(GraphModel& model) {
  return for_each_pair(model, dq, "Mul", [](Editor& editor, GraphNode& dequantize, GraphNode& node) {
    Tensor* scale = editor.constant(dequantize.inputs[1]);
    const Tensor* factor = editor.constant(node.inputs[1]);
    if (scale == nullptr || factor == nullptr || factor->size() != 1 || factor->type() != scale->type()) return false;
    const double by = reference::number_of(factor->type(), factor->code(0));
    for (std::int64_t i = 0; i < scale->size(); ++i)
      scale->set_code(i,
                      reference::rounded_code(scale->type(), by * reference::number_of(scale->type(), scale->code(i))));
    return remove_node(editor, node);
  });
}

bool use_first_zero_point_for_both(GraphModel& model) {
  bool changed = false;
  for (const std::string_view op : {"Add", "Mul", "Concat"})
    changed = for_each(model, op,
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
}

}  // namespace touchstone::conformance
