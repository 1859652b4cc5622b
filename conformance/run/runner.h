// Runs every case of a plan on a backend, and produces one record for each.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/judge/judge.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/read_case.h"
#include "conformance/run/record.h"
#include "conformance/run/rerun.h"

namespace touchstone::conformance {

/// Runs one case. If it cannot be read, or the backend throws, the verdict is harness_error.
CaseRecord run_case(const PlannedCase& planned, Backend& backend, const JudgeOptions& options = {});

struct RunOptions {
  JudgeOptions judge = {};
  unsigned jobs = 1;  ///< threads, each with its own backend
  /// Called between cases, and occasionally during a sweep or the judgement of a large case, by all threads. Returning
  /// true ends the run; what it interrupts gets no record.
  std::function<bool()> stop = {};
  std::vector<Level> lower_levels = {};         ///< of the backend, the lowest first
  std::string level = {};                       ///< its own name among the levels
  std::optional<Level> on_host = std::nullopt;  ///< with the name of the processor that it is not, see OnHost
  const ReadCases* read = nullptr;              ///< the cases of the plan, if it is run several times
};

/// Called with the record of each case as soon as it and all cases before it are finished: in the order of the plan for
/// any number of jobs, and never by two threads at once. Returning false stops the run, without further calls. An
/// exception ends the run, and `run` rethrows it.
using OnRecord = std::function<bool(CaseRecord)>;

/// Runs all cases, unless it is stopped; then the remaining ones get no record. Starts the backends one after another,
/// and none after a stop or a failure. Uses fewer threads than jobs if the
/// system cannot start more. Failed cases, except sweeps, are run again; see rerun.h. If a backend cannot
/// continue, throws BackendError after passing on all records before the first unfinished case.
void run(std::span<const PlannedCase> plan, const std::function<std::unique_ptr<Backend>()>& make_backend,
         const RunOptions& options, const OnRecord& on_record);

/// Describes all cases by the reference, in the same way. A case that cannot be read is a harness_error.
void describe(std::span<const PlannedCase> plan, unsigned jobs, const OnRecord& on_record);

}  // namespace touchstone::conformance
