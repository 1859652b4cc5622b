// Selects few inputs that reveal many defects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace touchstone::conformance {

/// An input, and the defects for which its result is wrong: one bit for each.
struct RevealingInput {
  std::uint64_t code;
  std::uint64_t reveals;
};

/// The union of the defects that the inputs reveal.
std::uint64_t all_revealed(const std::vector<RevealingInput>& inputs);

/// `count` selections, of different inputs if possible. Each selection reveals all defects that any input reveals.
std::vector<std::vector<std::uint64_t>> find_covers(std::vector<RevealingInput> inputs, std::size_t count);

}  // namespace touchstone::conformance
