// Wrong models of pairs of quantization operators.
#include <algorithm>
#include <cmath>
#include <cstdint>
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

bool merge_pairs_by_intersection(Editor& editor, GraphNode& second, GraphNode& last) {
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
}

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

/// With the scale of the DequantizeLinear before.
bool add_uint8_pair(Editor& editor, GraphNode node, Replacement& nodes) {
  const GraphNode* first = editor.producer_of_input(node, 0);
  if (!is(first, dq) || first->inputs.size() > 2 || first->attributes.contains("axis")) return false;
  const std::string scale = first->inputs[1], moved = node.outputs[0] + "_moved";
  node.outputs[0] = moved;
  nodes.add(std::move(node));
  nodes.add(dq, {nodes.add(ql, {moved, scale}), scale});
  return true;
}

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

/// Applies `op` to an infinity and the input of a QuantizeLinear with negative scales.
bool saturate_if_negative(Editor& editor, GraphNode quantize, Replacement& nodes, std::string_view op,
                          bool is_negative_infinity) {
  if (!has_negative_scales(editor, quantize)) return false;
  Tensor infinite(editor.constant(quantize.inputs[1])->type(), {});
  infinite.set_code(0, reference::encode(infinite.type(), reference::Value::infinity(is_negative_infinity)));
  quantize.inputs[0] = nodes.add(op, {quantize.inputs[0], editor.add_constant(infinite)});
  nodes.add(std::move(quantize));
  return true;
}

constexpr WrongModel pair_rows[]{
    // ---- pairs of quantization operators
    pairs("merges-unlike-pairs-into-last",
          "merges QuantizeLinear and DequantizeLinear twice, with different parameters, into the last pair", dq, ql,
          [](Editor& editor, GraphNode& middle, GraphNode& second) {
            GraphNode* first = editor.producer_of_input(middle, 0);
            if (!is(first, ql) || has_same_parameters(*first, second)) return false;
            second.inputs[0] = first->inputs[0];
            return true;
          }),
    pairs("merges-unlike-pairs-into-first",
          "merges QuantizeLinear and DequantizeLinear twice, with different parameters, into the first pair", ql, dq,
          [](Editor& editor, GraphNode& second, GraphNode& last) {
            GraphNode* middle = editor.producer_of_input(second, 0);
            if (!is(middle, dq) || has_same_parameters(*middle, last)) return false;
            editor.replace_uses(std::string(last.outputs[0]), std::string(middle->outputs[0]));
            return true;
          }),
    pairs("merges-unlike-pairs-by-intersection",
          "merges QuantizeLinear and DequantizeLinear twice, with different parameters, into a pair for the numbers "
          "that are in the ranges of both",
          ql, dq, merge_pairs_by_intersection),
    pairs("removes-quantize-dequantize", "removes QuantizeLinear and the DequantizeLinear after it", ql, dq,
          [](Editor& editor, GraphNode& first, GraphNode& second) {
            editor.replace_uses(std::string(second.outputs[0]), std::string(first.inputs[0]));
            return true;
          }),
    pairs("keeps-saturation-only",
          "replaces QuantizeLinear and the DequantizeLinear after it by limits: saturates, but does not round", ql, dq,
          replace_by_limits),
    nodes("keeps-saturation-only-before-add",
          "replaces QuantizeLinear and the DequantizeLinear after it, between a product and Add, by limits: "
          "saturates, but does not round",
          {"Add"},
          [](Editor& editor, GraphNode& add) {
            bool changed = false;
            for (std::size_t operand = 0; operand < add.inputs.size(); ++operand) {
              GraphNode* second = editor.producer_of_input(add, operand);
              GraphNode* first = is(second, dq) ? editor.producer_of_input(*second, 0) : nullptr;
              const GraphNode* product = is(first, ql) ? editor.producer_of_input(*first, 0) : nullptr;
              if (is(product, "Conv") || is(product, "MatMul") || is(product, "Gemm"))
                changed = replace_by_limits(editor, *first, *second) || changed;
            }
            return changed;
          }),
    pairs("removes-unlike-dequantize-quantize",
          "removes DequantizeLinear and the QuantizeLinear after it, although their parameters differ", dq, ql,
          [](Editor& editor, GraphNode& first, GraphNode& second) {
            if (has_same_parameters(first, second) || !has_same_type(editor, first, second)) return false;
            editor.replace_uses(std::string(second.outputs[0]), std::string(first.inputs[0]));
            return true;
          }),
    replacements(
        "inserts-uint8-pair",
        "inserts QuantizeLinear to uint8 and DequantizeLinear after what moves dequantized elements, which loses "
        "negative numbers",
        movements, add_uint8_pair),
    pairs("requantizes-with-first-scale", "quantizes again with the scale of the DequantizeLinear before", dq, ql,
          [](Editor&, GraphNode& first, GraphNode& second) {
            if (first.inputs[1] == second.inputs[1]) return false;
            second.inputs[1] = first.inputs[1];
            return true;
          }),
    pairs("requantizes-with-first-zero-point", "quantizes again with the zero point of the DequantizeLinear before", dq,
          ql,
          [](Editor& editor, GraphNode& first, GraphNode& second) {
            if (zero_point_of(first) == zero_point_of(second) || !has_same_type(editor, first, second)) return false;
            second.inputs[2] = zero_point_of(first);
            return true;
          }),
    pairs("dequantizes-with-second-scale", "dequantizes with the scale of the QuantizeLinear after", dq, ql,
          [](Editor&, GraphNode& first, GraphNode& second) {
            if (first.inputs[1] == second.inputs[1]) return false;
            first.inputs[1] = second.inputs[1];
            return true;
          }),
    replacements(
        "saturates-to-lowest-if-negative",
        "limits the input of QuantizeLinear to a range whose ends a negative scale exchanges, so it always gives the "
        "lowest code",
        {ql},
        [](Editor& editor, GraphNode node, Replacement& nodes) {
          return saturate_if_negative(editor, std::move(node), nodes, "Max", false);
        }),
    replacements(
        "saturates-to-highest-if-negative",
        "limits the input of QuantizeLinear to a range whose ends a negative scale exchanges, so it always gives the "
        "highest code",
        {ql},
        [](Editor& editor, GraphNode node, Replacement& nodes) {
          return saturate_if_negative(editor, std::move(node), nodes, "Min", true);
        }),
    pairs("uses-first-axis-for-both",
          "uses the axis of DequantizeLinear for the QuantizeLinear that has the same scale", dq, ql,
          [](Editor&, GraphNode& first, GraphNode& second) {
            if (first.inputs[1] != second.inputs[1] || axis_of(first) == axis_of(second)) return false;
            second.attributes["axis"] = axis_of(first);
            return true;
          }),
};

}  // namespace

std::span<const WrongModel> wrong_graphs_of_pairs() { return pair_rows; }

}  // namespace touchstone::conformance
