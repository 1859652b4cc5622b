#include "conformance/report/expectations_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "conformance/files/file_error.h"
#include "conformance/files/limits.h"
#include "conformance/files/text.h"
#include "conformance/report/details.h"
#include "conformance/report/expected.h"
#include "conformance/report/json_report.h"
#include "conformance/report/replay_line.h"

namespace touchstone::conformance {

namespace {

/// An entry must name an issue, which only its owner knows.
constexpr std::string_view no_issue = "none yet";

constexpr std::size_t longest_reason = 300;

bool is_blank(const std::string& text) { return text.find_first_not_of(" \t\r\n") == std::string::npos; }

/// A pattern for the case. Characters that have a meaning in patterns become those that match any character.
std::string pattern_for(std::string id) {
  for (char& character : id)
    if (character == ':' || character == '*') character = '?';
  if (id.starts_with('-')) id.front() = '?';
  return id;
}

KnownFailure entry_for(const Cause& cause, Verdict verdict) {
  KnownFailure entry{
      .pattern = "*",
      .verdict = verdict,
      .reason = fmt::format("{}; for example {}", displayed_line(cause.sentence), displayed_line(cause.example)),
      .issue = std::string(no_issue),
      .cause = cause.name.empty() ? cause.sentence : cause.name,
      .where = is_blank(cause.where) ? "" : cause.where};
  if (cause.is_by_message && !is_blank(cause.message)) entry.message = valid_utf8(cause.message);
  return entry;
}

KnownFailure entry_for(const CaseRecord& record) {
  const std::string reason = printable(displayed_line(reason_text(record)), longest_reason);
  return {pattern_for(std::string(*record.id)), record.verdict,
          is_blank(reason) ? std::string(name(record.verdict)) : reason, std::string(no_issue)};
}

/// Whether the run's own entries hold: not expired, and met by all cases about which they decide.
std::vector<bool> which_hold(const Summary& summary, const std::vector<CaseRecord>& records) {
  const KnownFailureOutcomes& outcomes = summary.expectations;
  std::vector<bool> hold;
  for (const KnownFailureOutcome& row : outcomes)
    hold.push_back(!row.expired && !row.stale() && row.unexpected_passes.empty());
  for (const CaseRecord& record : records)
    if (const KnownFailureOutcome* row = outcomes.deciding(record); row != nullptr && is_newly_failing(summary, record))
      hold[static_cast<std::size_t>(row - &outcomes[0])] = false;
  return hold;
}

Json to_json(const KnownFailure& entry) {
  Json json = Json::object();
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) json[name] = text;
  };
  if (entry.cause.empty() || entry.pattern != "*") add("pattern", entry.pattern);
  add("cause", entry.cause);
  add("where", entry.where);
  add("message", entry.message);
  json["verdict"] = name(entry.verdict);
  add("reason", entry.reason);
  add("issue", entry.issue);
  add("expires", entry.expires.value_or(""));
  return json;
}

}  // namespace

std::string expectations_file(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records,
                              const std::string& origin) {
  const KnownFailureOutcomes& outcomes = summary.expectations;
  const std::vector<bool> holds = which_hold(summary, records);
  std::vector<KnownFailure> entries;
  for (std::size_t place = 0; place < holds.size(); ++place)
    if (holds[place]) entries.push_back(outcomes[place].expectation);

  std::vector<bool> is_open(records.size());  // whether the case needs another entry
  for (std::size_t place = 0; place < records.size(); ++place) {
    const KnownFailureOutcome* row = outcomes.deciding(records[place]);
    const bool is_kept = row != nullptr && holds[static_cast<std::size_t>(row - &outcomes[0])];
    is_open[place] = !is_kept && is_failure(summary, records[place]);
  }
  std::set<std::string> named;  // causes that differ in nothing but their cases have one entry
  for (const Cause& cause : summary.causes) {
    if (!cause.is_explained || std::ranges::none_of(cause.cases, [&](std::size_t place) { return is_open[place]; }))
      continue;
    KnownFailure entry = entry_for(cause, records[cause.cases.front()].verdict);
    for (const std::size_t place : cause.cases) is_open[place] = false;
    if (named.insert(cases_in_words(entry)).second) entries.push_back(std::move(entry));
  }
  for (std::size_t place = 0; place < records.size(); ++place)
    if (is_open[place]) entries.push_back(entry_for(records[place]));

  if (entries.size() > limits().expectations)
    throw FileError(origin, fmt::format("would have {} entries, most of them for one case, and the limit is {} "
                                        "(expectations in {})",
                                        entries.size(), limits().expectations, limits_variable));
  Json json{{"comment", fmt::format("Known failures of {}, tier {}, {} cases; from touchstone {} --write-expectations. "
                                    "An entry with a cause holds for the cases to which the report gives that cause.",
                                    displayed_line(title(run.backend)), run.tier, summary.cases, run.tool_version)},
            {"expectations", Json::array()}};
  for (const KnownFailure& entry : entries) json["expectations"].push_back(to_json(entry));
  return indented(json, 0) + '\n';
}

}  // namespace touchstone::conformance
