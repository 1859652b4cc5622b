// The suite `onnx`: the node tests that ONNX's releases contain for these operators.
#pragma once

#include <filesystem>
#include <vector>

#include "conformance/plan/planned_case.h"

namespace touchstone::conformance {

/// Every test directory at or below `options.data`. An id is onnx/ and the relative path:
/// onnx/1.22.0/test_quantizelinear_axis.
std::vector<PlannedCase> plan_onnx_suite(const SuiteOptions& options);

/// The location where tools/setup puts the tests: $TOUCHSTONE_DATA, otherwise onnx-node-tests in the cache
/// ($TOUCHSTONE_CACHE, $XDG_CACHE_HOME/touchstone or ~/.cache/touchstone). Throws FileError if none of them is set.
std::filesystem::path default_onnx_tests();

}  // namespace touchstone::conformance
