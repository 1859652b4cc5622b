// Reports the fault that a target found.
#pragma once

#include "conformance/properties/differential.h"

namespace touchstone::fuzz {

/// Bit-exact comparison that accepts only the primary readings.
inline constexpr conformance::JudgeOptions strictly{.strict = true, .sign_of_zero = true};

/// How to reproduce a fault.
enum class Again {
  by_replay,  ///< with `touchstone replay`, except in a changed environment
  by_input,   ///< only with the target
};

/// Simplifies the example for at most a minute. For a replay, writes it as a test directory to
/// $TOUCHSTONE_FUZZ_REPRODUCERS or the current directory. Reports the fault, its location and the command that tries it
/// again on standard error, and aborts, so that the fuzzer keeps the input.
[[noreturn]] void report(conformance::Fault fault, const conformance::JudgeOptions& options,
                         Again again = Again::by_replay);

}  // namespace touchstone::fuzz
