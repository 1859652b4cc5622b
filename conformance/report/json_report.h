// report.json: a run for programs to read.
#pragma once

#include <string>
#include <vector>

#include "conformance/report/summary.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

/// As report.schema.json has it, in ASCII; what is not valid UTF-8 in a text from outside is replaced. One line for
/// each case.
std::string json_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records);

}  // namespace touchstone::conformance
