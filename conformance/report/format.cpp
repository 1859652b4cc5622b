#include "conformance/report/format.h"

#include <array>
#include <cstdlib>

#include "conformance/report/annotations.h"

namespace touchstone::conformance {

namespace {

/// Writes a report that is rendered as one string.
template <std::string (*report)(const RunInfo&, const Summary&, const std::vector<CaseRecord>&)>
void at_once(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records, const Sink& sink) {
  sink(report(run, summary, records));
}

constexpr std::array formats{
    ReportFormat{"html", "report.html", "one page, for people", html_report},
    ReportFormat{"json", "report.json", "everything, for programs", json_report},
    ReportFormat{"summary", "summary.json", "the same without the cases, to be kept", at_once<json_summary>},
    ReportFormat{"compact", "result.json", "a small file for comparisons, to be kept", at_once<compact_report>},
    ReportFormat{"junit", "report.junit.xml", "JUnit XML, for CI systems", junit_report},
    ReportFormat{"markdown", "report.md", "Markdown, for the summary of a CI job", at_once<markdown_report>},
    ReportFormat{"csv", "report.csv", "a line for each case that is not right, for spreadsheets", csv_report},
    ReportFormat{"github", "annotations.txt", "what is unexpected, for GitHub's pages of a job", at_once<github_report>,
                 "GITHUB_ACTIONS"},
    ReportFormat{"gitlab", "gl-code-quality-report.json", "the same, for GitLab's Code Quality", at_once<gitlab_report>,
                 "GITLAB_CI"},
};

}  // namespace

bool ReportFormat::is_written() const {
  const char* value = only_if != nullptr ? std::getenv(only_if) : "true";
  return value != nullptr && value == std::string_view("true");
}

std::span<const ReportFormat> report_formats() { return formats; }

const ReportFormat* find_report_format(std::string_view name) {
  for (const ReportFormat& row : formats)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace touchstone::conformance
