// The reference for graphs: what the specification requires for the outputs of a model, under a policy.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "reference/graph/named_value.h"
#include "reference/known_outcomes.h"
#include "reference/model/graph.h"
#include "reference/outcome.h"
#include "reference/policy.h"

namespace touchstone::reference {

struct GraphOutcome {
  /// The outputs in the order of the graph's outputs, or why a quantization operator in it is invalid.
  std::variant<std::vector<Output>, Rejection> value;
  /// Of all nodes; see Outcome.
  std::bitset<spec::clauses.size()> cited = {};
  std::bitset<spec::ambiguities.size()> consulted = {};
  std::vector<std::size_t> order = {};
  /// The first reason why another implementation may get other bits in what is not a quantization operator: rounding,
  /// the order of a sum, or a question that the page of the operator leaves open; or that a node uses an element that
  /// is unspecified. Outputs then have ranges, unless `unbounded`.
  std::optional<std::string> inexact = std::nullopt;
  /// The first of these reasons for which there are no bounds. Such outputs prove nothing.
  std::optional<std::string> unbounded = std::nullopt;

  const std::vector<Output>* outputs() const { return std::get_if<std::vector<Output>>(&value); }
  const Rejection* rejection() const { return std::get_if<Rejection>(&value); }
};

/// Interprets the graph. `inputs` are in the order of the graph's inputs. Throws GraphError for an invalid graph, for
/// an operator that is not supported, and for a graph that takes too many steps; NoSuchOperator as for nodes. `known`:
/// of earlier interpretations of the graph, or null.
GraphOutcome interpret(const GraphModel& model, std::span<const Tensor> inputs, const Policy& policy = {},
                       KnownOutcomes* known = nullptr);

/// Outputs of nodes that several interpretations share, for graphs that differ in a few nodes: a node has the outputs
/// of an earlier one with the same operator, attributes, inputs and policy. What nodes note in a GraphOutcome besides
/// its value may be missing then. Of each output name, the first node is kept.
class SharedOutputs {
 public:
  struct Key {
    GraphNode node;
    int opset;
    Policy policy;
    std::vector<std::optional<NamedValue>> inputs;

    bool operator==(const Key&) const = default;
  };

  /// Null if there are none.
  const std::vector<NamedValue>* find(const Key& key) const;
  void keep(Key key, const std::vector<NamedValue>& outputs);

 private:
  struct Entry {
    Key key;
    std::vector<NamedValue> outputs;
  };

  std::map<std::string, Entry> entries_;
  std::int64_t elements_ = 0;  ///< of all outputs
};

/// The outcome of a node with a quantization operator.
using Quantize = std::function<Outcome(const Node& node)>;

/// The same with another implementation of the quantization operators. What it throws ends the interpretation. The
/// policy is that of all other operators. `shared`: of earlier interpretations, or null.
GraphOutcome interpret(const GraphModel& model, std::span<const Tensor> inputs, const Quantize& quantize,
                       const Policy& policy = {}, SharedOutputs* shared = nullptr);

}  // namespace touchstone::reference
