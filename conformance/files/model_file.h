// Reads model.onnx: one QuantizeLinear or DequantizeLinear node with Constant nodes for its operands, or a graph of
// them and other operators.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/file_error.h"
#include "conformance/files/names.h"
#include "reference/model/graph.h"

namespace onnx {
class ModelProto;
}  // namespace onnx

namespace touchstone::conformance {

struct OperatorModel {
  std::string bytes;  ///< the serialized onnx.ModelProto, as backends receive it

  /// Null if the model is one node.
  std::shared_ptr<const reference::GraphModel> graph = {};
  /// The node. Inputs that are constant in the model hold their tensor; the others are absent until bound. For a graph,
  /// the operator and the opset of its first quantization operator, with the inputs of the graph. If there is none, its
  /// operator means nothing, and its opset is that of ai.onnx.
  Node node;
  std::vector<std::string> node_inputs;  ///< names; empty if the optional input is absent
  /// Names of those with data. An initializer that is also a graph input is a default value in ONNX: a caller may give
  /// another one. It is a constant here unless the caller does, see parse_model.
  std::vector<std::string> graph_inputs;
  std::vector<std::string> graph_outputs;  ///< names; without a graph, only the node's output
};

/// Parses a serialized onnx.ModelProto. `origin` (a path) is used in every error message. `given` is the number of
/// inputs that the caller gives: those without a default value, or, if these are fewer, the first ones of all.
/// The opset can be any number. The interpreter decides whether the operator exists in it, and whether the inputs and
/// attributes are valid.
/// Throws FileError if the bytes are not a model; for no quantization operator, unless other operators of ai.onnx give
/// a quantized output; for no import of its domain; and for the reasons of to_graph_model. If the model is another
/// single node, also for a domain or an operator that Touchstone does not know, for another number of outputs than one,
/// and for an invalid Constant node.
OperatorModel parse_model(std::string bytes, const std::string& origin, std::size_t given = 0);

/// The same for a message that is parsed already. `bytes` stay empty. `numbers` are those of to_graph_model.
OperatorModel parse_model(const onnx::ModelProto& proto, const std::string& origin,
                          std::span<const std::size_t> numbers = {});

/// The graph of any model, also without a quantization operator. Throws FileError for the reasons of to_graph_model.
reference::GraphModel parse_graph(std::string_view bytes, const std::string& origin, std::size_t given = 0);

/// The model with what the graph of another one permits, of which it is a changed copy; see GraphModel.
OperatorModel permitting_as(const OperatorModel& other, OperatorModel model);

/// Whether the type is one that quantization gives. 32-bit integers are indices and biases.
bool is_quantized(ElementType type);

/// Reads a file and calls parse_model. Throws FileError also if the file cannot be read or exceeds the limits.
OperatorModel read_model_file(const std::filesystem::path& path, std::size_t given = 0);

}  // namespace touchstone::conformance
