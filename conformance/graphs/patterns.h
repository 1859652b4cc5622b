// The patterns: small graphs around the quantization operators that an optimizer may rewrite wrongly.
#pragma once

#include <span>
#include <string_view>

#include "conformance/graphs/graph_builder.h"
#include "conformance/graphs/graph_parameters.h"

namespace touchstone::conformance {

struct Pattern {
  std::string_view name;                           ///< in the ids of its cases
  std::string_view sentence;                       ///< what the graph is
  std::string_view wrong_rewrite;                  ///< what an optimizer may do to it: "merges the pairs into one"
  bool (*has)(const GraphParameters& parameters);  ///< whether the pattern has cases with these parameters
  void (*build)(GraphBuilder& graph);
  /// Whether a permitted reading rejects the graph with these parameters.
  bool (*is_disputed)(const GraphParameters& parameters) = [](const GraphParameters& p) { return p.is_negative(); };
};

std::span<const Pattern> pair_patterns();         ///< pairs of quantization operators, and what they share
std::span<const Pattern> movement_patterns();     ///< with operators that move elements
std::span<const Pattern> selection_patterns();    ///< with operators that choose among elements, or resize
std::span<const Pattern> function_patterns();     ///< with functions of each element, averages and the like
std::span<const Pattern> product_patterns();      ///< with sums and products
std::span<const Pattern> convolution_patterns();  ///< with sums and products of windows
std::span<const Pattern> nested_patterns();       ///< in branches, loops and functions

/// All of them.
std::span<const Pattern> patterns();

}  // namespace touchstone::conformance
