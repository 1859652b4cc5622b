// report.json: a run for programs to read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/report/summary.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

struct RunInfo {
  BackendIdentity backend;
  std::string suite;
  std::string filter;
};

/// Encoded as UTF-8; what is not valid UTF-8 in a message from outside is replaced.
std::string to_json(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records);

/// Creates the directories that are missing and replaces the file in one step, so that no half of one is ever seen.
/// Throws FileError.
void write_file_whole(const std::filesystem::path& path, std::string_view content);

}  // namespace touchstone::conformance
