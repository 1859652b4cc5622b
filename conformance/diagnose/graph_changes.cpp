#include "conformance/diagnose/graph_changes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/diagnose/graph_editor.h"
#include "conformance/diagnose/host_arithmetic.h"
#include "reference/codec.h"
#include "spec/operator_version.h"

namespace touchstone::conformance {

// ---- pairs of quantization operators

bool remove_first_pair(GraphModel& model) {
  return for_each_pair(model, dq, ql, [](Editor& editor, GraphNode& middle, GraphNode& second) {
    GraphNode* first = editor.producer_of_input(middle, 0);
    if (!is(first, ql) || has_same_parameters(*first, second)) return false;
    second.inputs[0] = first->inputs[0];
    return true;
  });
}

bool remove_second_pair(GraphModel& model) {
  return for_each_pair(model, ql, dq, [](Editor& editor, GraphNode& second, GraphNode& last) {
    GraphNode* middle = editor.producer_of_input(second, 0);
    if (!is(middle, dq) || has_same_parameters(*middle, last)) return false;
    editor.replace_uses(std::string(last.outputs[0]), std::string(middle->outputs[0]));
    return true;
  });
}

namespace {

/// The numbers that a scale and a zero point represent.
struct Range {
  float low;
  float high;
};

/// The range of a node with one constant float32 scale and a constant zero point.
std::optional<Range> range_of(Editor& editor, const GraphNode& node) {
  const Tensor* scale = editor.constant(node.inputs[1]);
  const Tensor* zero_point = editor.constant(zero_point_of(node));
  if (scale == nullptr || scale->size() != 1 || scale->type() != ElementType::float32) return std::nullopt;
  if (zero_point == nullptr || zero_point->size() != 1 || !spec::is_integer(zero_point->type())) return std::nullopt;
  const ElementType type = zero_point->type();
  const auto factor = static_cast<float>(host::decode(scale->type(), scale->code(0)));
  const double zero = host::decode(type, zero_point->code(0));
  return Range{static_cast<float>(host::lowest(type) - zero) * factor,
               static_cast<float>(host::highest(type) - zero) * factor};
}

}  // namespace

bool merge_pairs_by_intersection(GraphModel& model) {
  return for_each_pair(model, ql, dq, [](Editor& editor, GraphNode& second, GraphNode& last) {
    GraphNode* middle = editor.producer_of_input(second, 0);
    GraphNode* first = is(middle, dq) ? editor.producer_of_input(*middle, 0) : nullptr;
    if (!is(first, ql) || has_same_parameters(*middle, last) || !has_same_type(editor, *middle, last)) return false;
    const std::optional<Range> one = range_of(editor, *middle), other = range_of(editor, last);
    if (!one || !other) return false;
    Tensor zero_point = *editor.constant(zero_point_of(last));
    const double lowest = host::lowest(zero_point.type());
    const double highest = host::highest(zero_point.type());
    const float low = std::max(one->low, other->low);
    const float high = std::min(one->high, other->high);
    const float step = (high - low) / static_cast<float>(highest - lowest);
    const auto zero = static_cast<double>(std::round(static_cast<float>(lowest) - low / step));
    if (!std::isfinite(zero)) return false;
    zero_point.set_code(0, host::encode(zero_point.type(), std::clamp(zero, lowest, highest)));
    Tensor scale = *editor.constant(last.inputs[1]);
    scale.set_code(0, host::encode(scale.type(), step));
    first->inputs.resize(3);
    middle->inputs.resize(3);
    first->inputs[1] = middle->inputs[1] = editor.add_constant(scale);
    first->inputs[2] = middle->inputs[2] = editor.add_constant(zero_point);
    editor.replace_uses(std::string(last.outputs[0]), std::string(middle->outputs[0]));
    return true;
  });
}

bool remove_quantize_dequantize(GraphModel& model) {
  return for_each_pair(model, ql, dq, [](Editor& editor, GraphNode& first, GraphNode& second) {
    editor.replace_uses(std::string(second.outputs[0]), std::string(first.inputs[0]));
    return true;
  });
}

namespace {

bool replace_by_limits(Editor& editor, GraphNode& first, GraphNode& second) {
  const std::optional<Range> range = range_of(editor, second);
  if (!range || range->low > range->high) return false;
  const auto limit = [&](float value) {
    Tensor tensor(ElementType::float32, {});
    tensor.set_code(0, host::encode(tensor.type(), value));
    return editor.add_constant(tensor);
  };
  second = {
      .op_type = "Clip", .inputs = {first.inputs[0], limit(range->low), limit(range->high)}, .outputs = second.outputs};
  return true;
}

}  // namespace

bool keep_saturation_only(GraphModel& model) { return for_each_pair(model, ql, dq, replace_by_limits); }

bool keep_saturation_only_before_add(GraphModel& model) {
  return for_each(model, "Add", [](Editor& editor, GraphNode& add) {
    bool changed = false;
    for (std::size_t operand = 0; operand < add.inputs.size(); ++operand) {
      GraphNode* second = editor.producer_of_input(add, operand);
      GraphNode* first = is(second, dq) ? editor.producer_of_input(*second, 0) : nullptr;
      const GraphNode* product = is(first, ql) ? editor.producer_of_input(*first, 0) : nullptr;
      if (is(product, "Conv") || is(product, "MatMul") || is(product, "Gemm"))
        changed = replace_by_limits(editor, *first, *second) || changed;
    }
    return changed;
  });
}

bool remove_dequantize_quantize(GraphModel& model) {
  return for_each_pair(model, dq, ql, [](Editor& editor, GraphNode& first, GraphNode& second) {
    if (has_same_parameters(first, second) || !has_same_type(editor, first, second)) return false;
    editor.replace_uses(std::string(second.outputs[0]), std::string(first.inputs[0]));
    return true;
  });
}

namespace {

constexpr std::array movements{"Identity", "Reshape", "Slice",   "Tile",      "Transpose", "Concat", "Pad",
                               "Split",    "Flatten", "Squeeze", "Unsqueeze", "Expand",    "Gather", "MaxPool"};

bool is_movement(const GraphNode* node) {
  return node != nullptr && std::ranges::find(movements, node->op_type) != movements.end();
}

}  // namespace

bool insert_uint8_pair(GraphModel& model) {
  Editor editor(model);
  bool changed = false;
  for (std::size_t i = 0; i < editor.nodes().size(); ++i) {
    const GraphNode* first = is_movement(&editor.nodes()[i]) ? editor.producer_of_input(editor.nodes()[i], 0) : nullptr;
    if (!is(first, dq) || first->inputs.size() > 2 || first->attributes.contains("axis")) continue;
    const std::string value = editor.nodes()[i].outputs[0];
    const std::vector<std::string> between{value + "_moved", value + "_uint8"};
    const std::string scale = first->inputs[1];
    editor.nodes()[i].outputs[0] = between[0];
    const auto behind = editor.nodes().begin() + static_cast<std::ptrdiff_t>(i) + 1;
    editor.nodes().insert(
        behind, {GraphNode{.op_type = std::string(ql), .inputs = {between[0], scale}, .outputs = {between[1]}},
                 GraphNode{.op_type = std::string(dq), .inputs = {between[1], scale}, .outputs = {value}}});
    i += 2;
    changed = true;
  }
  return changed;
}

bool requantize_with_first_scale(GraphModel& model) {
  return for_each_pair(model, dq, ql, [](Editor&, GraphNode& first, GraphNode& second) {
    if (first.inputs[1] == second.inputs[1]) return false;
    second.inputs[1] = first.inputs[1];
    return true;
  });
}

bool requantize_with_first_zero_point(GraphModel& model) {
  return for_each_pair(model, dq, ql, [](Editor& editor, GraphNode& first, GraphNode& second) {
    if (zero_point_of(first) == zero_point_of(second) || !has_same_type(editor, first, second)) return false;
    second.inputs[2] = zero_point_of(first);
    return true;
  });
}

bool dequantize_with_second_scale(GraphModel& model) {
  return for_each_pair(model, dq, ql, [](Editor&, GraphNode& first, GraphNode& second) {
    if (first.inputs[1] == second.inputs[1]) return false;
    first.inputs[1] = second.inputs[1];
    return true;
  });
}

namespace {

/// Whether the node quantizes to an integer type with constant scales below zero.
bool has_negative_scales(Editor& editor, const GraphNode& quantize) {
  if (const std::string zero_point = zero_point_of(quantize); !zero_point.empty()) {
    const Tensor* codes = editor.constant(zero_point);
    if (codes == nullptr || !spec::is_integer(codes->type())) return false;
  } else if (const auto found = quantize.attributes.find("output_dtype"); found != quantize.attributes.end()) {
    const auto* code = std::get_if<std::int64_t>(&found->second);
    if (code == nullptr) return false;
    const auto type = spec::element_type_from_code(*code);  // 0 has no type, and gives uint8
    if (type && !spec::is_integer(*type)) return false;
  }
  const Tensor* scale = editor.constant(quantize.inputs[1]);
  if (scale == nullptr || scale->size() == 0) return false;
  for (std::int64_t i = 0; i < scale->size(); ++i)
    if (!reference::decode(scale->type(), scale->code(i)).is_negative()) return false;
  return true;
}

/// Applies `op` to an infinity and the input of each QuantizeLinear with negative scales.
bool saturate_if_negative(GraphModel& model, std::string_view op, bool is_negative_infinity) {
  Editor editor(model);
  bool changed = false;
  for (std::size_t i = 0; i < editor.nodes().size(); ++i) {
    if (!is(&editor.nodes()[i], ql) || !has_negative_scales(editor, editor.nodes()[i])) continue;
    GraphNode& quantize = editor.nodes()[i];
    const ElementType type = editor.constant(quantize.inputs[1])->type();
    Tensor infinite(type, {});
    infinite.set_code(0, reference::encode(type, reference::Value::infinity(is_negative_infinity)));
    const std::string limited = quantize.outputs[0] + "_limited";
    GraphNode limit{.op_type = std::string(op),
                    .inputs = {quantize.inputs[0], editor.add_constant(infinite)},
                    .outputs = {limited}};
    quantize.inputs[0] = limited;
    editor.nodes().insert(editor.nodes().begin() + static_cast<std::ptrdiff_t>(i), std::move(limit));
    ++i;
    changed = true;
  }
  return changed;
}

}  // namespace

bool saturate_to_lowest_if_negative(GraphModel& model) { return saturate_if_negative(model, "Max", false); }
bool saturate_to_highest_if_negative(GraphModel& model) { return saturate_if_negative(model, "Min", true); }

bool use_first_axis_for_both(GraphModel& model) {
  return for_each_pair(model, dq, ql, [](Editor&, GraphNode& first, GraphNode& second) {
    if (first.inputs[1] != second.inputs[1] || axis_of(first) == axis_of(second)) return false;
    second.attributes["axis"] = axis_of(first);
    return true;
  });
}

// ---- operators that move elements

namespace {

bool dequantize_behind(GraphModel& model, std::string_view op) {
  return for_each_pair(model, dq, op, [](Editor& editor, GraphNode& first, GraphNode& second) {
    if (!first.attributes.contains("axis") || second.outputs.size() != 1) return false;
    editor.swap_with_reader(first, second);
    return true;
  });
}

}  // namespace

bool dequantize_behind_transpose(GraphModel& model) { return dequantize_behind(model, "Transpose"); }
bool dequantize_behind_reshape(GraphModel& model) { return dequantize_behind(model, "Reshape"); }
bool dequantize_behind_unsqueeze(GraphModel& model) { return dequantize_behind(model, "Unsqueeze"); }
bool dequantize_behind_expand(GraphModel& model) { return dequantize_behind(model, "Expand"); }
bool dequantize_behind_gather(GraphModel& model) { return dequantize_behind(model, "Gather"); }

bool dequantize_behind_concat(GraphModel& model) {
  return for_each(model, "Concat", [](Editor& editor, GraphNode& node) {
    const GraphNode* first = editor.producer_of_input(node, 0);
    GraphNode* second = editor.producer_of_input(node, 1);
    if (!is(first, dq) || !is(second, dq) || first == second || has_same_parameters(*first, *second)) return false;
    second->inputs[1] = first->inputs[1];
    if (second->inputs.size() > 2) second->inputs[2] = zero_point_of(*first);
    return true;
  });
}

bool move_elements_of_quantized(GraphModel& model) {
  return for_each(model, ql, [](Editor& editor, GraphNode& second) {
    const GraphNode* moved = editor.producer_of_input(second, 0);
    if (!is_movement(moved) && !is(moved, "Resize")) return false;
    const GraphNode* first = editor.producer_of_input(*moved, 0);
    if (!is(first, dq) || first->inputs[1] == second.inputs[1] || first->attributes.contains("axis")) return false;
    second.inputs[1] = first->inputs[1];
    return true;
  });
}

bool invert_permutation(GraphModel& model) {
  return for_each(model, "Transpose", [](Editor&, GraphNode& node) {
    const auto found = node.attributes.find("perm");
    auto* permutation =
        found != node.attributes.end() ? std::get_if<std::vector<std::int64_t>>(&found->second) : nullptr;
    if (permutation == nullptr) return false;
    const std::vector<std::int64_t> before = *permutation;
    for (std::size_t i = 0; i < before.size(); ++i)
      permutation->at(static_cast<std::size_t>(before[i])) = static_cast<std::int64_t>(i);
    return *permutation != before;
  });
}

bool take_old_default_of_softmax(GraphModel& model) {
  return for_each(model, "Softmax",
                  [](Editor&, GraphNode& node) { return node.attributes.try_emplace("axis", std::int64_t{1}).second; });
}

// ---- operators that choose among elements

bool find_largest_code(GraphModel& model) {
  return for_each_pair(model, dq, "ArgMax", [](Editor&, GraphNode& dequantize, GraphNode& node) {
    node.inputs[0] = dequantize.inputs[0];
    return true;
  });
}

bool pad_codes_with_0(GraphModel& model) {
  return for_each_pair(model, dq, "Pad", [](Editor& editor, GraphNode& first, GraphNode& pad) {
    if (first.attributes.contains("axis") || pad.inputs.size() > 2 || pad.attributes.contains("mode")) return false;
    editor.swap_with_reader(first, pad);
    return true;
  });
}

bool pad_with_0(GraphModel& model) {
  return for_each(model, "Pad", [](Editor&, GraphNode& pad) {
    if (pad.inputs.size() < 3) return false;
    pad.inputs.resize(2);
    return true;
  });
}

bool pool_codes(GraphModel& model) {
  return for_each_pair(model, dq, "MaxPool", [](Editor& editor, GraphNode& first, GraphNode& pool) {
    editor.swap_with_reader(first, pool);
    return true;
  });
}

bool pool_behind_quantize(GraphModel& model) {
  return for_each_pair(model, "MaxPool", ql, [](Editor& editor, GraphNode& pool, GraphNode& second) {
    editor.swap_with_reader(pool, second);
    return true;
  });
}

bool take_maximum_of_magnitudes(GraphModel& model) {
  return for_each_pair(model, dq, "MaxPool", [](Editor& editor, GraphNode& first, GraphNode&) {
    const Tensor* scale = editor.constant(first.inputs[1]);
    if (scale == nullptr) return false;
    Tensor changed = *scale;
    for (std::int64_t i = 0; i < scale->size(); ++i) {
      const reference::Value value = reference::decode(scale->type(), scale->code(i));
      if (value.is_negative()) changed.set_code(i, reference::encode(scale->type(), -value));
    }
    first.inputs[1] = editor.add_constant(changed);
    return true;
  });
}

namespace {

bool rename(GraphModel& model, std::string_view op, const char* other) {
  return for_each(model, op, [&](Editor&, GraphNode& node) {
    node.op_type = other;
    return true;
  });
}

/// Removes nodes of the operator that follow a node of `before`, or precede one of `behind`.
bool remove_between(GraphModel& model, std::string_view op, std::string_view before, std::string_view behind) {
  return for_each(model, op, [&](Editor& editor, GraphNode& node) {
    const bool follows = before.empty() || is(editor.producer_of_input(node, 0), before);
    const bool precedes = behind.empty() || std::ranges::any_of(editor.nodes(), [&](const GraphNode& reader) {
                            return reader.op_type == behind && reader.inputs[0] == node.outputs[0];
                          });
    return follows && precedes && remove_node(editor, node);
  });
}

}  // namespace

bool swap_maximum(GraphModel& model) { return rename(model, "Max", "Min"); }
bool swap_minimum(GraphModel& model) { return rename(model, "Min", "Max"); }

bool remove_relu_before_quantize(GraphModel& model) { return remove_between(model, "Relu", "", ql); }
bool remove_relu_behind_dequantize(GraphModel& model) { return remove_between(model, "Relu", dq, ""); }

bool relu_of_codes(GraphModel& model) {
  // Relu of the codes of a signed type, or nothing for an unsigned one: Max(code, 0).
  return for_each_pair(model, dq, "Relu", [](Editor& editor, GraphNode& first, GraphNode& relu) {
    const Tensor* zero_point = editor.constant(zero_point_of(first));
    if (zero_point == nullptr || spec::info(zero_point->type()).kind != spec::NumberKind::signed_integer) return false;
    editor.swap_with_reader(first, relu);
    return true;
  });
}

bool remove_clip_before_quantize(GraphModel& model) { return remove_between(model, "Clip", "", ql); }

bool remove_lower_limit_of_clip(GraphModel& model) {
  return for_each(model, "Clip", [](Editor&, GraphNode& node) {
    if (node.inputs.size() < 3 || node.inputs[1].empty()) return false;
    node.inputs[1].clear();
    return true;
  });
}

bool remove_upper_limit_of_clip(GraphModel& model) {
  return for_each(model, "Clip", [](Editor&, GraphNode& node) {
    if (node.inputs.size() < 3) return false;
    node.inputs.resize(2);
    return true;
  });
}

bool choose_other_of_where(GraphModel& model) {
  return for_each(model, "Where", [](Editor&, GraphNode& node) {
    std::swap(node.inputs[1], node.inputs[2]);
    return true;
  });
}

bool interpolate_codes(GraphModel& model) {
  return for_each_pair(model, "Resize", ql, [](Editor& editor, GraphNode& resize, GraphNode& second) {
    const GraphNode* first = editor.producer_of_input(resize, 0);
    const Tensor* zero_point = editor.constant(zero_point_of(second));
    if (!is(first, dq) || !has_same_parameters(*first, second) || zero_point == nullptr) return false;
    // The codes as numbers, which are interpolated and then truncated.
    const std::string numbers = resize.inputs[0] + "_codes";
    const std::string codes = first->inputs[0];
    const auto place = std::ranges::find(editor.nodes(), resize.outputs, &GraphNode::outputs);
    resize.inputs[0] = numbers;
    second = {.op_type = "Cast",
              .inputs = {second.inputs[0]},
              .outputs = second.outputs,
              .attributes = {{"to", static_cast<std::int64_t>(zero_point->type())}}};
    editor.nodes().insert(place, {.op_type = "Cast",
                                  .inputs = {codes},
                                  .outputs = {numbers},
                                  .attributes = {{"to", static_cast<std::int64_t>(ElementType::float32)}}});
    return true;
  });
}

bool resize_to_other_neighbor(GraphModel& model) {
  return for_each(model, "Resize", [](Editor&, GraphNode& node) {
    const auto mode = node.attributes.find("nearest_mode");
    if (mode == node.attributes.end()) return false;
    mode->second = std::string("ceil");
    return true;
  });
}

// ---- several readers, and values that nodes compute

bool give_requantized_output(GraphModel& model) {
  return for_each(model, ql, [](Editor& editor, GraphNode& node) {
    const std::string value = node.inputs[0];
    GraphNode* before = editor.producer(value);
    if (!editor.is_graph_output(value) || before == nullptr) return false;
    // The output becomes what DequantizeLinear makes of the quantized value.
    const GraphNode quantize = node;
    std::ranges::replace(before->outputs, value, value + "_before");
    for (GraphNode& reader : editor.nodes()) std::ranges::replace(reader.inputs, value, value + "_before");
    GraphNode back = quantize;
    back.op_type = dq;
    back.inputs[0] = quantize.outputs[0];
    back.outputs = {value};
    back.attributes.erase("output_dtype");
    editor.nodes().push_back(std::move(back));
    return true;
  });
}

bool give_unquantized_output(GraphModel& model) {
  return for_each_pair(model, ql, dq, [](Editor& editor, GraphNode& first, GraphNode& second) {
    if (!editor.is_graph_output(second.outputs[0])) return false;
    return remove_node(editor, GraphNode{.op_type = "", .inputs = {first.inputs[0]}, .outputs = second.outputs});
  });
}

bool ignore_computed_scale(GraphModel& model) {
  bool changed = false;
  for (const std::string_view op : {ql, dq})
    changed = for_each(model, op,
                       [](Editor& editor, GraphNode& node) {
                         const GraphNode* computed = editor.producer_of_input(node, 1);
                         if (!is(computed, "Mul")) return false;
                         node.inputs[1] = computed->inputs[0];
                         return true;
                       }) ||
              changed;
  return changed;
}

bool ignore_computed_zero_point(GraphModel& model) {
  return for_each(model, dq, [](Editor& editor, GraphNode& node) {
    if (!is(editor.producer_of_input(node, 2), "Identity")) return false;
    node.inputs.resize(2);
    return true;
  });
}

// ---- constants

namespace {

std::optional<ElementType> unsigned_type(ElementType type) {
  using enum ElementType;
  switch (type) {
    case int8: return uint8;
    case int16: return uint16;
    case int4: return uint4;
    case int2: return uint2;
    default: return std::nullopt;
  }
}

Tensor as_type(const Tensor& tensor, ElementType type) {
  return {type, tensor.shape(), {tensor.bytes().begin(), tensor.bytes().end()}};
}

}  // namespace

bool fold_signed_constants_as_unsigned(GraphModel& model) {
  return for_each(model, dq, [](Editor& editor, GraphNode& node) {
    const Tensor* x = editor.constant(node.inputs[0]);
    const std::optional<ElementType> type = x != nullptr ? unsigned_type(x->type()) : std::nullopt;
    if (!type) return false;
    node.inputs[0] = editor.add_constant(as_type(*x, *type));
    if (const Tensor* zero_point = editor.constant(zero_point_of(node)))
      node.inputs[2] = editor.add_constant(as_type(*zero_point, *type));
    return true;
  });
}

bool fold_constants_without_zero_point(GraphModel& model) {
  return for_each(model, dq, [](Editor& editor, GraphNode& node) {
    if (editor.constant(node.inputs[0]) == nullptr || node.inputs.size() < 3) return false;
    node.inputs.resize(2);
    return true;
  });
}

namespace {}  // namespace

bool fold_constants_with_first_scale(GraphModel& model) {
  return for_each(model, dq, [](Editor& editor, GraphNode& node) {
    return editor.constant(node.inputs[0]) != nullptr && change_scale(editor, node, first_of);
  });
}

// ---- branches and functions

bool run_other_branch(GraphModel& model) {
  return for_each(model, "If", [](Editor&, GraphNode& node) {
    std::swap(node.attributes.at("then_branch"), node.attributes.at("else_branch"));
    return true;
  });
}

bool use_scales_of_other_branch(GraphModel& model) {
  return for_each(model, "If", [](Editor&, GraphNode& node) {
    using Branch = std::shared_ptr<const Graph>;
    const auto& other = std::get<Branch>(node.attributes.at("else_branch"));
    Graph changed = *std::get<Branch>(node.attributes.at("then_branch"));
    const auto first = std::ranges::find(changed.nodes, dq, &GraphNode::op_type);
    const auto second = std::ranges::find(other->nodes, dq, &GraphNode::op_type);
    if (first == changed.nodes.end() || second == other->nodes.end()) return false;
    first->inputs[1] = second->inputs[1];
    node.attributes.at("then_branch") = std::make_shared<const Graph>(std::move(changed));
    return true;
  });
}

bool remove_relu_in_functions(GraphModel& model) {
  bool changed = false;
  for (auto& [id, function] : model.functions)
    for (GraphNode& node : function.nodes)
      if (node.op_type == "Relu") {
        node.op_type = "Identity";
        changed = true;
      }
  return changed;
}

}  // namespace touchstone::conformance
