// The operators that may stand between quantization operators in a graph. Each version whose meaning differs has a
// function, to be read next to that version's page.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "reference/graph/bounds.h"
#include "reference/graph/operator_call.h"
#include "reference/model/tensor.h"

namespace touchstone::reference {

using Tensors = std::vector<Tensor>;

struct OperatorFunction {
  std::string_view name;
  int since_version;  ///< of ai.onnx; the function is that of all versions before the next row of the same operator
  /// The outputs. Throws GraphError if the node is invalid, or if it needs what is not supported. Null if only bounds
  /// are known.
  Tensors (*compute)(OperatorCall& call);
  /// What the function does, in the words of that version's page.
  std::string_view sentence;
  /// The bounds of the outputs for those of the inputs, where the arithmetic rounds; null if there are none.
  BoundedTensors (*bound)(OperatorCall& call) = nullptr;
  /// Whether the operator is monotone in every element of each input, and gives one of them.
  bool is_monotone = false;
};

// Operators that move elements; that move them to or from given places; that select among elements; that compute sums
// and products; that are activation functions; that reduce or normalize; and that change types.
std::span<const OperatorFunction> movement_operators();
std::span<const OperatorFunction> indexing_operators();
std::span<const OperatorFunction> selection_operators();
std::span<const OperatorFunction> arithmetic_operators();
std::span<const OperatorFunction> activation_operators();
std::span<const OperatorFunction> normalization_operators();
std::span<const OperatorFunction> conversion_operators();

/// All of them.
std::vector<OperatorFunction> graph_operators();

/// Whether the operator only moves elements.
bool is_movement(const OperatorFunction& function);

/// The function of an operator of ai.onnx in an opset, or null.
const OperatorFunction* find_operator_function(std::string_view name, int opset);

}  // namespace touchstone::reference
