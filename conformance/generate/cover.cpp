#include "conformance/generate/cover.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <tuple>

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

namespace {

using Values = std::array<int, 7>;
using Pair = std::tuple<std::size_t, int, std::size_t, int>;  // a dimension and its value, twice

Values values_of(const Cell& cell) {
  const auto type = [](spec::ElementType element) { return static_cast<int>(element); };
  return {type(cell.x),
          type(cell.scale),
          type(cell.y),
          static_cast<int>(cell.granularity),
          cell.zero_point ? type(*cell.zero_point) : 0,
          cell.saturate ? (*cell.saturate ? 2 : 1) : 0,
          cell.precision ? type(*cell.precision) : 0};
}

std::vector<Pair> pairs_of(const Cell& cell) {
  const Values values = values_of(cell);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i + 1; j < values.size(); ++j) pairs.emplace_back(i, values[i], j, values[j]);
  return pairs;
}

}  // namespace

std::vector<Cell> covering_array(const std::vector<Cell>& cells) {
  std::set<Pair> open;
  std::vector<std::vector<Pair>> pairs;
  for (const Cell& cell : cells) {
    pairs.push_back(pairs_of(cell));
    open.insert(pairs.back().begin(), pairs.back().end());
  }
  std::vector<Cell> chosen;
  while (!open.empty()) {
    const auto gain = [&](const std::vector<Pair>& row) {
      return std::count_if(row.begin(), row.end(), [&](const Pair& pair) { return open.contains(pair); });
    };
    std::size_t best = 0;
    std::ptrdiff_t best_gain = -1;
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (const auto gained = gain(pairs[i]); gained > best_gain) best = i, best_gain = gained;
    chosen.push_back(cells[best]);
    for (const Pair& pair : pairs[best]) open.erase(pair);
  }
  return chosen;
}

}  // namespace touchstone::conformance
