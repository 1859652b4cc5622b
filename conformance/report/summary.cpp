#include "conformance/report/summary.h"

#include <set>

namespace touchstone::conformance {

Summary summarize(const std::vector<CaseRecord>& records) {
  Summary summary;
  summary.cases = records.size();
  summary.legal_cells = count_legal_cells();
  std::set<Cell> covered;
  for (const CaseRecord& record : records) {
    ++summary.by_verdict[static_cast<std::size_t>(record.verdict)];
    const bool ran = record.verdict != Verdict::not_run && record.verdict != Verdict::harness_error;
    if (ran) covered.insert(record.cells.begin(), record.cells.end());
    if (!record.subject) continue;
    Tally& tally = summary.matrix[{record.subject->version->op, record.subject->opset, record.subject->quantized_type}];
    ++tally.total;
    if (is_pass(record.verdict)) ++tally.passed;
  }
  summary.covered_cells = covered.size();
  return summary;
}

int exit_code(const Summary& summary) {
  const std::size_t undecided = summary.count(Verdict::not_run) + summary.count(Verdict::harness_error);
  if (summary.cases == 0) return 5;
  if (summary.passed() + undecided < summary.cases) return 1;
  if (summary.count(Verdict::harness_error) > 0) return 3;
  if (summary.count(Verdict::not_run) > 0) return 4;
  return 0;
}

}  // namespace touchstone::conformance
