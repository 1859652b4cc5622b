// Wrong models of graphs that move elements, choose among them, fold constants, or have several readers or branches.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/diagnose/graph_editor.h"
#include "conformance/diagnose/host_arithmetic.h"
#include "conformance/diagnose/wrong_graphs.h"
#include "conformance/files/names.h"
#include "reference/codec.h"

namespace touchstone::conformance {

namespace {

bool dequantize_behind(Editor& editor, GraphNode& first, GraphNode& second) {
  if (!first.attributes.contains("axis") || second.outputs.size() != 1) return false;
  editor.swap_with_reader(first, second);
  return true;
}

template <bool is_max>
bool rename(Editor&, GraphNode& node) {
  node.op_type = is_max ? "Max" : "Min";
  return true;
}

bool remove_behind_other(Editor& editor, GraphNode&, GraphNode& node) { return remove_node(editor, node); }

bool remove_before_quantize(Editor& editor, GraphNode& node) {
  return editor.is_read_by(node, ql) && remove_node(editor, node);
}

bool interpolate_codes(Editor& editor, GraphNode& resize, GraphNode& second) {
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
}

bool give_requantized_output(Editor& editor, GraphNode& node) {
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
}

/// Multiplies by the reciprocal of the scale, without its fraction.
bool truncate_reciprocal(Editor& editor, GraphNode quantize, Replacement& nodes) {
  const std::optional<float> scale = scale_of(editor, quantize);
  if (!is(editor.producer_of_input(quantize, 0), "Softmax") || !scale) return false;
  const float reciprocal = 1 / *scale, truncated = std::trunc(reciprocal);
  if (truncated == reciprocal || !(truncated > 0)) return false;
  // What Softmax gives is rounded, so a tie may become either number. Exp(0) is 1 within its accuracy.
  const std::string rounded = nodes.add("Mul", {quantize.inputs[0], nodes.add("Exp", {number(editor, 0)})});
  quantize.inputs[0] = nodes.add("Mul", {rounded, number(editor, truncated)});
  quantize.inputs[1] = number(editor, 1);
  nodes.add(std::move(quantize));
  return true;
}

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

/// Changes the bodies of Loop and Scan. `change` gets editors of the graph outside and of a body.
bool change_bodies(GraphModel& model, bool (*change)(Editor& outside, Editor& inside)) {
  Editor outside(model);
  bool changed = false;
  for (GraphNode& node : outside.nodes()) {
    auto* body = attribute<std::shared_ptr<const Graph>>(node, "body");
    if (body == nullptr) continue;
    GraphModel copy{.graph = **body, .opsets = model.opsets};
    Editor inside(copy);
    if (!change(outside, inside)) continue;
    *body = std::make_shared<const Graph>(std::move(copy.graph));
    changed = true;
  }
  return changed;
}

constexpr WrongModel element_rows[]{
    // ---- operators that move elements
    pairs("keeps-axis-across-transpose", "moves DequantizeLinear after Transpose with the same axis", dq, "Transpose",
          dequantize_behind),
    pairs("keeps-axis-across-reshape", "moves DequantizeLinear after Reshape with the same axis", dq, "Reshape",
          dequantize_behind),
    pairs("keeps-axis-across-unsqueeze", "moves DequantizeLinear after Unsqueeze with the same axis", dq, "Unsqueeze",
          dequantize_behind),
    pairs("keeps-axis-across-expand", "moves DequantizeLinear after Expand with the same axis", dq, "Expand",
          dequantize_behind),
    pairs("keeps-scales-across-gather", "moves DequantizeLinear after Gather with the scales of the old channels", dq,
          "Gather", dequantize_behind),
    nodes("concatenates-unlike-codes",
          "concatenates quantized elements with different parameters, and uses the first ones", {"Concat"},
          [](Editor& editor, GraphNode& node) {
            const GraphNode* first = editor.producer_of_input(node, 0);
            GraphNode* second = editor.producer_of_input(node, 1);
            if (!is(first, dq) || !is(second, dq) || first == second || has_same_parameters(*first, *second))
              return false;
            second->inputs[1] = first->inputs[1];
            if (second->inputs.size() > 2) second->inputs[2] = zero_point_of(*first);
            return true;
          }),
    nodes("moves-codes-between-unlike-scales", "moves quantized elements, although the scales before and after differ",
          {ql},
          [](Editor& editor, GraphNode& second) {
            const GraphNode* moved = editor.producer_of_input(second, 0);
            if (!is_movement(moved) && !is(moved, "Resize")) return false;
            const GraphNode* first = editor.producer_of_input(*moved, 0);
            if (!is(first, dq) || first->inputs[1] == second.inputs[1] || first->attributes.contains("axis"))
              return false;
            second.inputs[1] = first->inputs[1];
            return true;
          }),
    nodes("inverts-permutation", "transposes with the inverse of the permutation", {"Transpose"},
          [](Editor&, GraphNode& node) {
            auto* permutation = attribute<std::vector<std::int64_t>>(node, "perm");
            if (permutation == nullptr) return false;
            const std::vector<std::int64_t> before = *permutation;
            for (std::size_t i = 0; i < before.size(); ++i)
              permutation->at(static_cast<std::size_t>(before[i])) = static_cast<std::int64_t>(i);
            return *permutation != before;
          }),
    nodes("takes-old-default-of-softmax", "computes Softmax along axis 1 by default, as before version 13", {"Softmax"},
          [](Editor&, GraphNode& node) { return node.attributes.try_emplace("axis", std::int64_t{1}).second; }),
    replacements("truncates-reciprocal-after-softmax",
                 "multiplies what Softmax gives by the integer below the reciprocal of the scale", {ql},
                 truncate_reciprocal),
    // ---- operators that choose among elements
    pairs("finds-largest-code",
          "finds the largest quantized element, although a negative scale reverses the order, or scales differ", dq,
          "ArgMax",
          [](Editor&, GraphNode& dequantize, GraphNode& node) {
            node.inputs[0] = dequantize.inputs[0];
            return true;
          }),
    pairs("pads-codes-with-0", "pads quantized elements with 0 instead of the zero point", dq, "Pad",
          [](Editor& editor, GraphNode& first, GraphNode& pad) {
            if (first.attributes.contains("axis") || pad.inputs.size() > 2 || pad.attributes.contains("mode"))
              return false;
            editor.swap_with_reader(first, pad);
            return true;
          }),
    nodes("pads-with-0", "pads with 0 instead of the constant", {"Pad"},
          [](Editor&, GraphNode& pad) {
            if (pad.inputs.size() < 3) return false;
            pad.inputs.resize(2);
            return true;
          }),
    pairs("pools-codes", "pools quantized elements, although a negative scale reverses their order", dq, "MaxPool",
          [](Editor& editor, GraphNode& first, GraphNode& pool) {
            editor.swap_with_reader(first, pool);
            return true;
          }),
    pairs("pools-behind-quantize", "moves MaxPool after QuantizeLinear, although a negative scale reverses the order",
          "MaxPool", ql,
          [](Editor& editor, GraphNode& pool, GraphNode& second) {
            editor.swap_with_reader(pool, second);
            return true;
          }),
    pairs("loses-sign-of-scale-before-pool", "ignores the sign of the scale before MaxPool", dq, "MaxPool",
          [](Editor& editor, GraphNode& first, GraphNode&) {
            const Tensor* scale = editor.constant(first.inputs[1]);
            if (scale == nullptr) return false;
            Tensor changed = *scale;
            for (std::int64_t i = 0; i < scale->size(); ++i) {
              const reference::Value value = reference::decode(scale->type(), scale->code(i));
              if (value.is_negative()) changed.set_code(i, reference::encode(scale->type(), -value));
            }
            first.inputs[1] = editor.add_constant(changed);
            return true;
          }),
    nodes("swaps-max", "computes Min instead of Max", {"Max"}, rename<false>),
    nodes("swaps-min", "computes Max instead of Min", {"Min"}, rename<true>),
    nodes("removes-relu-before-quantize", "removes Relu before QuantizeLinear", {"Relu"}, remove_before_quantize),
    pairs("removes-relu-behind-dequantize", "removes Relu after DequantizeLinear", dq, "Relu", remove_behind_other),
    pairs("computes-relu-of-codes", "computes Relu of quantized elements", dq, "Relu",
          [](Editor& editor, GraphNode& first, GraphNode& relu) {
            // Relu of the codes of a signed type, or nothing for an unsigned one: Max(code, 0).
            const Tensor* zero_point = editor.constant(zero_point_of(first));
            if (zero_point == nullptr || spec::info(zero_point->type()).kind != NumberKind::signed_integer)
              return false;
            editor.swap_with_reader(first, relu);
            return true;
          }),
    nodes("removes-clip-before-quantize", "removes Clip before QuantizeLinear", {"Clip"}, remove_before_quantize),
    nodes("ignores-lower-limit", "ignores the lower limit of Clip", {"Clip"},
          [](Editor&, GraphNode& node) {
            if (node.inputs.size() < 3 || node.inputs[1].empty()) return false;
            node.inputs[1].clear();
            return true;
          }),
    nodes("ignores-upper-limit", "ignores the upper limit of Clip", {"Clip"},
          [](Editor&, GraphNode& node) {
            if (node.inputs.size() < 3) return false;
            node.inputs.resize(2);
            return true;
          }),
    nodes("inverts-condition", "inverts the condition of Where", {"Where"},
          [](Editor&, GraphNode& node) {
            std::swap(node.inputs[1], node.inputs[2]);
            return true;
          }),
    pairs("interpolates-codes", "interpolates quantized elements, and truncates", "Resize", ql, interpolate_codes),
    nodes("resizes-to-neighbor-above", "resizes to the neighbor above instead of the one below", {"Resize"},
          [](Editor&, GraphNode& node) {
            const auto mode = node.attributes.find("nearest_mode");
            if (mode == node.attributes.end()) return false;
            mode->second = std::string("ceil");
            return true;
          }),
    // ---- several readers, and values that nodes compute
    nodes("gives-requantized-output",
          "gives the quantized and dequantized value where an output of the graph is the value before", {ql},
          give_requantized_output),
    pairs("gives-unquantized-output", "gives the value before it was quantized and dequantized", ql, dq,
          [](Editor& editor, GraphNode& first, GraphNode& second) {
            if (!editor.is_graph_output(second.outputs[0])) return false;
            return remove_node(editor,
                               GraphNode{.op_type = "", .inputs = {first.inputs[0]}, .outputs = second.outputs});
          }),
    nodes("ignores-computed-scale", "uses a scale before the node that computes it", {ql, dq},
          [](Editor& editor, GraphNode& node) {
            const GraphNode* computed = editor.producer_of_input(node, 1);
            if (!is(computed, "Mul")) return false;
            node.inputs[1] = computed->inputs[0];
            return true;
          }),
    nodes("ignores-computed-zero-point", "takes a zero point that a node computes for 0", {dq},
          [](Editor& editor, GraphNode& node) {
            if (!is(editor.producer_of_input(node, 2), "Identity")) return false;
            node.inputs.resize(2);
            return true;
          }),
    // ---- constants
    graph("folds-replaced-default", "takes the value of an initializer although the caller gives another value",
          [](GraphModel& model) {
            Editor editor(model);
            for (const auto& [name, value] : model.replaced_defaults) {
              const std::string constant = editor.add_constant(value);
              for (GraphNode& node : editor.nodes()) std::ranges::replace(node.inputs, name, constant);
            }
            return !model.replaced_defaults.empty();
          }),
    nodes("dequantizes-shared-constant-once",
          "dequantizes a constant that two DequantizeLinear share once, with the parameters of the first", {dq},
          [](Editor& editor, GraphNode& node) {
            if (editor.constant(node.inputs[0]) == nullptr) return false;
            const auto first = std::ranges::find_if(editor.nodes(), [&](const GraphNode& other) {
              return is(&other, dq) && other.inputs[0] == node.inputs[0];
            });
            if (has_same_parameters(*first, node)) return false;
            node.inputs = first->inputs;
            return true;
          }),
    nodes("folds-signed-constants-as-unsigned", "folds constants of signed types as unsigned ones", {dq},
          [](Editor& editor, GraphNode& node) {
            const Tensor* x = editor.constant(node.inputs[0]);
            const std::optional<ElementType> type = x != nullptr ? unsigned_type(x->type()) : std::nullopt;
            if (!type) return false;
            node.inputs[0] = editor.add_constant(as_type(*x, *type));
            if (const Tensor* zero_point = editor.constant(zero_point_of(node)))
              node.inputs[2] = editor.add_constant(as_type(*zero_point, *type));
            return true;
          }),
    nodes("folds-constants-without-zero-point", "folds constants without their zero points", {dq},
          [](Editor& editor, GraphNode& node) {
            if (editor.constant(node.inputs[0]) == nullptr || node.inputs.size() < 3) return false;
            node.inputs.resize(2);
            return true;
          }),
    nodes("folds-constants-with-first-scale", "folds constants with one scale instead of one for each channel", {dq},
          [](Editor& editor, GraphNode& node) {
            return editor.constant(node.inputs[0]) != nullptr && change_scale(editor, node, first_of);
          }),
    // ---- branches and functions
    nodes("runs-other-branch", "runs the other branch of If", {"If"},
          [](Editor&, GraphNode& node) {
            std::swap(node.attributes.at("then_branch"), node.attributes.at("else_branch"));
            return true;
          }),
    nodes("uses-scales-of-other-branch", "uses the scales of the other branch of If", {"If"},
          [](Editor&, GraphNode& node) {
            using Branch = std::shared_ptr<const Graph>;
            const auto& other = std::get<Branch>(node.attributes.at("else_branch"));
            Graph changed = *std::get<Branch>(node.attributes.at("then_branch"));
            const auto first = std::ranges::find(changed.nodes, dq, &GraphNode::op_type);
            const auto second = std::ranges::find(other->nodes, dq, &GraphNode::op_type);
            if (first == changed.nodes.end() || second == other->nodes.end()) return false;
            first->inputs[1] = second->inputs[1];
            node.attributes.at("then_branch") = std::make_shared<const Graph>(std::move(changed));
            return true;
          }),
    graph("removes-pairs-in-bodies", "removes QuantizeLinear and the DequantizeLinear after it in bodies of Loop",
          [](GraphModel& model) {
            return change_bodies(model, [](Editor&, Editor& inside) {
              for (const GraphNode& node : inside.nodes())
                if (const GraphNode* first = inside.producer_of_input(node, 0); is(first, ql) && is(&node, dq)) {
                  inside.replace_uses(std::string(node.outputs[0]), std::string(first->inputs[0]));
                  return true;
                }
              return false;
            });
          }),
    graph("uses-one-scale-in-bodies",
          "dequantizes in bodies of Loop and Scan with one scale instead of one for each channel",
          [](GraphModel& model) {
            return change_bodies(model, [](Editor& outside, Editor& inside) {
              bool changed = false;
              for (GraphNode& node : inside.nodes())
                changed = (is(&node, dq) && change_scale(outside, node, first_of)) || changed;
              return changed;
            });
          }),
    graph("removes-relu-in-functions", "removes Relu in functions",
          [](GraphModel& model) {
            bool changed = false;
            for (auto& [id, function] : model.functions)
              for (GraphNode& node : function.nodes)
                if (node.op_type == "Relu") {
                  node.op_type = "Identity";
                  changed = true;
                }
            return changed;
          }),
};

}  // namespace

std::span<const WrongModel> wrong_graphs_of_elements() { return element_rows; }

}  // namespace touchstone::conformance
