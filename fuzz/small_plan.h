// A plan of a few small cases, for targets that need one, or what came of it, and have no time for that of a suite.
#pragma once

#include <vector>

#include "conformance/plan/suite.h"
#include "conformance/run/journal.h"

namespace touchstone::fuzz {

/// Of both operators, and one that must be rejected; they are in memory.
const std::vector<conformance::PlannedCase>& small_plan();

/// Of a run of the reference over that plan.
const conformance::Journal& small_run();

}  // namespace touchstone::fuzz
