#include "conformance/report/problems.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

namespace touchstone::conformance {

namespace {

constexpr std::size_t without_cause = std::numeric_limits<std::size_t>::max();

struct Problem {
  const CaseRecord* record;
  std::size_t cause;         ///< its number
  std::size_t of_reason;     ///< the number of earlier ones with the same cause and reason
  std::size_t of_cause = 0;  ///< the number of earlier ones with the same cause, by `of_reason`
};

bool is_problem(const Summary& summary, const CaseRecord& record) {
  return record.is_problem() && !is_expected(summary.expectations, record);
}

/// The number of the cause of each record.
std::vector<std::size_t> causes_of(const Summary& summary, std::size_t records) {
  std::vector<std::size_t> causes(records, without_cause);
  for (std::size_t number = 0; number < summary.causes.size(); ++number)
    for (const std::size_t place : summary.causes[number].cases) causes[place] = number;
  return causes;
}

}  // namespace

Problems choose_problems(const Summary& summary, std::span<const CaseRecord> records, std::size_t most) {
  const std::vector<std::size_t> causes = causes_of(summary, records.size());
  std::vector<Problem> all;
  std::map<std::pair<std::size_t, std::string_view>, std::size_t> of_reason;
  for (std::size_t place = 0; place < records.size(); ++place)
    if (const CaseRecord& record = records[place]; is_problem(summary, record))
      all.push_back({&record, causes[place], of_reason[{causes[place], *record.reason}]++});
  const auto is_example = [&](const Problem& one) {
    return one.cause != without_cause && summary.causes[one.cause].example == *one.record->id;
  };
  std::ranges::stable_sort(all, {}, [&](const Problem& one) { return std::pair(!is_example(one), one.of_reason); });
  std::map<std::size_t, std::size_t> of_cause;
  for (Problem& one : all) one.of_cause = of_cause[one.cause]++;
  std::ranges::stable_sort(all, {}, [](const Problem& one) { return std::pair(one.of_cause, one.cause); });

  Problems chosen{.shown = {}, .count = all.size()};
  for (const Problem& one : std::span(all).first(std::min(most, all.size()))) chosen.shown.push_back(one.record);
  std::ranges::sort(chosen.shown);  // pointers into one array
  return chosen;
}

}  // namespace touchstone::conformance
