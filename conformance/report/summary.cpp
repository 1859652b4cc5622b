#include "conformance/report/summary.h"

#include <algorithm>
#include <set>
#include <utility>

#include "conformance/generate/form.h"

namespace touchstone::conformance {

namespace {

std::vector<FormResult> in_order(std::map<std::string, VerdictTally> by_name) {
  std::vector<FormResult> results;
  for (const Form& form : forms())
    if (auto found = by_name.extract(std::string(form.name)); !found.empty())
      results.push_back({std::move(found.key()), form.description, found.mapped()});
  for (auto& [form, tally] : by_name) results.push_back({form, {}, tally});
  return results;
}

}  // namespace

Tally VerdictTally::tally() const {
  Tally tally;
  for (const VerdictInfo& row : verdicts) {
    tally.total += (*this)[row.verdict];
    if (is_pass(row.verdict)) tally.passed += (*this)[row.verdict];
    if (is_permitted(row.verdict)) tally.permitted += (*this)[row.verdict];
    if (row.verdict == Verdict::not_shown) tally.not_shown += (*this)[row.verdict];
  }
  return tally;
}

Summary summarize(std::size_t planned_cases, const std::vector<CaseRecord>& records,
                  KnownFailureOutcomes expectations) {
  Summary summary;
  summary.cases = planned_cases;
  summary.legal_cells = count_legal_cells();
  summary.by_verdict[static_cast<std::size_t>(Verdict::not_run)] = planned_cases - records.size();
  std::set<Cell> covered;
  std::map<std::string, VerdictTally> forms;
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
    const bool ran = !record.declined && record.verdict != Verdict::not_run && record.verdict != Verdict::harness_error;
    if (ran) covered.insert(record.cells.begin(), record.cells.end());
    if (record.verdict == Verdict::pass_variant)
      for (const ReadingId& row : record.readings) ++summary.readings[{row.ambiguity, row.reading}];
    if (record.declined) ++summary.declined;
    if (!record.flaky.empty()) ++summary.flaky;
    if (!record.form.empty()) forms[record.form].count(record.verdict);
    if (record.must_reject()) summary.must_reject_cases.count(record.verdict);
    if (!record.subject) continue;
    const auto& [version, opset, type] = *record.subject;
    const OperatorAt place{version->domain, version->op, opset};
    if (record.verdict == Verdict::not_shown) ++summary.not_shown[place];
    if (record.must_reject())
      summary.must_reject[place].count(record.verdict);
    else
      summary.matrix[{place, type}].count(record.verdict);
  }
  summary.forms = in_order(std::move(forms));
  summary.covered_cells = covered.size();
  summary.covered = covered_spaces(records);
  summary.expectations = std::move(expectations);
  return summary;
}

int exit_code(const Summary& summary) {
  // An expired expectation counts, too, because it should be removed from the file.
  const bool is_contradicted =
      std::any_of(summary.expectations.begin(), summary.expectations.end(),
                  [](const KnownFailureOutcome& row) { return row.stale() || !row.unexpected_passes.empty(); });
  if (summary.cases == 0) return 5;
  if (summary.count(Verdict::not_run) > 0) return 4;
  if (summary.unexpected > 0 || is_contradicted) return 1;
  if (summary.unexpected_errors > 0) return 3;
  return summary.count(Verdict::not_shown) == summary.cases ? 5 : 0;
}

}  // namespace touchstone::conformance
