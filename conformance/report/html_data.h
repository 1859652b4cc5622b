// What the script of report.html works on.
#pragma once

#include <vector>

#include "conformance/report/summary.h"
#include "conformance/run/record_json.h"

namespace touchstone::conformance {

/// Small: everything that repeats is in a table and stands in the cases as its index there. All texts from outside are
/// printable. html/data.js reads it.
Json html_data(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records);

}  // namespace touchstone::conformance
