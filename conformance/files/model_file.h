// Reads model.onnx: a graph of one QuantizeLinear or DequantizeLinear node, and Constant nodes for its operands.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "conformance/files/file_error.h"
#include "reference/model/node.h"
#include "reference/model/tensor.h"

namespace touchstone::conformance {

struct OperatorModel {
  std::string bytes;  ///< the serialized onnx.ModelProto, as backends receive it

  /// The node. Inputs that are constant in the model hold their tensor; the others are absent until bound.
  reference::Node node;
  std::vector<std::string> node_inputs;  ///< names; empty if the optional input is absent
  /// Names, without those of initializers. An initializer that is also a graph input is a constant here. (IR 3 requires
  /// initializers to be graph inputs; since IR 4, callers may replace them, but here they do not.)
  std::vector<std::string> graph_inputs;
  std::vector<std::string> graph_outputs;  ///< names: only the node's output
};

/// Parses a serialized onnx.ModelProto. `origin` (a path) is used in every error message.
/// The opset can be any number. The interpreter decides whether the operator exists in it, and whether the inputs and
/// attributes are valid.
/// Throws FileError if the bytes are not a model; for no node, another operator, or more than one node besides Constant
/// nodes; for functions, training info, and sparse or external initializers; for a name that is defined twice, or an
/// input that is not defined before the node; for no or two imports of the node's domain; and for an inconsistent
/// attribute or tensor.
OperatorModel parse_model(std::string bytes, const std::string& origin);

/// Reads a file and calls parse_model. Throws FileError also if the file cannot be read or exceeds the limits.
OperatorModel read_model_file(const std::filesystem::path& path);

}  // namespace touchstone::conformance
