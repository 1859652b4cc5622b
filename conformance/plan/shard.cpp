#include "conformance/plan/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "conformance/plan/digest.h"

namespace touchstone::conformance {

namespace {

std::uint64_t hash_of(const PlannedCase& planned) { return Digest().add(planned.id).value(); }

/// Gives the longest case to the shard that has least to do, then the next one, and so on.
std::vector<std::size_t> deal_by(const Durations& durations, const std::vector<PlannedCase>& plan, std::size_t count) {
  std::vector<std::int64_t> times(plan.size(), -1);
  std::int64_t known = 0;
  std::int64_t total = 0;
  for (std::size_t i = 0; i < plan.size(); ++i)
    if (const auto row = durations.find(plan[i].id); row != durations.end()) {
      times[i] = row->second;
      total += row->second;
      ++known;
    }
  const std::int64_t average = known > 0 ? std::max<std::int64_t>(total / known, 1) : 1;
  std::ranges::replace(times, -1, average);

  std::vector<std::size_t> longest_first(plan.size());
  std::iota(longest_first.begin(), longest_first.end(), std::size_t{0});
  std::ranges::stable_sort(longest_first, std::greater(), [&](std::size_t place) { return times[place]; });
  using Load = std::pair<std::int64_t, std::size_t>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (std::size_t index = 1; index <= count; ++index) loads.emplace(0, index);
  std::vector<std::size_t> shards(plan.size());
  for (const std::size_t place : longest_first) {
    const auto [load, index] = loads.top();
    loads.pop();
    shards[place] = index;
    loads.emplace(load + times[place], index);
  }
  return shards;
}

}  // namespace

std::string to_string(const Shard& shard) { return fmt::format("{}/{}", shard.index, shard.count); }

std::optional<Shard> parse_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto number = [](std::string_view digits) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size() ? value : 0;
  };
  const Shard shard{number(text.substr(0, slash)), number(text.substr(slash + 1))};
  if (shard.index < 1 || shard.index > shard.count || shard.count > most_shards) return std::nullopt;
  return shard;
}

std::vector<std::size_t> identity_places(const std::vector<PlannedCase>& plan) {
  std::vector<std::pair<std::uint64_t, std::size_t>> hashes;
  for (std::size_t i = 0; i < plan.size(); ++i)
    if (!plan[i].is_sweep()) hashes.emplace_back(hash_of(plan[i]), i);
  const std::size_t count = std::min(hashes.size(), most_identity_cases);
  std::ranges::partial_sort(hashes, hashes.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < count; ++i) places.push_back(hashes[i].second);
  std::ranges::sort(places);
  return places;
}

std::vector<std::size_t> assign_shards(const std::vector<PlannedCase>& plan, std::size_t count,
                                       const Durations* durations) {
  if (durations != nullptr) return deal_by(*durations, plan, count);
  std::vector<std::size_t> shards;
  shards.reserve(plan.size());
  for (const PlannedCase& planned : plan) shards.push_back(hash_of(planned) % count + 1);
  return shards;
}

std::vector<PlannedCase> cases_of(const Shard& shard, std::vector<PlannedCase> plan, const Durations* durations) {
  if (shard.is_whole()) return plan;
  std::vector<bool> belongs(plan.size());
  for (const std::size_t place : identity_places(plan)) belongs[place] = true;
  const std::vector<std::size_t> shards = assign_shards(plan, shard.count, durations);
  std::vector<PlannedCase> cases;
  for (std::size_t i = 0; i < plan.size(); ++i)
    if (belongs[i] || shards[i] == shard.index) cases.push_back(std::move(plan[i]));
  return cases;
}

}  // namespace touchstone::conformance
