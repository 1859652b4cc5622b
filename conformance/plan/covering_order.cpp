#include "conformance/plan/covering_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "conformance/plan/digest.h"

namespace touchstone::conformance {

namespace {

/// The parts between the slashes, each with its place among them.
std::vector<std::string> parts_of(std::string_view id) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= id.size();) {
    const std::size_t end = std::min(id.find('/', begin), id.size());
    parts.push_back(fmt::format("{}:{}", parts.size(), id.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

/// Adds all pairs of parts, and returns whether one of them is new.
bool adds_a_pair(std::string_view id, std::unordered_set<std::string>& pairs) {
  const std::vector<std::string> parts = parts_of(id);
  bool is_new = false;
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t k = i + 1; k < parts.size(); ++k)
      if (pairs.insert(parts[i] + '/' + parts[k]).second) is_new = true;
  return is_new;
}

}  // namespace

std::vector<PlannedCase> in_covering_order(std::vector<PlannedCase> plan) {
  std::vector<std::pair<std::uint64_t, std::size_t>> hashes;
  for (std::size_t i = 0; i < plan.size(); ++i) hashes.emplace_back(Digest().add(plan[i].id).value(), i);
  std::ranges::sort(hashes);
  std::unordered_set<std::string> pairs;
  std::vector<PlannedCase> ordered;
  std::vector<std::size_t> rest;
  for (const auto& [hash, place] : hashes)
    if (adds_a_pair(plan[place].id, pairs))
      ordered.push_back(std::move(plan[place]));
    else
      rest.push_back(place);
  for (const std::size_t place : rest) ordered.push_back(std::move(plan[place]));
  return ordered;
}

}  // namespace touchstone::conformance
