#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "conformance/files/text.h"
#include "conformance/report/expected.h"
#include "conformance/report/format.h"
#include "conformance/report/layout.h"
#include "conformance/report/replay_line.h"

namespace touchstone::conformance {

namespace {

/// The beginnings of texts that spreadsheets treat as formulas; the last four are fullwidth forms, which some accept.
constexpr std::array<std::string_view, 8> begin_formulas{"=", "+", "-", "@", "＝", "＋", "－", "＠"};

bool is_formula(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\n"), text.size());  // some skip these
  return std::any_of(begin_formulas.begin(), begin_formulas.end(),
                     [&](std::string_view sign) { return text.substr(begin).starts_with(sign); });
}

std::string quoted(const std::string& text) {
  const std::string shown = displayed(text);
  std::string result = is_formula(shown) ? "\"'" : "\"";
  for (const char character : shown) {
    if (character == '"') result += '"';
    result += character;
  }
  return result + '"';
}

std::string cells_text(const CaseRecord& record) {
  std::vector<std::string> cells;
  for (const Cell& cell : record.cells) cells.push_back(to_string(cell));
  return fmt::format("{}", fmt::join(cells, " "));
}

std::string readings_text(const CaseRecord& record) {
  std::vector<std::string> readings;
  for (const ReadingId& row : record.readings) readings.push_back(fmt::format("{}:{}", row.ambiguity, row.reading));
  return fmt::format("{}", fmt::join(readings, " "));
}

/// The issue of the expectation that the case meets; empty for other cases.
std::string expected_text(const RunInfo&, const CaseRecord& record, const Summary& summary) {
  const KnownFailure* expectation = expected_by(summary, record);
  return quoted(expectation ? expectation->issue : "");
}

/// The command that replays a case that did not pass.
std::string replay_text(const RunInfo& run, const CaseRecord& record, const Summary&) {
  return is_pass(record.verdict) ? "" : quoted(replay_line(run, record.id));
}

/// Digests do not compress: whole ones would be more than half of a compressed report. The journal has them.
constexpr std::size_t digest_digits = 16;

struct Column {
  std::string_view heading;
  std::string (*text)(const RunInfo& run, const CaseRecord& record, const Summary& summary);
};

/// A text about the model; empty if the model could not be read.
template <class Text>
std::string of_subject(const CaseRecord& record, Text text) {
  return record.subject ? text(record.subject) : std::string();
}

using Subject = CaseRecord::Subject;

// clang-format off
constexpr std::array csv_columns{
    Column{"id", [](const RunInfo&, const CaseRecord& record, const Summary&) { return quoted(record.id); }},
    Column{"verdict", [](const RunInfo&, const CaseRecord& record, const Summary&) { return std::string(name(record.verdict)); }},
    Column{"domain", [](const RunInfo&, const CaseRecord& record, const Summary&) { return of_subject(record, [](const Subject& subject) { return std::string(subject.version->domain); }); }},
    Column{"operator", [](const RunInfo&, const CaseRecord& record, const Summary&) { return of_subject(record, [](const Subject& subject) { return std::string(spec::name(subject.version->op)); }); }},
    Column{"opset", [](const RunInfo&, const CaseRecord& record, const Summary&) { return of_subject(record, [](const Subject& subject) { return std::to_string(subject.opset); }); }},
    Column{"version", [](const RunInfo&, const CaseRecord& record, const Summary&) { return of_subject(record, [](const Subject& subject) { return std::to_string(subject.version->since_version); }); }},
    Column{"type", [](const RunInfo&, const CaseRecord& record, const Summary&) { return of_subject(record, [](const Subject& subject) { return std::string(spec::name(subject.quantized_type)); }); }},
    Column{"granularity", [](const RunInfo&, const CaseRecord& record, const Summary&) { return fmt::format("{}", fmt::join(granularities(record), " ")); }},
    Column{"form", [](const RunInfo&, const CaseRecord& record, const Summary&) { return quoted(record.form); }},
    Column{"violated", [](const RunInfo&, const CaseRecord& record, const Summary&) { return std::string(record.violated_id()); }},
    Column{"readings", [](const RunInfo&, const CaseRecord& record, const Summary&) { return readings_text(record); }},
    Column{"elements", [](const RunInfo&, const CaseRecord& record, const Summary&) { return std::to_string(record.elements); }},
    Column{"masked", [](const RunInfo&, const CaseRecord& record, const Summary&) { return std::to_string(record.masked); }},
    Column{"digest", [](const RunInfo&, const CaseRecord& record, const Summary&) { return to_hex(record.digest).substr(0, digest_digits); }},
    Column{"output_digest", [](const RunInfo&, const CaseRecord& record, const Summary&) { return fmt::format("{:016x}", record.output_digest); }},
    Column{"plan", [](const RunInfo& run, const CaseRecord&, const Summary&) { return quoted(run.plan_hash); }},
    Column{"cells", [](const RunInfo&, const CaseRecord& record, const Summary&) { return cells_text(record); }},
    Column{"clauses", [](const RunInfo&, const CaseRecord& record, const Summary&) { return fmt::format("{}", fmt::join(record.clauses, " ")); }},
    Column{"replay", replay_text},
    Column{"expected", expected_text},
    Column{"flaky", [](const RunInfo&, const CaseRecord& record, const Summary&) { return quoted(record.flaky); }},
    Column{"reason", [](const RunInfo&, const CaseRecord& record, const Summary&) { return quoted(record.reason); }},
    Column{"class", [](const RunInfo&, const CaseRecord& record, const Summary&) { return std::string(info(record.answer_class()).id); }},
    Column{"journal", [](const RunInfo&, const CaseRecord&, const Summary& summary) { return summary.journal; }},
    Column{"content", [](const RunInfo&, const CaseRecord&, const Summary& summary) { return summary.content; }},
};
// clang-format on

}  // namespace

void csv_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records, const Sink& sink) {
  std::string text;
  for (const Column& column : csv_columns) text += fmt::format("{}{}", text.empty() ? "" : ",", column.heading);
  sink(text + "\r\n");
  for (const CaseRecord& record : records) {
    if (!is_listed(summary, record)) continue;
    text.clear();
    std::string_view separator;
    for (const Column& column : csv_columns) {
      text += separator;
      text += column.text(run, record, summary);
      separator = ",";
    }
    sink(text + "\r\n");
  }
}

}  // namespace touchstone::conformance
