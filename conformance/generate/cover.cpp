#include "conformance/generate/cover.h"

#include <algorithm>
#include <bit>
#include <queue>
#include <unordered_map>

namespace touchstone::conformance {

std::uint64_t all_revealed(const std::vector<RevealingInput>& inputs) {
  std::uint64_t all = 0;
  for (const RevealingInput& input : inputs) all |= input.reveals;
  return all;
}

std::vector<Codes> find_covers(std::vector<RevealingInput> inputs, std::size_t count) {
  const std::uint64_t all = all_revealed(inputs);
  std::vector<Codes> found;
  if (all == 0) return found;
  std::size_t used = 0;  // the first ones were chosen before
  while (found.size() < count) {
    Codes cover;
    for (std::uint64_t open = all; open != 0;) {
      const auto gain = [&](const RevealingInput& input) { return std::popcount(input.reveals & open); };
      const auto less = [&](const RevealingInput& a, const RevealingInput& b) { return gain(a) < gain(b); };
      const auto unused = inputs.begin() + static_cast<std::ptrdiff_t>(used);
      auto best = std::max_element(unused, inputs.end(), less);
      if (best == inputs.end() || gain(*best) == 0) best = std::max_element(inputs.begin(), unused, less);
      cover.push_back(static_cast<std::uint32_t>(best->code));
      open &= ~best->reveals;
      if (best >= unused) std::iter_swap(best, inputs.begin() + static_cast<std::ptrdiff_t>(used++));
    }
    cover.shrink_to_fit();
    found.push_back(std::move(cover));
  }
  return found;
}

namespace {

/// A dimension and its value, twice, as one number: dimensions have 8 bits, and values 16.
using Pair = std::uint64_t;

std::vector<Pair> pairs_of(const std::vector<int>& row) {
  const auto valued = [&](std::size_t dimension) {
    return dimension << 16 | static_cast<std::uint16_t>(row[dimension]);
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < row.size(); ++i)
    for (std::size_t j = i + 1; j < row.size(); ++j) pairs.push_back(valued(i) << 24 | valued(j));
  return pairs;
}

std::vector<int> values_of(const Cell& cell) {
  const auto type = [](ElementType element) { return static_cast<int>(element); };
  return {type(cell.x),
          type(cell.scale),
          type(cell.y),
          static_cast<int>(cell.granularity),
          cell.zero_point ? type(*cell.zero_point) : 0,
          cell.saturate ? (*cell.saturate ? 2 : 1) : 0,
          cell.precision ? type(*cell.precision) : 0};
}

/// Numbers of the values, or pairs of values, of a row.
using Features = std::vector<std::size_t>;

/// Greedily selects rows so that every feature of a row is in a selected one.
std::vector<std::size_t> covering_features(const std::vector<Features>& rows, std::size_t count) {
  std::vector<bool> open(count, true);
  const auto gain = [&](std::size_t row) {
    return std::ranges::count_if(rows[row], [&](std::size_t feature) { return open[feature]; });
  };
  // The gain of a row only falls, so a row whose gain is still the largest of all known gains is the best. Of equal
  // ones, it is the first.
  using Candidate = std::pair<std::ptrdiff_t, std::ptrdiff_t>;  // the known gain, and the negative position
  std::priority_queue<Candidate> candidates;
  for (std::size_t i = 0; i < rows.size(); ++i) candidates.emplace(gain(i), -static_cast<std::ptrdiff_t>(i));
  std::vector<std::size_t> chosen;
  while (!candidates.empty()) {
    const Candidate best = candidates.top();
    candidates.pop();
    const auto row = static_cast<std::size_t>(-best.second);
    const Candidate now{gain(row), best.second};
    if (now.first == 0) continue;
    if (!candidates.empty() && now < candidates.top()) {
      candidates.push(now);
      continue;
    }
    chosen.push_back(row);
    for (const std::size_t feature : rows[row]) open[feature] = false;
  }
  return chosen;
}

}  // namespace

std::vector<std::size_t> covering_rows(const std::vector<std::vector<int>>& rows) {
  std::unordered_map<Pair, std::size_t> numbers;
  std::vector<Features> pairs;
  for (const std::vector<int>& row : rows) {
    pairs.emplace_back();
    for (const Pair& pair : pairs_of(row))
      pairs.back().push_back(numbers.try_emplace(pair, numbers.size()).first->second);
  }
  return covering_features(pairs, numbers.size());
}

std::vector<Cell> covering_array(const std::vector<Cell>& cells) {
  std::vector<std::vector<int>> rows;
  for (const Cell& cell : cells) rows.push_back(values_of(cell));
  std::vector<Cell> chosen;
  for (const std::size_t place : covering_rows(rows)) chosen.push_back(cells[place]);
  return chosen;
}

}  // namespace touchstone::conformance
