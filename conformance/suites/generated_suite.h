// The suite `generated`: every legal combination, every clause, every rule, from the tables of spec/ alone.
#pragma once

#include <vector>

#include "conformance/plan/planned_case.h"

namespace touchstone::conformance {

/// The same options give the same cases in the same order. The id of a case does not depend on which others there are,
/// nor on the limits of the forms.
std::vector<PlannedCase> plan_generated_suite(const SuiteOptions& options);

}  // namespace touchstone::conformance
