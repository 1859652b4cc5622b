// The bank of wrong models: ways to get the operators wrong, each with a name and a computation. A wrong model is a
// hypothesis that may explain a failure, and a backend that the suite must find.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/diagnose/steps.h"
#include "conformance/files/names.h"
#include "conformance/judge/alternatives.h"
#include "reference/model/graph.h"

namespace touchstone::conformance {

enum class WrongModelGroup : std::uint8_t {
  rounding,
  arithmetic,
  range,
  zero_point,
  scale,
  axis_and_blocks,
  packing,
  small_floats,
  attributes,
  specials,
  position,
  graphs,         ///< what optimizers do to graphs
  other_reading,  ///< a rejected reading of the register that the bank has no row for
};

constexpr std::string_view name(WrongModelGroup group) {
  constexpr std::array<std::string_view, 13> names{
      "rounding",     "arithmetic", "range",    "zero point", "scale",  "axis and blocks", "packing",
      "small floats", "attributes", "specials", "position",   "graphs", "other reading"};
  return names[static_cast<std::size_t>(group)];
}

/// The operands of a node.
using Inputs = std::vector<std::optional<Tensor>>;

/// The run of a model for which a node is computed.
struct ModelRun {
  std::size_t index;    ///< 0 for the first run of a model
  const Inputs& first;  ///< the operands of the first run
};

/// An element of y.
struct Place {
  const Node& node;
  const Tensor& y;  ///< only its type and shape count
  std::int64_t element;
  std::size_t run;
};

class Editor;       // graph_editor.h
class Replacement;  // graph_editor.h

/// A change of graphs: of each node that matches, or of the graph as a whole. A function that changes returns false if
/// it left everything unchanged.
struct GraphChange {
  std::array<std::string_view, 21> ops = {};  ///< of the nodes
  std::string_view before = {};               ///< the operator that gives the operand; empty: any
  std::size_t operand = 0;

  // One of these is not null.
  bool (*node)(Editor& editor, reference::GraphNode& node) = nullptr;
  bool (*of_operand)(Editor& editor, reference::GraphNode& before) = nullptr;
  bool (*pair)(Editor& editor, reference::GraphNode& before, reference::GraphNode& node) = nullptr;
  /// Puts other nodes in the place of the node, of which it gets a copy.
  bool (*replace)(Editor& editor, reference::GraphNode node, Replacement& nodes) = nullptr;
  bool (*whole)(reference::GraphModel& model) = nullptr;

  bool operator()(reference::GraphModel& model) const;
  friend constexpr bool operator==(const GraphChange& change, std::nullptr_t) {
    return change.ops[0].empty() && change.whole == nullptr;
  }
};

/// A computation is the reference's, or the formula's, except for what a model changes. Changes of several models can
/// be combined.
struct WrongModel {
  std::string_view name;  ///< kebab-case, never reused
  WrongModelGroup group;
  std::string_view sentence;  ///< what such an implementation does: a predicate in the third person

  /// The clauses that it may violate, if they are not those of the group; the first empty one ends the list.
  std::array<std::string_view, 4> clauses = {};

  /// The model follows this rejected reading of the register.
  std::optional<Choice> reading = std::nullopt;
  /// Changes the node before it is computed. Returns false if it left the node unchanged.
  bool (*before)(Node& node, const ModelRun& run) = nullptr;
  /// Changes steps of the formula, only for the elements for which `where` holds. Does not apply to opmx.
  void (*steps)(Steps& steps) = nullptr;
  bool (*where)(const Place& place) = nullptr;
  /// Changes a graph before it is computed. Only for graphs, and without the changes above, which are for nodes.
  GraphChange graph = {};
  /// The element of the right y that is written as this element; -1 for none, which leaves 0.
  std::int64_t (*source)(const Place& place) = nullptr;

  /// The same model with clauses of its own.
  constexpr WrongModel with_clauses(auto... ids) const {
    WrongModel model = *this;
    model.clauses = {ids...};
    return model;
  }
};

/// The wrong models of nodes.
std::span<const WrongModel> wrong_models();

/// The wrong models of graphs.
std::span<const WrongModel> wrong_graphs();

/// The clauses that such an implementation may violate. Which of them it violates depends on the case.
std::span<const std::string_view> clauses_of(const WrongModel& model);

/// The model of nodes or of graphs with this name, or null.
const WrongModel* find_wrong_model(std::string_view name);

}  // namespace touchstone::conformance
