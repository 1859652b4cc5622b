// Reads the graph of an onnx.ModelProto: nodes that are connected by names, branches of If, bodies of Loop and Scan,
// and model-local functions.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "conformance/files/file_error.h"
#include "reference/model/graph.h"

namespace onnx {
class ModelProto;
class NodeProto;
}  // namespace onnx

namespace touchstone::conformance {

/// The end of a message on a model that violates this clause, because its operator cannot be found.
inline constexpr const char* opset_resolution = " (onnx-opset-resolution)";

/// The name of a node in messages: node 0 ("Relu").
std::string node_name(std::size_t index, const std::string& op_type);

/// The same with its own name, or that of its first output: node 0 Relu r.
std::string node_label(std::size_t index, const onnx::NodeProto& node);

/// The graph of a model, ready for the interpreter. An initializer that is also a graph input is a constant here.
/// Sparse constants become dense. An attribute that the interpreter cannot use keeps only its type. `origin` (a path)
/// is used in every error message. `numbers` are the indices that labels of nodes have, if they are others than in this
/// graph. Throws FileError for no graph, too many nodes, training info, and external
/// initializers; for a name that is defined twice, and an input or an output that is not defined before it is used,
/// which includes cycles; for two imports of one domain; for functions of the same name, and functions that call
/// themselves; and for an inconsistent attribute or tensor.
reference::GraphModel to_graph_model(const onnx::ModelProto& model, const std::string& origin,
                                     std::span<const std::size_t> numbers = {});

}  // namespace touchstone::conformance
