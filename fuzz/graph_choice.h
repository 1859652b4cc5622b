// The first bytes of an input of graph_differential, which its seeds share.
#pragma once

#include <cstdint>

namespace touchstone::fuzz {

/// Positions in patterns() and all_graph_parameters(), modulo their sizes.
struct GraphChoice {
  std::uint32_t pattern;
  std::uint32_t parameters;
};

}  // namespace touchstone::fuzz
