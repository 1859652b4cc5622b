#include "conformance/report/problems.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace touchstone::conformance {

namespace {

struct Problem {
  const CaseRecord* record;
  std::size_t of_reason;       ///< the number of earlier ones with the same verdict and reason
  std::size_t of_verdict = 0;  ///< the number of earlier ones with the same verdict, by `of_reason`
};

bool is_problem(const Summary& summary, const CaseRecord& record) {
  return record.is_problem() && !is_expected(summary.expectations, record);
}

}  // namespace

Problems choose_problems(const Summary& summary, std::span<const CaseRecord> records, std::size_t most) {
  std::vector<Problem> all;
  std::map<std::pair<Verdict, std::string_view>, std::size_t> of_reason;
  for (const CaseRecord& record : records)
    if (is_problem(summary, record)) all.push_back({&record, of_reason[{record.verdict, record.reason}]++});
  std::ranges::stable_sort(all, {}, &Problem::of_reason);
  std::map<Verdict, std::size_t> of_verdict;
  for (Problem& one : all) one.of_verdict = of_verdict[one.record->verdict]++;
  std::ranges::stable_sort(all, {}, &Problem::of_verdict);

  Problems chosen{.shown = {}, .count = all.size()};
  for (const Problem& one : std::span(all).first(std::min(most, all.size()))) chosen.shown.push_back(one.record);
  std::ranges::sort(chosen.shown);  // pointers into one array
  return chosen;
}

}  // namespace touchstone::conformance
