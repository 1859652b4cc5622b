// Cases as tests of GoogleTest: their names, and what becomes of them. Without GoogleTest itself, which only
// register_cases.h needs.
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
  std::vector<std::string> suites = {"generated"};  ///< and "onnx", for which tools/setup fetches the files
  Tier tier = Tier::smoke;
  std::uint64_t seed = 0;
  std::string filter = "*";  ///< of ids, as touchstone run has it; --gtest_filter chooses among those that it takes
  std::filesystem::path data = {};          ///< of the suite onnx; empty: where tools/setup puts it
  std::filesystem::path expectations = {};  ///< known failures, as touchstone run has them: they are skipped
  JudgeOptions judge = {};
  /// What the backend can take, as touchstone run --assume has it: its tests get such forms where they can. What it
  /// declares itself is known only when it is made, after the plan; so for forms it has to stand here, too.
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
  std::string text = {};  ///< of a failure, as touchstone run prints it; of what is skipped, why
};

class CaseTests {
 public:
  /// Plans the cases; the backend is made when the first of them runs. Throws std::invalid_argument: no such suite, no
  /// case that the filter takes; FileError: data or expectations that cannot be read.
  CaseTests(MakeBackend make_backend, const CaseTestOptions& options);

  /// In the order of the plan. No two have both names in common, and in none is anything that --gtest_filter takes for
  /// something else.
  std::span<const CaseTest> tests() const { return tests_; }

  /// Passed is what passes the judge. Skipped is what goes wrong as the expectations say; what passes though they say
  /// otherwise has failed.
  CaseTestResult run(const CaseTest& test);

 private:
  MakeBackend make_backend_;
  JudgeOptions judge_;
  std::vector<KnownFailure> expectations_;
  std::vector<CaseTest> tests_;
  std::unique_ptr<Backend> backend_;
};

}  // namespace touchstone::conformance
