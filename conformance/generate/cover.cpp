#include "conformance/generate/cover.h"

#include <algorithm>
#include <bit>

namespace touchstone::conformance {

std::uint64_t all_that_is_told(const std::vector<TellingInput>& inputs) {
  std::uint64_t all = 0;
  for (const TellingInput& input : inputs) all |= input.tells;
  return all;
}

std::vector<std::vector<std::uint64_t>> covers(std::vector<TellingInput> inputs, std::size_t count) {
  const std::uint64_t all = all_that_is_told(inputs);
  std::vector<std::vector<std::uint64_t>> found;
  if (all == 0) return found;
  std::size_t used = 0;  // those at the front were chosen before
  while (found.size() < count) {
    std::vector<std::uint64_t> cover;
    for (std::uint64_t open = all; open != 0;) {
      const auto gain = [&](const TellingInput& input) { return std::popcount(input.tells & open); };
      const auto less = [&](const TellingInput& a, const TellingInput& b) { return gain(a) < gain(b); };
      const auto unused = inputs.begin() + static_cast<std::ptrdiff_t>(used);
      auto best = std::max_element(unused, inputs.end(), less);
      if (best == inputs.end() || gain(*best) == 0) best = std::max_element(inputs.begin(), unused, less);
      cover.push_back(best->code);
      open &= ~best->tells;
      if (best >= unused) std::iter_swap(best, inputs.begin() + static_cast<std::ptrdiff_t>(used++));
    }
    found.push_back(std::move(cover));
  }
  return found;
}

}  // namespace touchstone::conformance
