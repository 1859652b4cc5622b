// Which expectation speaks of a case, and how reports speak of it.
#pragma once

#include <string>

#include "conformance/report/summary.h"

namespace touchstone::conformance {

/// The expectation by which the case went wrong as expected; null if it passed, or went wrong otherwise.
const KnownFailure* expected_by(const Summary& summary, const CaseRecord& record);

/// The expectation that the case contradicts, as it passes, whether it has expired or not. Null if there is none.
const KnownFailure* passed_against(const Summary& summary, const CaseRecord& record);

/// "reason (issue)".
std::string why(const KnownFailure& expectation);

/// Whether it came true, in a few words.
std::string state_in_words(const KnownFailureOutcome& outcome);

}  // namespace touchstone::conformance
