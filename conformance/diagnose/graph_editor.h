// Finds and changes the nodes of a graph.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/diagnose/host_arithmetic.h"
#include "conformance/files/names.h"
#include "reference/model/graph.h"

namespace touchstone::conformance {

using reference::Graph;
using reference::GraphAttribute;
using reference::GraphModel;
using reference::GraphNode;

inline constexpr std::string_view ql = "QuantizeLinear", dq = "DequantizeLinear";

inline bool is(const GraphNode* node, std::string_view op) { return node != nullptr && node->op_type == op; }

inline constexpr std::array<std::string_view, 21> movements{
    "Identity",     "Reshape",      "Slice",          "Tile",      "Transpose", "Concat",          "Pad",
    "Split",        "Flatten",      "Squeeze",        "Unsqueeze", "Expand",    "Gather",          "MaxPool",
    "DepthToSpace", "SpaceToDepth", "GatherElements", "GatherND",  "Compress",  "ReverseSequence", "Dropout"};

inline bool is_movement(const GraphNode* node) {
  return node != nullptr && std::ranges::find(movements, node->op_type) != movements.end();
}

/// The nodes of a graph by what they define and use.
class Editor {
 public:
  explicit Editor(GraphModel& model) : model_(model), graph_(model.graph) {}

  /// The imported opset of ai.onnx; 0 for none.
  int opset() const {
    const auto imported = model_.opsets.find(std::string(spec::ai_onnx));
    return imported != model_.opsets.end() ? imported->second : 0;
  }

  std::vector<GraphNode>& nodes() { return graph_.nodes; }
  std::vector<std::string>& outputs() { return graph_.outputs; }

  /// The node that computes a value, or null.
  GraphNode* producer(const std::string& value) {
    for (GraphNode& node : graph_.nodes)
      if (std::ranges::find(node.outputs, value) != node.outputs.end()) return &node;
    return nullptr;
  }
  GraphNode* producer_of_input(const GraphNode& node, std::size_t input) {
    return input < node.inputs.size() && !node.inputs[input].empty() ? producer(node.inputs[input]) : nullptr;
  }

  /// The value of a constant: of an initializer or a Constant node; or null.
  Tensor* constant(const std::string& value) {
    if (const auto found = graph_.initializers.find(value); found != graph_.initializers.end()) return &found->second;
    GraphNode* node = producer(value);
    if (!is(node, "Constant")) return nullptr;
    auto* shared = std::get_if<std::shared_ptr<const Tensor>>(&node->attributes.at("value"));
    if (shared == nullptr) return nullptr;
    auto own = std::make_shared<Tensor>(**shared);
    *shared = own;
    return own.get();
  }

  /// Whether such a node takes the first output of the node as its first input.
  bool is_read_by(const GraphNode& node, std::string_view op) const {
    return std::ranges::any_of(graph_.nodes, [&](const GraphNode& reader) {
      return reader.op_type == op && reader.inputs[0] == node.outputs[0];
    });
  }

  bool is_graph_output(const std::string& value) const {
    return std::ranges::find(graph_.outputs, value) != graph_.outputs.end();
  }

  /// Readers and outputs of the graph take `other` instead of `value`. The definition stays.
  void replace_uses(const std::string& value, const std::string& other) {
    for (GraphNode& node : graph_.nodes)
      for (std::string& input : node.inputs)
        if (input == value) input = other;
    // An output of the graph keeps its name: the reader computes it from the other value.
    if (!is_graph_output(value)) return;
    GraphNode* node = producer(value);
    std::ranges::replace(node->outputs, value, value + "_unused");
    graph_.nodes.push_back({.op_type = "Identity", .inputs = {other}, .outputs = {value}});
  }

  /// Swaps a node with its only reader: the reader takes what the node takes, and the node what the reader gives.
  void swap_with_reader(GraphNode& node, GraphNode& reader) {
    const std::string input = node.inputs[0], between = node.outputs[0], output = reader.outputs[0];
    std::ranges::replace(reader.inputs, between, input);
    reader.outputs[0] = between;
    node.inputs[0] = between;
    node.outputs[0] = output;
    std::swap(node, reader);  // each node uses only values that are defined before it
  }

  /// The tensor as a new initializer.
  std::string add_constant(const Tensor& tensor) {
    const std::string name = "changed_" + std::to_string(graph_.initializers.size());
    graph_.initializers.emplace(name, tensor);
    return name;
  }

 private:
  const GraphModel& model_;
  Graph& graph_;
};

/// Nodes that take the place of another one.
class Replacement {
 public:
  explicit Replacement(std::string output) : output_(std::move(output)) {}

  /// Adds a node, and returns the name of its output.
  std::string add(std::string_view op, std::vector<std::string> inputs,
                  std::map<std::string, GraphAttribute> attributes = {}) {
    nodes_.push_back({.op_type = std::string(op),
                      .inputs = std::move(inputs),
                      .outputs = {output_ + "_" + std::to_string(nodes_.size())},
                      .attributes = std::move(attributes)});
    return nodes_.back().outputs[0];
  }
  void add(GraphNode node) { nodes_.push_back(std::move(node)); }

  /// Replaces the node at this place. The last new node gives its output. Returns the place of that one.
  std::size_t put(Editor& editor, std::size_t place) {
    nodes_.back().outputs[0] = output_;
    const auto at = editor.nodes().erase(editor.nodes().begin() + static_cast<std::ptrdiff_t>(place));
    editor.nodes().insert(at, nodes_.begin(), nodes_.end());
    return place + nodes_.size() - 1;
  }

 private:
  std::string output_;
  std::vector<GraphNode> nodes_;
};

inline std::string zero_point_of(const GraphNode& node) {
  return node.inputs.size() > 2 ? node.inputs[2] : std::string();
}

/// Whether two quantization operators have the same parameters, as far as names tell.
inline bool has_same_parameters(const GraphNode& one, const GraphNode& other) {
  return one.inputs[1] == other.inputs[1] && zero_point_of(one) == zero_point_of(other);
}

inline bool has_same_type(Editor& editor, const GraphNode& one, const GraphNode& other) {
  const Tensor* left = editor.constant(zero_point_of(one));
  const Tensor* right = editor.constant(zero_point_of(other));
  return left != nullptr && right != nullptr && left->type() == right->type();
}

inline std::string number(Editor& editor, double value) {
  const std::array codes{host::encode(ElementType::float32, value)};
  return editor.add_constant(Tensor::from_codes(ElementType::float32, {}, codes));
}

/// The number that is the only element of a constant float32 scale.
inline std::optional<float> scale_of(Editor& editor, const GraphNode& node) {
  const Tensor* scale = editor.constant(node.inputs[1]);
  if (scale == nullptr || scale->size() != 1 || scale->type() != ElementType::float32) return std::nullopt;
  return static_cast<float>(host::decode(scale->type(), scale->code(0)));
}

/// The value of an attribute, or null if it is absent or has another type.
template <class T>
T* attribute(GraphNode& node, const char* name) {
  const auto found = node.attributes.find(name);
  return found != node.attributes.end() ? std::get_if<T>(&found->second) : nullptr;
}

inline std::int64_t axis_of(GraphNode& node) {
  const auto* axis = attribute<std::int64_t>(node, "axis");
  return axis != nullptr ? *axis : 1;
}

/// Gives the node another scale, made from its own.
template <class Make>
bool change_scale(Editor& editor, GraphNode& node, const Make& make) {
  const Tensor* scale = editor.constant(node.inputs[1]);
  if (scale == nullptr || scale->size() < 2) return false;
  Tensor changed = *scale;
  for (std::int64_t i = 0; i < scale->size(); ++i) changed.set_code(i, scale->code(make(i, scale->size())));
  node.inputs[1] = editor.add_constant(changed);
  return true;
}

inline std::int64_t first_of(std::int64_t, std::int64_t) { return 0; }
inline std::int64_t reversed(std::int64_t index, std::int64_t size) { return size - 1 - index; }

inline bool forget_zero_point(Editor&, GraphNode& dequantize) {
  if (dequantize.inputs.size() < 3) return false;
  dequantize.inputs.resize(2);
  return true;
}

inline bool remove_node(Editor& editor, const GraphNode& node) {
  editor.replace_uses(std::string(node.outputs[0]), std::string(node.inputs[0]));
  return true;
}

}  // namespace touchstone::conformance
