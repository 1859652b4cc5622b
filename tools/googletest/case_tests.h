// Cases as tests of GoogleTest: their names and their results. Only register_cases.h needs GoogleTest itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/judge/judge.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/known_failures.h"

namespace touchstone::conformance {

using MakeBackend = std::function<std::unique_ptr<Backend>()>;

struct CaseTestOptions {
  std::vector<std::string> suites = {"generated"};  ///< also "onnx", whose files tools/setup downloads; "random"
  Tier tier = Tier::smoke;
  std::uint64_t seed = 0;
  std::uint64_t examples = 1000;    ///< for the suite random
  std::string filter = "*";         ///< selects ids like touchstone run --filter; --gtest_filter selects among these
  std::filesystem::path data = {};  ///< for the suite onnx; empty: where tools/setup puts it
  std::filesystem::path expectations = {};  ///< known failures by patterns, as for touchstone run; they are skipped
  JudgeOptions judge = {};
  /// The limits of the backend, as in touchstone run --assume. Where possible, its tests get forms within them. The
  /// backend is created after the plan, so limits of forms that it declares itself must be repeated here.
  Capabilities assumed = {};
};

struct CaseTest {
  std::string suite;  ///< for "quantize_linear/21/f16-f16-i4/blocked/zp/values": "quantize_linear/21"
  std::string name;   ///< "f16_f16_i4/blocked/zp/values"
  PlannedCase planned;
};

struct CaseTestResult {
  enum class Kind { passed, failed, skipped } kind;
  Verdict verdict;
  std::string text = {};  ///< a failure as touchstone run prints it, or why the test is skipped
};

class CaseTests {
 public:
  /// Plans the cases; the backend is created when the first of them runs. Throws std::invalid_argument for an unknown
  /// suite or a filter that matches no case, and FileError if data or expectations cannot be read.
  CaseTests(MakeBackend make_backend, const CaseTestOptions& options);

  /// In the order of the plan. No two tests have the same suite and name, and the names have no characters with a
  /// meaning in --gtest_filter.
  std::span<const CaseTest> tests() const { return tests_; }

  /// A case that is right is passed, and one that is wrong or refused has failed. An expected failure is skipped, and
  /// so is a case that the backend is not asked, or that shows nothing. A pass where a failure is expected has failed.
  CaseTestResult run(const CaseTest& test);

 private:
  MakeBackend make_backend_;
  JudgeOptions judge_;
  std::vector<KnownFailure> expectations_;
  std::vector<CaseTest> tests_;
  std::unique_ptr<Backend> backend_;
};

}  // namespace touchstone::conformance
