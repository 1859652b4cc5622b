// report.md: a run for the summary page of a CI job.
#pragma once

#include <string>
#include <vector>

#include "conformance/report/summary.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

/// Totals, the matrix of each operator, the readings that explain pass_variants, and the first problems, as
/// GitHub-flavoured Markdown.
std::string markdown_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records);

}  // namespace touchstone::conformance
