// report.json: a run for programs to read.
#pragma once

#include <string>
#include <vector>

#include "conformance/files/file_io.h"
#include "conformance/report/summary.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

/// Follows report.schema.json, in ASCII. Invalid UTF-8 in untrusted texts is replaced. One line for each case.
void json_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records, const Sink& sink);

/// The report without the cases: small enough to be kept for every run.
std::string json_summary(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records);

}  // namespace touchstone::conformance
