// For tests of graphs: builds nodes and models, and runs them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reference/graph/graph_interpreter.h"
#include "reference/testing.h"

namespace touchstone::reference {

using GraphAttributes = std::map<std::string, GraphAttribute>;

inline GraphNode op(std::string type, std::vector<std::string> inputs, std::vector<std::string> outputs,
                    GraphAttributes attributes = {}) {
  return {.op_type = std::move(type),
          .inputs = std::move(inputs),
          .outputs = std::move(outputs),
          .attributes = std::move(attributes)};
}

/// A model with the input x and the outputs of its last node.
inline GraphModel model_of(std::vector<GraphNode> nodes, std::map<std::string, Tensor> initializers = {},
                           int opset = 21) {
  const std::vector<std::string> outputs = nodes.back().outputs;
  return {.graph = {.inputs = {"x"},
                    .initializers = std::move(initializers),
                    .nodes = std::move(nodes),
                    .outputs = outputs},
          .opsets = {{"ai.onnx", opset}}};
}

inline Tensor only_output(const GraphOutcome& outcome) {
  EXPECT_NE(outcome.outputs(), nullptr);
  EXPECT_EQ(outcome.inexact.value_or(""), "");
  return outcome.outputs()->at(0).value;
}

/// The first output, which must be exact.
inline Tensor run(const GraphModel& model, const Tensor& x) { return only_output(interpret(model, std::array{x})); }

/// Why the outputs may be others; empty if they are exact.
inline std::string inexactness(const GraphModel& model, const Tensor& x) {
  return interpret(model, std::array{x}).inexact.value_or("");
}

/// Why the interpreter does not execute the model.
inline std::string error_of(const GraphModel& model, const Tensor& x) {
  try {
    run(model, x);
    return "";
  } catch (const GraphError& thrown) {
    return thrown.what();
  }
}

MATCHER_P(holds, numbers, "") {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (decode(arg.type(), arg.code(static_cast<std::int64_t>(i))) != exact(numbers[i])) return false;
  return std::cmp_equal(arg.size(), numbers.size());
}

}  // namespace touchstone::reference
