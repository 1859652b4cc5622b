// model.onnx: a graph of one QuantizeLinear or DequantizeLinear node, and Constant nodes for its operands.
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
  std::string bytes;  ///< the serialized onnx.ModelProto, as it goes to a backend

  /// The node. Inputs that are constant in the model hold their tensor; the others are absent until bound.
  reference::Node node;
  std::vector<std::string> node_inputs;  ///< names; empty where the optional input is absent
  /// Names, without those of initializers: an initializer that is a graph input too (which IR 3 demands, and which
  /// from IR 4 on is a default that a caller may replace) is a constant here and never replaced.
  std::vector<std::string> graph_inputs;
  std::vector<std::string> graph_outputs;  ///< names: exactly one, the node's output
};

/// Parses a serialized onnx.ModelProto. `origin` (a path) is used in every error message.
/// The opset may be any number. The interpreter decides whether the operator exists in it, and whether the inputs and
/// attributes are valid.
/// Throws FileError: not a model; no node, more than one that is not Constant, or another operator; functions, training
/// info, a sparse or external initializer; a name that is defined twice, or an input that nothing before the node
/// provides; no import of the node's domain, or two; an attribute or a tensor that contradicts itself.
OperatorModel parse_model(std::string bytes, const std::string& origin);

/// parse_model of a file's content. Throws FileError also when the file cannot be read or exceeds the limits.
OperatorModel read_model_file(const std::filesystem::path& path);

}  // namespace touchstone::conformance
