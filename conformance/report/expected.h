// Finds the expectation that applies to a case, and describes it for reports.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/report/summary.h"

namespace touchstone::conformance {

/// Lets the expectations that name causes decide about the cases of these causes. Does nothing if they did already.
void apply_causes(KnownFailureOutcomes& outcomes, std::span<const CaseRecord> records, std::span<const Cause> causes);

/// Whether the case makes a run without expectations fail, or could not be judged.
bool is_failure(const Summary& summary, const CaseRecord& record);

/// The same, if it is not expected.
bool is_newly_failing(const Summary& summary, const CaseRecord& record);

/// Where a cause was expected that is elsewhere now; std::nullopt if none of its name was expected.
std::optional<std::string> expected_where(const Summary& summary, const Cause& cause,
                                          std::span<const CaseRecord> records);

/// The expectation that the case's failure meets; null if the case passed, or failed in another way.
const KnownFailure* expected_by(const Summary& summary, const CaseRecord& record);

/// The expectation, expired or not, that the case contradicts by passing; null if there is none.
const KnownFailure* passed_against(const Summary& summary, const CaseRecord& record);

/// "reason (issue)".
std::string why(const KnownFailure& expectation);

/// Whether the expectation was met, in a few words.
std::string state_in_words(const KnownFailureOutcome& outcome);

/// What differs from the expectations of a run, for a terminal: the unexpected causes, and then the cases that newly
/// fail or pass, and the expectations that do not hold; of each list at most `most` lines. Empty without expectations,
/// and if nothing differs.
std::string unexpected_text(const std::vector<CaseRecord>& records, const Summary& summary, std::size_t most);

}  // namespace touchstone::conformance
