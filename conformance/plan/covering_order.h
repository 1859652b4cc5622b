// An order of a plan in which the first cases tell most, for runs that may end before all cases have run.
#pragma once

#include <vector>

#include "conformance/plan/planned_case.h"

namespace touchstone::conformance {

/// Each case is the one that has most pairs of two parts of an id (such as an operator version with a type, or a
/// granularity with a form) which no case before it has. A hash decides between equal ones, so that they are spread
/// over the plan. The order depends only on the ids.
std::vector<PlannedCase> in_covering_order(std::vector<PlannedCase> plan);

}  // namespace touchstone::conformance
