// report.junit.xml: a run for the test reports of CI systems.
#pragma once

#include <string>
#include <vector>

#include "conformance/report/summary.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

/// A test suite for each operator version, and a test case for each case. Cases whose model could not be read have
/// their own suite. Cases of the plan without a record are a single skipped test case in another suite.
std::string junit_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records);

}  // namespace touchstone::conformance
