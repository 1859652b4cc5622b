// Parts of a plan, for runs on several machines whose results are merged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/plan/planned_case.h"

namespace touchstone::conformance {

struct Shard {
  std::size_t index = 1;  ///< from 1
  std::size_t count = 1;  ///< 1: the whole plan

  bool is_whole() const { return count == 1; }
  bool operator==(const Shard&) const = default;
};

/// The maximum number of shards.
inline constexpr std::size_t most_shards = 1'000'000;

/// "3/16"
std::string to_string(const Shard& shard);
/// std::nullopt if the text is not two numbers I/N with 1 <= I <= N <= most_shards.
std::optional<Shard> parse_shard(std::string_view text);

/// How many cases every shard runs, if the plan has so many. They must get the same answers everywhere, so that results
/// of different builds or devices are not merged.
inline constexpr std::size_t most_identity_cases = 8;

/// The places of the identity cases, in ascending order. Sweeps, which take long, are not among them.
std::vector<std::size_t> identity_places(const std::vector<PlannedCase>& plan);

/// The microseconds that cases took in an earlier run, by their ids.
using Durations = std::map<std::string, std::int64_t, std::less<>>;

/// The index of each case's shard. It depends only on the case's id and `count`. With durations, it depends on the plan
/// as well: each shard gets about the same time. A case without a duration is taken as an average one.
std::vector<std::size_t> assign_shards(const std::vector<PlannedCase>& plan, std::size_t count,
                                       const Durations* durations = nullptr);

/// The cases of a shard, with the identity cases, in the order of the plan.
std::vector<PlannedCase> cases_of(const Shard& shard, std::vector<PlannedCase> plan,
                                  const Durations* durations = nullptr);

}  // namespace touchstone::conformance
