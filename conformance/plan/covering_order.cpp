#include "conformance/plan/covering_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "conformance/plan/digest.h"

namespace touchstone::conformance {

namespace {

/// The pairs of two parts between the slashes of ids, as numbers. A part with its place among the others is a part.
class Pairs {
 public:
  std::vector<std::uint32_t> of(std::string_view id) {
    std::vector<std::uint64_t> parts;
    for (std::size_t begin = 0; begin <= id.size();) {
      const std::size_t end = std::min(id.find('/', begin), id.size());
      const std::string part = fmt::format("{}:{}", parts.size(), id.substr(begin, end - begin));
      parts.push_back(parts_.try_emplace(part, parts_.size()).first->second);
      begin = end + 1;
    }
    std::vector<std::uint32_t> pairs;
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t k = i + 1; k < parts.size(); ++k)
        pairs.push_back(
            static_cast<std::uint32_t>(pairs_.try_emplace(parts[i] << 32 | parts[k], pairs_.size()).first->second));
    return pairs;
  }

  std::size_t count() const { return pairs_.size(); }

 private:
  std::unordered_map<std::string, std::uint64_t> parts_;
  std::unordered_map<std::uint64_t, std::size_t> pairs_;
};

/// A case that is not in the order yet.
struct Candidate {
  std::size_t gain;    ///< how many new pairs it has, or had when it was counted
  std::uint64_t hash;  ///< decides between equal gains, so that cases are spread over the plan
  std::size_t place;

  bool operator<(const Candidate& other) const {
    return std::tuple(gain, other.hash, other.place) < std::tuple(other.gain, hash, place);
  }
};

}  // namespace

std::vector<PlannedCase> in_covering_order(std::vector<PlannedCase> plan) {
  Pairs pairs;
  std::vector<std::vector<std::uint32_t>> pairs_of;
  std::priority_queue<Candidate> candidates;
  for (std::size_t place = 0; place < plan.size(); ++place) {
    pairs_of.push_back(pairs.of(plan[place].id));
    candidates.push({pairs_of[place].size(), Digest().add(plan[place].id).value(), place});
  }
  std::vector<bool> covered(pairs.count());
  std::vector<PlannedCase> ordered;
  while (!candidates.empty()) {
    Candidate best = candidates.top();
    candidates.pop();
    const std::vector<std::uint32_t>& of_best = pairs_of[best.place];
    const auto is_new = [&](std::uint32_t pair) { return !covered[pair]; };
    best.gain = static_cast<std::size_t>(std::ranges::count_if(of_best, is_new));
    // Gains only become smaller, so a case that is still better than the others were is the best.
    if (!candidates.empty() && best < candidates.top()) {
      candidates.push(best);
      continue;
    }
    for (const std::uint32_t pair : of_best) covered[pair] = true;
    ordered.push_back(std::move(plan[best.place]));
  }
  return ordered;
}

}  // namespace touchstone::conformance
