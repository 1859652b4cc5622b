// A suite: cases under a common name, known by their ids and read one by one.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/plan/case.h"

namespace touchstone::conformance {

/// A case that is not in memory yet: what is wrong with it is its own affair, not that of the others.
struct PlannedCase {
  std::string id;
  std::function<Case()> read;  ///< throws FileError
};

struct SuiteOptions {
  std::filesystem::path data;  ///< of suites that read files
};

struct SuiteInfo {
  std::string_view name;
  std::string_view description;
  /// All cases, sorted by id. Throws FileError if they cannot be found.
  std::vector<PlannedCase> (*plan)(const SuiteOptions& options);
};

std::span<const SuiteInfo> suites();

/// A suite by its name; null if there is none.
const SuiteInfo* find_suite(std::string_view name);

}  // namespace touchstone::conformance
