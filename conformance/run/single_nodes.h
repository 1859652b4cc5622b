// Single nodes: the nodes of a graph between its quantization operators, each in a model of its own. A backend that
// refuses one of these models refuses the graph because of that operator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/files/case.h"
#include "conformance/files/tensor_file.h"

namespace touchstone::conformance {

struct SingleNode {
  std::string name;                      ///< see is_operator_of_types
  int opset;                             ///< of ai.onnx
  std::string model = {};                ///< a serialized onnx.ModelProto
  std::vector<NamedTensor> inputs = {};  ///< in the order of the graph's inputs
  std::uint64_t digest = 0;              ///< of the operator, its attributes, and the types and shapes of its operands
};

/// The nodes of a graph, in its order and without its Constant nodes. Branches of If nodes, and functions, are left
/// out. Inputs have the values that the reference computes. Constants of the graph stay constant. Empty for a single
/// node.
std::vector<SingleNode> single_nodes(const Case& tested);

/// The simplest model of an opset of ai.onnx: a backend that refuses it does not support the opset, or this type.
SingleNode identity_node(int opset, const Tensor& value = Tensor(ElementType::float32, {2}));

/// Whether the text is the name of an operator between quantization operators, with the types of its operands and
/// outputs: "Reshape of float8e4m3fn", "Cast of float and float16". Shapes, indices and conditions are left out.
bool is_operator_of_types(const std::string& text);

}  // namespace touchstone::conformance
