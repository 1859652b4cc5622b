// Choosing few inputs that tell many defects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace touchstone::conformance {

/// An input, and the defects of which it gives another result than is right: a bit for each.
struct RevealingInput {
  std::uint64_t code;
  std::uint64_t reveals;
};

/// All that any of them tells.
std::uint64_t all_revealed(const std::vector<RevealingInput>& inputs);

/// So many selections, as far as possible of different inputs; each tells all that any input does.
std::vector<std::vector<std::uint64_t>> find_covers(std::vector<RevealingInput> inputs, std::size_t count);

}  // namespace touchstone::conformance
