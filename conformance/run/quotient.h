// The quotient that QuantizeLinear rounds, for people.
#pragma once

#include <string>

#include "conformance/run/record.h"

namespace touchstone::conformance {

/// For an element of QuantizeLinear: the exact x / scale, or, after "~", rounded to a double if that differs. Empty for
/// other elements.
std::string quotient(const CaseRecord& record, const WrongElement& wrong);

}  // namespace touchstone::conformance
