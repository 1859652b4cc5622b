// The reference for graphs: what the specification requires for the outputs of a model, under a policy.
#pragma once

#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "reference/graph/known_values.h"
#include "reference/known_outcomes.h"
#include "reference/model/graph.h"
#include "reference/outcome.h"
#include "reference/policy.h"

namespace touchstone::reference {

struct GraphOutcome : GraphNotes {
  /// The outputs in the order of the graph's outputs, or why a quantization operator in it is invalid.
  std::variant<std::vector<Output>, Rejection> value;

  const std::vector<Output>* outputs() const { return std::get_if<std::vector<Output>>(&value); }
  const Rejection* rejection() const { return std::get_if<Rejection>(&value); }
};

/// What several interpretations share, if they differ in few readings, inputs or nodes.
struct Known {
  KnownOutcomes* outcomes = nullptr;  ///< of quantization operators; or null
  KnownValues* values = nullptr;      ///< of all nodes; or null
};

/// Interprets the graph. `inputs` are in the order of the graph's inputs. Throws GraphError for an invalid graph, for
/// an operator that is not supported, and for a graph that takes too many steps; NoSuchOperator as for nodes.
GraphOutcome interpret(const GraphModel& model, std::span<const Tensor> inputs, const Policy& policy = {},
                       const Known& known = {});

/// The outcome of a node with a quantization operator.
using Quantize = std::function<Outcome(const Node& node)>;

/// The same with another implementation of the quantization operators. What it throws ends the interpretation. The
/// policy is that of all other operators, whose values may be known.
GraphOutcome interpret(const GraphModel& model, std::span<const Tensor> inputs, const Quantize& quantize,
                       const Policy& policy = {}, KnownValues* known = nullptr);

}  // namespace touchstone::reference
