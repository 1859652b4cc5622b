// The commands that repeat a case or a whole run, for people to copy into a shell.
#pragma once

#include <string>

#include "conformance/run/run_info.h"

namespace touchstone::conformance {

/// One argument for sh that people can see and copy: without quotes if none are needed, in single quotes, or, if it has
/// characters that reports do not show unchanged, as a call of printf.
std::string shell_quoted(const std::string& text);

/// "touchstone replay ID --backend B ...": with the same data, seed and judging as the run.
std::string replay_line(const RunInfo& run, const std::string& id);

/// The part of the line after the id; the same for all cases of a suite.
std::string replay_options(const RunInfo& run, const std::string& id);

/// "TOUCHSTONE_LIMITS=... TOUCHSTONE_ISA=... ", each if the run had another one than by default.
std::string environment_prefix(const RunInfo& run);

/// "touchstone run --backend B ...", with that prefix: repeats the whole run.
std::string run_line(const RunInfo& run);

}  // namespace touchstone::conformance
