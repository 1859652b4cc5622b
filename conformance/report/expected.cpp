#include "conformance/report/expected.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "conformance/causes/messages.h"
#include "conformance/files/text.h"

namespace touchstone::conformance {

namespace {

/// Whether an entry names the cause, wherever it is. Experiments can choose another one of the hypotheses that explain
/// all of its cases, so each of them is a name of the cause.
bool names(const KnownFailure& expectation, const Cause& cause, std::span<const CaseRecord> records) {
  if (expectation.cause.empty() || expectation.verdict != records[cause.cases.front()].verdict) return false;
  if (!expectation.message.empty() &&
      normalized_message(expectation.message) != normalized_message(valid_utf8(cause.message)))
    return false;
  if (expectation.cause == (cause.name.empty() ? cause.sentence : cause.name)) return true;
  return std::ranges::all_of(cause.cases, [&](std::size_t place) {
    const std::vector<std::string>& hypotheses = *records[place].hypotheses;
    return std::ranges::find(hypotheses, expectation.cause) != hypotheses.end();
  });
}

}  // namespace

void apply_causes(KnownFailureOutcomes& outcomes, std::span<const CaseRecord> records, std::span<const Cause> causes) {
  if (std::exchange(outcomes.knows_causes, true)) return;
  for (std::size_t place = 0; place < outcomes.size(); ++place) {
    const KnownFailure& expectation = outcomes[place].expectation;
    for (const Cause& cause : causes)
      if ((expectation.where.empty() || expectation.where == cause.where) && names(expectation, cause, records))
        for (const std::size_t index : cause.cases) outcomes.decide(place, records[index]);
  }
}

bool is_failure(const Summary& summary, const CaseRecord& record) {
  return is_wrong(record.answer_class()) || record.verdict == Verdict::harness_error ||
         summary.requirement.is_missed_by(record);
}

bool is_newly_failing(const Summary& summary, const CaseRecord& record) {
  return is_failure(summary, record) && !is_expected(summary.expectations, record);
}

std::optional<std::string> expected_where(const Summary& summary, const Cause& cause,
                                          std::span<const CaseRecord> records) {
  for (const KnownFailureOutcome& row : summary.expectations)
    if (!row.expectation.where.empty() && row.expectation.where != cause.where &&
        names(row.expectation, cause, records))
      return row.expectation.where;
  return std::nullopt;
}

const KnownFailure* expected_by(const Summary& summary, const CaseRecord& record) {
  return is_expected(summary.expectations, record) ? &summary.expectations.deciding(record)->expectation : nullptr;
}

const KnownFailure* passed_against(const Summary& summary, const CaseRecord& record) {
  if (!is_pass(record.verdict)) return nullptr;
  const KnownFailureOutcome* row = summary.expectations.deciding(record);
  return row ? &row->expectation : nullptr;
}

std::string why(const KnownFailure& expectation) {
  return fmt::format("{} ({})", expectation.reason, expectation.issue);
}

std::string state_in_words(const KnownFailureOutcome& outcome) {
  const std::string expired = outcome.expired ? "expired" : "";
  const std::string separator = outcome.expired ? ", " : "";
  if (outcome.stale()) return expired + separator + "stale: no case fails in this way";
  if (!outcome.unexpected_passes.empty()) return expired + separator + "some cases pass";
  return outcome.expired ? expired : "holds";
}

}  // namespace touchstone::conformance
