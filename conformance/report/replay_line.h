// The commands that run a case, or all of them, again as a run had it, for people to copy into a shell.
#pragma once

#include <string>

#include "conformance/run/run_info.h"

namespace touchstone::conformance {

/// One argument for sh that people can see and copy: without quotes where none are needed, in single quotes, or, with
/// characters that no report shows as they are, made by printf.
std::string shell_quoted(const std::string& text);

/// "touchstone replay ID --backend B ...": with the same data, seed and judging as the run.
std::string replay_line(const RunInfo& run, const std::string& id);

/// What stands behind the id in it; the same for all cases of a suite.
std::string replay_options(const RunInfo& run, const std::string& id);

/// "touchstone run --backend B ...": all of the run again.
std::string run_line(const RunInfo& run);

}  // namespace touchstone::conformance
