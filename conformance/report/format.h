// The formats of reports. All reports are made from the records of a journal.
#pragma once

#include <filesystem>
#include <span>
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
  /// Passes the report, in UTF-8, to the sink in parts, because reports with a line for each case are large. Texts from
  /// models and backends are escaped as the format requires.
  void (*render)(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records, const Sink& sink);
};

std::span<const ReportFormat> report_formats();

/// A format by its name; null if there is none.
const ReportFormat* find_report_format(std::string_view name);

}  // namespace touchstone::conformance
