// The data for the script of report.html.
#pragma once

#include <vector>

#include "conformance/report/summary.h"
#include "conformance/run/record_json.h"

namespace touchstone::conformance {

/// The data of the HTML page, which html/data.js reads. To keep it small, repeated values are in tables, and the cases
/// contain indices into them. All untrusted texts are made printable.
Json html_data(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records);

}  // namespace touchstone::conformance
