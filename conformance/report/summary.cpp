#include "conformance/report/summary.h"

#include <algorithm>
#include <set>
#include <utility>

namespace touchstone::conformance {

Summary summarize(std::size_t planned_cases, const std::vector<CaseRecord>& records,
                  std::vector<ExpectationOutcome> expectations) {
  Summary summary;
  summary.cases = planned_cases;
  summary.legal_cells = count_legal_cells();
  summary.by_verdict[static_cast<std::size_t>(Verdict::not_run)] = planned_cases - records.size();
  std::set<Cell> covered;
  for (const CaseRecord& record : records) {
    ++summary.by_verdict[static_cast<std::size_t>(record.verdict)];
    if (is_expected(expectations, record))
      ++summary.expected;
    else if (record.verdict == Verdict::harness_error)
      ++summary.unexpected_errors;
    else if (!is_permitted(record.verdict) && record.verdict != Verdict::not_run)
      ++summary.unexpected;
    summary.elements += record.elements;
    summary.masked += record.masked;
    const bool ran = record.verdict != Verdict::not_run && record.verdict != Verdict::harness_error;
    if (ran) covered.insert(record.cells.begin(), record.cells.end());
    if (record.verdict == Verdict::pass_variant)
      for (const ReadingId& row : record.readings) ++summary.readings[{row.ambiguity, row.reading}];
    if (!record.form.empty()) summary.forms[record.form].count(record.verdict);
    if (record.must_reject()) summary.must_reject_cases.count(record.verdict);
    if (!record.subject) continue;
    const auto& [version, opset, type] = *record.subject;
    const OperatorAt place{version->domain, version->op, opset};
    if (record.must_reject())
      summary.must_reject[place].count(record.verdict);
    else
      summary.matrix[{place, type}].count(record.verdict);
  }
  summary.covered_cells = covered.size();
  summary.covered = covered_spaces(records);
  summary.expectations = std::move(expectations);
  return summary;
}

int exit_code(const Summary& summary) {
  // Of one that has expired, too: it ought to be taken out of the file.
  const bool is_contradicted =
      std::any_of(summary.expectations.begin(), summary.expectations.end(),
                  [](const ExpectationOutcome& row) { return row.stale() || !row.unexpected_passes.empty(); });
  if (summary.cases == 0) return 5;
  if (summary.count(Verdict::not_run) > 0) return 4;
  if (summary.unexpected > 0 || is_contradicted) return 1;
  return summary.unexpected_errors > 0 ? 3 : 0;
}

}  // namespace touchstone::conformance
