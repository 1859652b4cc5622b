#include "conformance/causes/cause_changes.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace touchstone::conformance {

namespace {

/// The number of cases that two causes share, by the ids of their cases.
class SharedCases {
 public:
  SharedCases(std::span<const Cause> before, std::span<const CaseRecord> records_before, std::span<const Cause> after,
              std::span<const CaseRecord> records_after)
      : first_(before.data()), last_(after.data()), width_(after.size()), counts_(before.size() * after.size()) {
    std::unordered_map<std::string_view, std::size_t> cause_of;
    for (std::size_t i = 0; i < before.size(); ++i)
      for (const std::size_t place : before[i].cases) cause_of.emplace(records_before[place].id, i);
    for (std::size_t j = 0; j < after.size(); ++j)
      for (const std::size_t place : after[j].cases)
        if (const auto found = cause_of.find(records_after[place].id); found != cause_of.end())
          ++counts_[found->second * width_ + j];
  }

  std::size_t operator()(const Cause& before, const Cause& after) const {
    return counts_[static_cast<std::size_t>(&before - first_) * width_ + static_cast<std::size_t>(&after - last_)];
  }

 private:
  const Cause* first_;
  const Cause* last_;
  std::size_t width_;
  std::vector<std::size_t> counts_;
};

bool is_same(const Cause& before, const Cause& after, const SharedCases& shared) {
  if (before.is_wrong != after.is_wrong || before.name != after.name || before.sentence != after.sentence) return false;
  return !before.name.empty() || 2 * shared(before, after) >= std::min(before.cases.size(), after.cases.size());
}

}  // namespace

std::vector<CauseChange> compare_causes(std::span<const Cause> before, std::span<const CaseRecord> records_before,
                                        std::span<const Cause> after, std::span<const CaseRecord> records_after) {
  const SharedCases shared(before, records_before, after, records_after);
  std::vector<const Cause*> left;  // causes of the earlier run that have no counterpart yet
  for (const Cause& cause : before) left.push_back(&cause);
  std::vector<CauseChange> changes;
  for (const Cause& cause : after) {
    // Among several, the one that shares the most cases.
    auto best = left.end();
    for (auto one = left.begin(); one != left.end(); ++one)
      if (is_same(**one, cause, shared) && (best == left.end() || shared(**one, cause) > shared(**best, cause)))
        best = one;
    if (best == left.end()) {
      changes.push_back({nullptr, &cause});
      continue;
    }
    if ((*best)->where != cause.where) changes.push_back({*best, &cause});
    left.erase(best);
  }
  for (const Cause* gone : left) changes.push_back({gone, nullptr});
  return changes;
}

}  // namespace touchstone::conformance
