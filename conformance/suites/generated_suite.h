// The suite `generated`: every legal combination, every clause and every rule, derived only from the tables of spec/.
#pragma once

#include <vector>

#include "conformance/plan/planned_case.h"

namespace touchstone::conformance {

/// The same options give the same cases in the same order. The id of a case does not depend on other cases or on the
/// limits of the forms.
std::vector<PlannedCase> plan_generated_suite(const SuiteOptions& options);

}  // namespace touchstone::conformance
