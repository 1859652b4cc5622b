#include "conformance/suites/onnx_suite.h"

#include <algorithm>
#include <cstdlib>

#include "conformance/files/file_error.h"
#include "conformance/files/test_directory.h"
#include "conformance/plan/ordinary_data.h"

namespace touchstone::conformance {

namespace {

std::filesystem::path environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr ? value : "";
}

std::filesystem::path default_cache() {
  if (const auto cache = environment("TOUCHSTONE_CACHE"); !cache.empty()) return cache;
  if (const auto caches = environment("XDG_CACHE_HOME"); !caches.empty()) return caches / "touchstone";
  // Without HOME, ".cache" would be relative to the current directory.
  if (const auto home = environment("HOME"); !home.empty()) return home / ".cache" / "touchstone";
  throw FileError("ONNX's tests",
                  "their location is unknown: set HOME, TOUCHSTONE_CACHE or TOUCHSTONE_DATA, or name a directory with "
                  "--data");
}

/// The path relative to the root. If the root itself is a test, its own name.
std::string name_below(const std::filesystem::path& root, const std::filesystem::path& directory) {
  const std::filesystem::path below = directory.lexically_relative(root);
  if (!below.empty() && below != ".") return below.generic_string();
  const std::filesystem::path absolute = std::filesystem::absolute(directory).lexically_normal();
  return (absolute.has_filename() ? absolute : absolute.parent_path()).filename().string();
}

}  // namespace

std::vector<PlannedCase> plan_onnx_suite(const SuiteOptions& options) {
  std::vector<PlannedCase> cases;
  for (const std::filesystem::path& directory : find_test_directories(options.data)) {
    std::string id = "onnx/" + name_below(options.data, directory);
    const auto read = [directory, id] { return read_test_directory(directory, id); };
    cases.push_back({.id = id, .read = read, .offer_control_candidates = [read](const TakeCase& take) {
                       if (const std::optional<Case> candidate = with_ordinary_data(read())) take(*candidate);
                     }});
  }
  std::sort(cases.begin(), cases.end(), [](const PlannedCase& a, const PlannedCase& b) { return a.id < b.id; });
  return cases;
}

std::filesystem::path default_onnx_tests() {
  if (const auto data = environment("TOUCHSTONE_DATA"); !data.empty()) return data;
  return default_cache() / "onnx-node-tests";
}

}  // namespace touchstone::conformance
