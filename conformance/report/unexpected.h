// What differs from the expectations of a run, as text for a terminal.
#pragma once

#include <string>
#include <vector>

#include "conformance/report/summary.h"

namespace touchstone::conformance {

/// The unexpected causes, and then the cases that newly fail or pass, and the expectations that do not hold; of each
/// list at most `most` lines. Empty without expectations, and if nothing differs.
std::string unexpected_text(const std::vector<CaseRecord>& records, const Summary& summary, std::size_t most);

}  // namespace touchstone::conformance
