// report.html: a run for people, as one self-contained page.
#pragma once

#include <string>
#include <vector>

#include "conformance/report/summary.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

/// The page of html/ with the run as JSON. The more cases fail, the fewer wrong elements of each it contains, so that
/// it stays small enough for a browser.
std::string html_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records);

}  // namespace touchstone::conformance
