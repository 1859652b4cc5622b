// The formats of reports: every one is made from the records of a journal.
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

struct ReportFormat {
  std::string_view name;       ///< as --format takes it
  std::string_view file_name;  ///< in the output directory
  std::string_view description;
  /// Hands the report over, in UTF-8, as it is made: those with a line for each case are large. Texts that come from
  /// models and backends are escaped as the format demands.
  void (*render)(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records, const Sink& sink);
};

std::span<const ReportFormat> report_formats();

/// A format by its name; null if there is none.
const ReportFormat* find_report_format(std::string_view name);

// The renderers. Each one has a file of its own.

/// The page of html/ with the run as JSON. The more cases fail, the fewer wrong elements of each it contains, so that
/// it stays small enough for a browser.
std::string html_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records);

/// As report.schema.json has it, in ASCII; what is not valid UTF-8 in a text from outside is replaced. One line for
/// each case.
void json_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records, const Sink& sink);

/// All of it but the cases: small enough to be kept of every run.
std::string json_summary(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records);

/// A test suite for each operator version, a test case for each case. Cases whose model could not be read have a suite
/// of their own; so have, as a single skipped test case, all those of the plan that have no record.
std::string junit_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records);

/// Totals, the matrix of each operator, the readings that explain pass_variants, and the first problems, as
/// GitHub-flavoured Markdown.
std::string markdown_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records);

/// RFC 4180: a header, then a line for each case. Lists in a field are separated by spaces. A text that a spreadsheet
/// would take for a formula has an apostrophe before it.
void csv_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records, const Sink& sink);

}  // namespace touchstone::conformance
