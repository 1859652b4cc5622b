// The suites: cases under a common name.
#pragma once

#include <filesystem>
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
  bool is_default;  ///< runs if no suites are named
  /// All cases, with unique ids, always in the same order. Throws FileError if they cannot be found.
  std::vector<PlannedCase> (*plan)(const SuiteOptions& options);
};

/// The name of the suite of a user's model.
inline constexpr std::string_view model_suite = "model";

/// The name of the suite of random nodes.
inline constexpr std::string_view random_suite = "random";

std::span<const SuiteInfo> suites();

/// A suite by its name; null if there is none.
const SuiteInfo* find_suite(std::string_view name);

/// The cases of several suites, one suite after the other. If `options.data` is empty, suites that read files read
/// those of tools/setup. Throws std::invalid_argument for an unknown suite; FileError as SuiteInfo::plan does.
std::vector<PlannedCase> plan_suites(std::span<const std::string> names, SuiteOptions options);

/// The suite of a case, by its id.
const SuiteInfo& suite_of(std::string_view id);

/// The suite `generated`: every legal combination, every clause and every rule, derived only from the tables of spec/.
/// The same options give the same cases in the same order. The id of a case does not depend on other cases or on the
/// limits of the forms.
std::vector<PlannedCase> plan_generated_suite(const SuiteOptions& options);

/// The suite `onnx`: the node tests that ONNX's releases contain for these operators, which are every test directory at
/// or below `options.data`. An id is onnx/ and the relative path: onnx/1.22.0/test_quantizelinear_axis.
/// If that is not UTF-8, the bytes that are not become %XX.
std::vector<PlannedCase> plan_onnx_suite(const SuiteOptions& options);

/// The suite `graphs`: small graphs around the operators, which optimizers rewrite. An id is graphs/PATTERN and the
/// parameters. The tier exhaustive has none.
std::vector<PlannedCase> plan_graphs_suite(const SuiteOptions& options);

/// The suite `random`: so many random nodes of the seed. An id is random/SEED/NUMBER, and means the same however many
/// there are.
std::vector<PlannedCase> plan_random_suite(const SuiteOptions& options);

/// The suite `model`: the quantization operators and the units of the model in the file `options.data`; see
/// conformance/units.
std::vector<PlannedCase> plan_model_suite(const SuiteOptions& options);

/// The location where tools/setup puts the tests: $TOUCHSTONE_DATA, otherwise onnx-node-tests in the cache
/// ($TOUCHSTONE_CACHE, $XDG_CACHE_HOME/touchstone or ~/.cache/touchstone). Throws FileError if none of them is set.
std::filesystem::path default_onnx_tests();

}  // namespace touchstone::conformance
