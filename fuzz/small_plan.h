// A plan of a few small cases and its results, for targets that have no time for the plan of a suite.
#pragma once

#include <vector>

#include "conformance/plan/planned_case.h"
#include "conformance/run/journal.h"

namespace touchstone::fuzz {

/// Cases of both operators and a must-reject case, all in memory.
const std::vector<conformance::PlannedCase>& small_plan();

/// The journal of a run of the reference over that plan.
const conformance::Journal& small_run();

}  // namespace touchstone::fuzz
