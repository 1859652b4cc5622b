// Choosing few inputs that tell many defects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace touchstone::conformance {

/// An input, and the defects of which it gives another result than is right: a bit for each.
struct TellingInput {
  std::uint64_t code;
  std::uint64_t tells;
};

/// All that any of them tells.
std::uint64_t all_that_is_told(const std::vector<TellingInput>& inputs);

/// So many selections, as far as possible of different inputs; each tells all that any input does.
std::vector<std::vector<std::uint64_t>> covers(std::vector<TellingInput> inputs, std::size_t count);

}  // namespace touchstone::conformance
