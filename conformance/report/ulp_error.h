// The error of a floating-point output in units in the last place.
#pragma once

#include <cstdint>
#include <optional>

#include "conformance/run/record.h"

namespace touchstone::conformance {

/// By how many steps from one number of the type to the next the actual output lies above the expected one. Counts the
/// codes between them, so it is meaningless if one of them is NaN. Nothing for integers, and for types of more than 32
/// bits, which are no output type of the operators.
std::optional<std::int64_t> ulp_error(const WrongElement& wrong);

}  // namespace touchstone::conformance
