#include "conformance/report/unexpected.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "conformance/files/text.h"
#include "conformance/report/expected.h"

namespace touchstone::conformance {

namespace {

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
