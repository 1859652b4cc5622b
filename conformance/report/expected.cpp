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

/// The first lines of a list.
std::string list_text(const std::string& heading, const std::vector<std::string>& lines, std::size_t most) {
  if (lines.empty()) return "";
  std::string text = fmt::format("{}: {}\n", heading, lines.size());
  const std::size_t shown = std::min(lines.size(), most);
  for (std::size_t i = 0; i < shown; ++i) text += fmt::format("  {}\n", lines[i]);
  if (shown < lines.size()) text += fmt::format("  ... and {} more, in report.md\n", lines.size() - shown);
  return text;
}

/// What the expectations say of a case that is unexpected.
const char* unexpected_way(const KnownFailureOutcomes& expectations, const CaseRecord& record) {
  if (const KnownFailureOutcome* row = expectations.deciding(record))
    return row->expired ? ", its expectation has expired" : ", not in the expected way";
  const bool has_another_cause = std::ranges::any_of(expectations, [&](const KnownFailureOutcome& row) {
    return row.expectation.pattern != "*" && row.filter.matches(record.id);
  });
  return has_another_cause ? ", not of the expected cause" : "";
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

std::string unexpected_text(const std::vector<CaseRecord>& records, const Summary& summary, std::size_t most) {
  if (summary.expectations.empty()) return "";
  const auto is_new = [&](const CaseRecord& record) { return is_newly_failing(summary, record); };
  std::vector<std::string> causes;
  for (const Cause& cause : summary.causes) {
    const auto cases = std::ranges::count_if(cause.cases, [&](std::size_t index) { return is_new(records[index]); });
    if (cases == 0) continue;
    const std::optional<std::string> where = expected_where(summary, cause, records);
    causes.push_back(fmt::format("{} in {} of {} cases: {}; {}{}", cause.is_wrong ? "wrong" : "refused", cases,
                                 cause.cases.size(), displayed_line(cause.sentence), displayed_line(cause.where),
                                 where ? "; expected only: " + displayed_line(*where) : ""));
  }
  std::vector<std::string> failing;
  for (const CaseRecord& record : records) {
    if (!is_new(record)) continue;
    failing.push_back(displayed_line(record.id) + unexpected_way(summary.expectations, record));
  }
  std::vector<std::string> passing;
  std::vector<std::string> expired;
  std::vector<std::string> stale;
  for (const KnownFailureOutcome& row : summary.expectations) {
    for (const std::string& id : row.unexpected_passes) passing.push_back(displayed_line(id));
    if (row.expired)
      expired.push_back(
          fmt::format("{}, on {}", displayed_line(cases_in_words(row.expectation)), *row.expectation.expires));
    if (row.stale()) stale.push_back(displayed_line(cases_in_words(row.expectation)));
  }
  const std::string text = list_text("unexpected causes", causes, most) + list_text("newly failing", failing, most) +
                           list_text("newly passing", passing, most) +
                           list_text("expired expectations", expired, most) +
                           list_text("expectations that no case meets", stale, most);
  return text.empty() ? "" : '\n' + text;
}

}  // namespace touchstone::conformance
