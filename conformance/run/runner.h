// The run: every case of a plan against one backend, one record each.
#pragma once

#include <functional>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/plan/suite.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// Called with each record as its case ends; false stops the run.
using OnRecord = std::function<bool(const CaseRecord&)>;

/// One record per planned case, in the order of the plan. A case that cannot be read is a harness_error and the run
/// goes on. Those left over when the run was stopped are not_run.
std::vector<CaseRecord> run(const std::vector<PlannedCase>& plan, Backend& backend, const OnRecord& on_record);

/// What the reference knows of a case before any backend has seen it: subject, cells, clauses. Never throws for what
/// the case contains: what cannot be known is left out.
CaseRecord describe(const Case& described);

}  // namespace touchstone::conformance
