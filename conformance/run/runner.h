// The run: every case of a plan against a backend, one record each.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/judge/judge.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// Runs one case. One that cannot be read, or at which the backend throws, is a harness_error.
CaseRecord run_case(const PlannedCase& planned, Backend& backend, const JudgeOptions& options = {});

/// What the reference knows of a case before any backend has seen it: subject, cells, clauses. Never throws for what
/// the case contains: what cannot be known is left out.
CaseRecord describe(const Case& described);
/// The same of a case that is interpreted already.
CaseRecord describe(const Case& described, const std::vector<ReferenceOutcome>& interpreted);

struct RunOptions {
  JudgeOptions judge;
  unsigned jobs = 1;  ///< threads, each with a backend of its own
  /// Asked between cases, and now and then while a sweep runs, by all threads: true ends the run; a sweep that it ends
  /// gets no record.
  std::function<bool()> stop = {};
};

/// Called with the record of each case as soon as it and all before it are finished, in the order of the plan whatever
/// the number of jobs, and never by two threads at once; false stops the run, and is not called again. What it throws
/// ends the run, and `run` throws it again.
using OnRecord = std::function<bool(CaseRecord)>;

/// Runs all cases, unless it is stopped: then the remaining ones get no record. Uses fewer threads than jobs if the
/// system cannot start more. Cases that go wrong, except sweeps, are run again; see flake_check.h. Throws BackendError
/// if a backend cannot continue, after passing on all records before the first unfinished case.
void run(std::span<const PlannedCase> plan, const std::function<std::unique_ptr<Backend>()>& make_backend,
         const RunOptions& options, const OnRecord& on_record);

/// Describes all cases by the reference, in the same way. A case that cannot be read is a harness_error.
void describe(std::span<const PlannedCase> plan, unsigned jobs, const OnRecord& on_record);

}  // namespace touchstone::conformance
