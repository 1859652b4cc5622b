// The suites: cases under a common name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/plan/planned_case.h"

namespace touchstone::conformance {

struct SuiteInfo {
  std::string_view name;
  std::string_view description;
  bool reads_files;
  /// All cases, with unique ids, always in the same order. Throws FileError if they cannot be found.
  std::vector<PlannedCase> (*plan)(const SuiteOptions& options);
};

std::span<const SuiteInfo> suites();

/// A suite by its name; null if there is none.
const SuiteInfo* find_suite(std::string_view name);

/// The cases of several suites, one suite after the other. If `options.data` is empty, suites that read files read
/// those of tools/setup. Throws std::invalid_argument if there is no such suite; FileError as SuiteInfo::plan does.
std::vector<PlannedCase> plan_suites(std::span<const std::string> names, SuiteOptions options);

/// The suite of a case, by its id.
const SuiteInfo& suite_of(std::string_view id);

}  // namespace touchstone::conformance
