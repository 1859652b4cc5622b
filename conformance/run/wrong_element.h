// Numbers that reports show for a wrong element, in addition to its record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "conformance/run/record.h"

namespace touchstone::conformance {

/// For an element of QuantizeLinear: the exact x / scale, or, after "~", rounded to a double if that differs. Empty for
/// other elements.
std::string quotient(const CaseRecord& record, const WrongElement& wrong);

/// The error of a floating-point output in units in the last place: by how many steps from one number of the type to
/// the next the actual output lies above the expected one. Counts the codes between them, so it is meaningless if one
/// of them is NaN. Nothing for integers, and for types of more than 32 bits, which no output of the operators has.
std::optional<std::int64_t> ulp_error(const WrongElement& wrong);

}  // namespace touchstone::conformance
