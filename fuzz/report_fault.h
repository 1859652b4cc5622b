// Reports the fault that a target found.
#pragma once

#include <string>

#include "conformance/judge/judge.h"
#include "conformance/run/run_info.h"
#include "fuzz/example.h"

namespace touchstone::fuzz {

/// A run of `touchstone` that judges the answers of a backend, the value of --backend, in the same way.
conformance::RunInfo run_with(const std::string& backend, const conformance::JudgeOptions& options);

/// Describes the fault on standard error, writes the example as a test directory to $TOUCHSTONE_FUZZ_REPRODUCERS or the
/// current directory, prints the command that replays it, and aborts, so that the fuzzer keeps the input.
[[noreturn]] void report(const std::string& what, const Example& example, const conformance::RunInfo& run);

}  // namespace touchstone::fuzz
