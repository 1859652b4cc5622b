// What people run: the graphs that such networks consist of.
#pragma once

#include <span>
#include <string_view>

#include "conformance/graphs/graph_parameters.h"

namespace touchstone::conformance {

struct Use {
  std::string_view name;  ///< in compact results
  /// Whether networks of this kind have graphs of this pattern, with these types.
  bool (*has)(std::string_view pattern, const GraphParameters& parameters);
};

std::span<const Use> uses();

}  // namespace touchstone::conformance
