#include "conformance/generate/cover.h"

#include <algorithm>
#include <bit>

namespace touchstone::conformance {

std::uint64_t all_revealed(const std::vector<RevealingInput>& inputs) {
  std::uint64_t all = 0;
  for (const RevealingInput& input : inputs) all |= input.reveals;
  return all;
}

std::vector<std::vector<std::uint64_t>> find_covers(std::vector<RevealingInput> inputs, std::size_t count) {
  const std::uint64_t all = all_revealed(inputs);
  std::vector<std::vector<std::uint64_t>> found;
  if (all == 0) return found;
  std::size_t used = 0;  // the first ones were chosen before
  while (found.size() < count) {
    std::vector<std::uint64_t> cover;
    for (std::uint64_t open = all; open != 0;) {
      const auto gain = [&](const RevealingInput& input) { return std::popcount(input.reveals & open); };
      const auto less = [&](const RevealingInput& a, const RevealingInput& b) { return gain(a) < gain(b); };
      const auto unused = inputs.begin() + static_cast<std::ptrdiff_t>(used);
      auto best = std::max_element(unused, inputs.end(), less);
      if (best == inputs.end() || gain(*best) == 0) best = std::max_element(inputs.begin(), unused, less);
      cover.push_back(best->code);
      open &= ~best->reveals;
      if (best >= unused) std::iter_swap(best, inputs.begin() + static_cast<std::ptrdiff_t>(used++));
    }
    found.push_back(std::move(cover));
  }
  return found;
}

}  // namespace touchstone::conformance
