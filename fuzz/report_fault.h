// What a target says of what it found.
#pragma once

#include "conformance/properties/fault.h"

namespace touchstone::fuzz {

/// What is compared bit for bit, and may follow the primary readings only.
inline constexpr conformance::JudgeOptions strictly{.strict = true, .sign_of_zero = true};

/// How to reproduce a fault.
enum class Again {
  by_replay,  ///< with `touchstone replay`, except in a changed environment
  by_input,   ///< only with the target
};

/// Makes the example as simple as it can be, in a minute at most; for a replay, writes it as a test directory to
/// $TOUCHSTONE_FUZZ_REPRODUCERS or the current directory; says on standard error what is wrong with it, where it is and
/// what tries it again; and aborts, so that the fuzzer keeps the input.
[[noreturn]] void report(conformance::Fault fault, const conformance::JudgeOptions& options,
                         Again again = Again::by_replay);

}  // namespace touchstone::fuzz
