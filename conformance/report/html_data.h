// The data for the script of report.html.
#pragma once

#include <vector>

#include "conformance/files/file_io.h"
#include "conformance/report/summary.h"
#include "conformance/run/record_json.h"

namespace touchstone::conformance {

/// Passes the data of the HTML page, which html/data.js reads, to the sink: an object as JSON. To keep it small,
/// repeated values are in tables, and the cases contain indices into them. All untrusted texts are made printable.
void html_data(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records, const Sink& sink);

}  // namespace touchstone::conformance
