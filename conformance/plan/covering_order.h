// An order of a plan in which the first cases tell most, for runs that may end before all cases have run.
#pragma once

#include <vector>

#include "conformance/plan/planned_case.h"

namespace touchstone::conformance {

/// First come cases in which every pair of two parts of an id occurs (such as an operator version with a type, or a
/// granularity with a form), and then the rest; both in the order of a hash, so that they are spread over the plan. The
/// order depends only on the ids.
std::vector<PlannedCase> in_covering_order(std::vector<PlannedCase> plan);

}  // namespace touchstone::conformance
