// What is unexpected in a run, for the pages of CI engines.
#pragma once

#include <string>
#include <vector>

#include "conformance/report/summary.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

/// Something unexpected: a cause, or an expectation that is not met. Its texts have one line each, and are printable.
struct Annotation {
  std::string title;  ///< "wrong in 12 of 14 cases"
  std::string text;
  std::string key;       ///< what it is about, without numbers that change from run to run
  const char* severity;  ///< that of GitLab
};

/// The causes first, in the order of the report, then newly passing cases, and expectations that expired or that no
/// case meets. Empty if the run is as expected. `records` are those of the summary.
std::vector<Annotation> annotations(const Summary& summary, const std::vector<CaseRecord>& records);

/// Commands that GitHub shows as annotations: "::error title=...::...", at most ten lines, as many as GitHub shows.
std::string github_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records);

/// GitLab's Code Quality report: an array in JSON, in ASCII.
std::string gitlab_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records);

}  // namespace touchstone::conformance
