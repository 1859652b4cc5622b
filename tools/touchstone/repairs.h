// Tries other configurations of a runtime where it is wrong.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/plan/planned_case.h"
#include "conformance/run/run_info.h"

namespace touchstone::tools {

/// Cases of one kind in the results of a run.
struct FailedKind {
  std::string_view name;  ///< "wrong"
  std::vector<const conformance::PlannedCase*> cases;
};

/// Runs the cases with each configuration in the file `repairs` of the run's backend. Returns a line for each with
/// which some are right: "session.x64quantprecision = 1: right in 17 of 18 wrong cases (tried)". Tries no more after
/// one with which all are. If none is right with any configuration, a line names these: "no setting that was tried
/// makes any wrong case right: ...". `unit` is what a case is called. Ends early on an interrupt. Prints a message for
/// each configuration that is not tried to the end.
std::vector<std::string> try_repairs(const conformance::RunInfo& run, const std::vector<FailedKind>& failed,
                                     std::string_view unit, std::chrono::milliseconds progress_interval);

}  // namespace touchstone::tools
