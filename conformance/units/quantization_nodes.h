// The nodes of a user's model, also in branches of If nodes and bodies of Loop and Scan nodes, each as a model of its
// own.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "conformance/units/user_model.h"

namespace onnx {
class GraphProto;
class ModelProto;
class NodeProto;
}  // namespace onnx

namespace touchstone::conformance {

class ValueScope;

class ModelNode {
 public:
  ModelNode(const onnx::NodeProto& node, std::size_t index, const ValueScope& scope)
      : node_(node), index_(index), scope_(scope) {}

  const onnx::NodeProto& proto() const { return node_; }
  /// In its graph.
  std::size_t index() const { return index_; }
  /// Where its graph is: "then_branch of node 3 If"; of nested graphs, the inner one first. Empty for the main graph.
  const std::string& place() const;
  /// The type and the shape of a value that the node reads.
  std::optional<ValueForm> form_of(const std::string& value) const;
  bool is_constant(const std::string& value) const;
  /// The node as a model. Its inputs that are constant are initializers or Constant nodes, the others are
  /// inputs of the model. Its outputs have no types. Reads external data. Throws FileError for an input of unknown type
  /// or shape, and as UserModel::with_data does.
  onnx::ModelProto model() const;

 private:
  const onnx::NodeProto& node_;
  std::size_t index_;
  const ValueScope& scope_;
};

/// Calls `visit` for each node of the model, in the order of its graphs: first all of the main graph.
void for_each_node(const UserModel& model, const std::function<void(const ModelNode&)>& visit);

/// Why nodes of UserModel::proto().functions() are neither run nor examined.
inline constexpr const char* function_left_out =
    "in a function that no node calls, or that ONNX cannot convert to the opset of the model";

/// Whether it is a QuantizeLinear or DequantizeLinear node of a domain that Touchstone knows.
bool is_quantization(const onnx::NodeProto& node);

/// Whether the node has a branch or body.
bool has_inner_graph(const onnx::NodeProto& node);

/// Calls `visit` for each graph that is an attribute of the node, with the name of the attribute.
void for_each_inner_graph(const onnx::NodeProto& node,
                          const std::function<void(const onnx::GraphProto&, const std::string&)>& visit);

}  // namespace touchstone::conformance
