// Writes a file of known failures from the results of a run.
#pragma once

#include <string>
#include <vector>

#include "conformance/report/summary.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

/// The content of a file for --expectations, see run/known_failures.h: with it, nothing in the same run is unexpected.
/// Has the run's own entries that hold. Names the other failures by their causes, and those that no cause explains by
/// their ids. Depends only on the arguments. `records` are those of the summary. Throws FileError with `origin` (the
/// path of the file) if it would need more patterns than Limits::expectations.
std::string expectations_file(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records,
                              const std::string& origin);

}  // namespace touchstone::conformance
