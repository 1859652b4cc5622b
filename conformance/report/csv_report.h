// report.csv: a run for spreadsheets and data frames.
#pragma once

#include <vector>

#include "conformance/files/file_io.h"
#include "conformance/report/summary.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

/// RFC 4180: a header, then a line for each case. Lists in a field are separated by spaces. A text that a spreadsheet
/// would treat as a formula is preceded by an apostrophe.
void csv_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records, const Sink& sink);

}  // namespace touchstone::conformance
