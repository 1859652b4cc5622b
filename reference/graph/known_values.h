// Values of nodes, kept for several interpretations of graphs that have most nodes in common.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "reference/graph/named_value.h"
#include "reference/model/graph.h"
#include "reference/policy.h"
#include "spec/ambiguities.h"
#include "spec/clauses.h"

namespace touchstone::reference {

/// What the interpretation of nodes shows besides their values.
struct GraphNotes {
  /// See Outcome.
  std::bitset<spec::clauses.size()> cited = {};
  std::bitset<spec::ambiguities.size()> consulted = {};
  std::vector<std::size_t> order = {};
  /// The first reason why another implementation may get other bits in what is not a quantization operator: rounding,
  /// the order of a sum, or a question that the page of the operator leaves open; or that a node uses an element that
  /// is unspecified. Outputs then have ranges, unless `unbounded`.
  std::optional<std::string> inexact = std::nullopt;
  /// The first of these reasons for which there are no bounds. Such outputs prove nothing.
  std::optional<std::string> unbounded = std::nullopt;
  /// The specification leaves elements open that have bounds. What depends on them has none.
  bool leaves_open = false;

  void add(const GraphNotes& later);
  void add_consulted(const std::vector<std::size_t>& ambiguities);
};

/// A node has the values and notes of an earlier one with the same operator, attributes, inputs and outputs, under a
/// policy with the same readings of FactorPrecision and of all ambiguities that the earlier one consulted, if both have
/// monotone quantization or neither has. Forgets what was not used for the longest time.
class KnownValues {
 public:
  struct Key {
    GraphNode node;
    int opset;
    std::vector<std::optional<NamedValue>> inputs;
    double further_roundings = 0;  ///< because of other nodes

    bool operator==(const Key&) const = default;
  };

  struct Entry {
    Key key;
    Policy policy;
    std::vector<NamedValue> values;
    GraphNotes notes;
  };

  /// The most elements of inputs and values that are kept.
  static constexpr std::int64_t most_elements = std::int64_t{1} << 21;

  /// Null if there are none. Valid until the next keep().
  const Entry* find(const Key& key, const Policy& policy);
  void keep(Entry entry);

 private:
  std::list<Entry> entries_;   ///< the last used first
  std::int64_t elements_ = 0;  ///< of all inputs and values
};

}  // namespace touchstone::reference
