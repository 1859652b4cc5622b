// Finds the expectation that applies to a case, and describes it for reports.
#pragma once

#include <string>

#include "conformance/report/summary.h"

namespace touchstone::conformance {

/// The expectation that the case's failure meets; null if the case passed, or failed in another way.
const KnownFailure* expected_by(const Summary& summary, const CaseRecord& record);

/// The expectation, expired or not, that the case contradicts by passing; null if there is none.
const KnownFailure* passed_against(const Summary& summary, const CaseRecord& record);

/// "reason (issue)".
std::string why(const KnownFailure& expectation);

/// Whether the expectation was met, in a few words.
std::string state_in_words(const KnownFailureOutcome& outcome);

}  // namespace touchstone::conformance
