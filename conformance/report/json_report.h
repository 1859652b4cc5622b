// The members of report.json except the cases. report.html has most of them, too.
#pragma once

#include "conformance/files/json_text.h"
#include "conformance/report/summary.h"

namespace touchstone::conformance {

Json report_members(const RunInfo& run, const Summary& summary);

}  // namespace touchstone::conformance
