#include "conformance/graphs/patterns.h"

#include <vector>

namespace touchstone::conformance {

std::span<const Pattern> patterns() {
  static const std::vector<Pattern> all = [] {
    std::vector<Pattern> rows;
    for (const auto group : {pair_patterns, movement_patterns, selection_patterns, function_patterns, product_patterns,
                             convolution_patterns, nested_patterns})
      rows.insert(rows.end(), group().begin(), group().end());
    return rows;
  }();
  return all;
}

}  // namespace touchstone::conformance
