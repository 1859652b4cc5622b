#include "conformance/report/annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "conformance/causes/messages.h"
#include "conformance/files/sha256.h"
#include "conformance/files/text.h"
#include "conformance/plan/number.h"
#include "conformance/report/expected.h"
#include "conformance/report/json_report.h"

namespace touchstone::conformance {

namespace {

constexpr std::size_t most_of_github = 10;

/// Escapes text for a workflow command of GitHub. In properties, a comma and a colon are separators.
std::string in_command(const std::string& text, bool is_property) {
  std::string escaped;
  for (const char character : text)
    if (character == '%' || character == '\r' || character == '\n' ||
        (is_property && (character == ':' || character == ',')))
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(character));
    else
      escaped += character;
  return escaped;
}

std::string github_line(const std::string& title, const std::string& text) {
  return fmt::format("::error title={}::{}\n", in_command("Touchstone: " + title, true), in_command(text, false));
}

}  // namespace

std::vector<Annotation> annotations(const Summary& summary, const std::vector<CaseRecord>& records) {
  std::vector<Annotation> found;
  const auto add = [&](const std::string& title, const std::string& text, const std::string& key,
                       const char* severity) {
    found.push_back({displayed_line(title), displayed_line(text), displayed_line(key), severity});
  };
  for (const Cause& cause : summary.causes) {
    const auto cases = std::ranges::count_if(
        cause.cases, [&](std::size_t place) { return is_newly_failing(summary, records[place]); });
    if (cases == 0) continue;
    const char* what = cause.is_wrong ? "wrong" : "refused";
    const std::optional<std::string> expected = expected_where(summary, cause, records);
    add(fmt::format("{} in {} of {} cases", what, with_commas(static_cast<std::size_t>(cases)),
                    with_commas(cause.cases.size())),
        fmt::format("{}; {}{}; for example {}{}{}", cause.sentence, cause.where,
                    expected ? "; expected only: " + *expected : "", cause.example,
                    cause.example_element.empty() ? "" : ": ", cause.example_element),
        fmt::format("{}: {}; {}; {}", what, cause.name.empty() ? cause.sentence : cause.name, cause.where,
                    normalized_message(cause.message)),
        cause.is_wrong ? "critical" : "major");
  }
  // Cases without a cause: the backend was not asked, or the harness failed.
  for (const auto& [what, of_class] : {std::pair("required, and not asked", AnswerClass::not_asked),
                                       std::pair("not judged", AnswerClass::undecided)}) {
    const auto is_one = [&, of_class = of_class](const CaseRecord& record) {
      return record.answer_class() == of_class && is_newly_failing(summary, record);
    };
    const auto first = std::ranges::find_if(records, is_one);
    if (first == records.end()) continue;
    add(fmt::format("{}: {}", what, with_commas(static_cast<std::size_t>(std::ranges::count_if(records, is_one)))),
        fmt::format("{}; for example {}", *first->reason, *first->id), what, "major");
  }
  if (const std::string not_run = not_run_in_words(summary); !not_run.empty())
    add("incomplete", not_run, "incomplete", "major");
  for (const KnownFailureOutcome& row : summary.expectations) {
    const std::string about = cases_in_words(row.expectation);
    const std::string reason = why(row.expectation);
    if (const std::size_t passes = row.unexpected_passes.size(); passes > 0)
      add(fmt::format("{} {} newly", with_commas(passes), passes == 1 ? "case passes" : "cases pass"),
          fmt::format("{}, expected: {}; for example {}", about, reason, row.unexpected_passes.front()),
          "passes: " + about, "minor");
    if (row.expired)
      add(fmt::format("an expectation expired on {}", *row.expectation.expires), fmt::format("{}: {}", about, reason),
          "expired: " + about, "minor");
    if (row.stale())
      add("an expectation that no case meets", fmt::format("{}: {}", about, reason), "stale: " + about, "minor");
  }
  return found;
}

std::string github_report(const RunInfo&, const Summary& summary, const std::vector<CaseRecord>& records) {
  const std::vector<Annotation> all = annotations(summary, records);
  const std::size_t shown = all.size() > most_of_github ? most_of_github - 1 : all.size();
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += github_line(all[i].title, all[i].text);
  if (shown < all.size())
    text += github_line(fmt::format("and {} more", all.size() - shown), "report.md and report.html have them");
  return text;
}

std::string gitlab_report(const RunInfo&, const Summary& summary, const std::vector<CaseRecord>& records) {
  Json rows = Json::array();
  for (const Annotation& one : annotations(summary, records))
    rows.push_back({{"description", fmt::format("{}: {}", one.title, one.text)},
                    {"check_name", "touchstone"},
                    {"fingerprint", sha256({one.key})},
                    {"severity", one.severity},
                    {"location", {{"path", "report.html"}, {"lines", {{"begin", 1}}}}}});
  return indented(rows, 0) + '\n';
}

}  // namespace touchstone::conformance
