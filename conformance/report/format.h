// The formats of reports. All reports are made from the records of a journal.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/file_io.h"
#include "conformance/report/summary.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

/// The version of the format of report.json.
inline constexpr int report_format = 2;

struct ReportFormat {
  std::string_view name;       ///< as --format takes it
  std::string_view file_name;  ///< in the output directory
  std::string_view description;
  /// Passes the report, in UTF-8, to the sink in parts, because reports with a line for each case are large. Texts from
  /// models and backends are escaped as the format requires.
  void (*render)(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records, const Sink& sink);
  const char* only_if = nullptr;  ///< a run writes the report only if this environment variable is "true"; null: always

  bool is_written() const;  ///< by runs in this environment
};

std::span<const ReportFormat> report_formats();

/// A format by its name; null if there is none.
const ReportFormat* find_report_format(std::string_view name);

// The renderers. Each one has a file of its own.

/// The page of html/ with the run as JSON. The more cases fail, the fewer wrong elements of each it contains, so that
/// it stays small enough for a browser.
void html_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records, const Sink& sink);

/// Follows report.schema.json, in ASCII. Invalid UTF-8 in untrusted texts is replaced. One line for each listed case.
void json_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records, const Sink& sink);

/// The report without the cases: small enough to be kept for every run.
std::string json_summary(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records);

/// What touchstone compare reads: follows result.schema.json, in ASCII, at most compact_result_bytes.
std::string compact_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records);

/// The member `fingerprint` of the report alone.
std::string json_fingerprint(const std::vector<FingerprintRow>& fingerprint);

/// A test suite for each operator version, and a test case for each case that did not pass; the others are a single one
/// unless all cases are listed. Cases whose model could not be read have
/// their own suite. Cases of the plan without a record are a single skipped test case in another suite. If many cases
/// fail, only the first ones have messages and details, so that GitLab accepts the report.
void junit_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records, const Sink& sink);

/// Totals, the matrix of each operator, the readings that explain pass_variants, and the first problems, as
/// GitHub-flavoured Markdown.
std::string markdown_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records);

/// RFC 4180: a header, then a line for each listed case. Lists in a field are separated by spaces. A text that a
/// spreadsheet would treat as a formula is preceded by an apostrophe.
void csv_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records, const Sink& sink);

}  // namespace touchstone::conformance
