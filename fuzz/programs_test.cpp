// A fuzz target with a backend: its exit codes, and its messages about a failing backend.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tools/touchstone/program_testing.h"

namespace touchstone::tools::programs_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// libFuzzer's exit code after a crash.
constexpr int crashed = 77;

/// Runs one input.
Outcome replay(const TemporaryDirectory& scratch, const std::string& backend, const std::string& options = "") {
  write_file(scratch.path() / "input", "0123456789abcdefghijklmnopqrstuvwxyz");
  return touchstone(scratch, {"input"}, [&] {
    ::setenv("FUZZ_BACKEND", backend.c_str(), 1);
    ::setenv("FUZZ_OPTIONS", options.c_str(), 1);
    ::setenv("TOUCHSTONE_FUZZ_REPRODUCERS", "found", 1);
  });
}

/// A worker that behaves on every example like the mode of hostile_worker.cpp with this name.
std::string hostile(const std::string& mode) {
  return "exec:" + std::string(TOUCHSTONE_HOSTILE_WORKER) + " " + mode + " '' ''";
}

struct FaultRow {
  const char* mode;
  const char* verdict;
};

class BackendAtFault : public testing::TestWithParam<FaultRow> {};

TEST_P(BackendAtFault, IsFound) {
  const TemporaryDirectory scratch;
  const Outcome run = replay(scratch, hostile(GetParam().mode), "--timeout 1");
  EXPECT_EQ(run.exit_code, crashed);
  EXPECT_THAT(run.error, HasSubstr(GetParam().verdict));
  EXPECT_THAT(run.error, HasSubstr("touchstone replay onnx/QuantizeLinear-28-"));
  std::vector<std::string> kept;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(scratch.path() / "found"))
    kept.push_back(entry.path().filename());
  EXPECT_THAT(kept, testing::IsSupersetOf({"model.onnx", "input_0.pb", "replay.txt"}));
}

INSTANTIATE_TEST_SUITE_P(Verdicts, BackendAtFault,
                         testing::Values(FaultRow{"wrong_value", "fail"}, FaultRow{"segv", "crash"},
                                         FaultRow{"hang", "timeout"}),
                         [](const auto& row) { return std::string(row.param.verdict); });

TEST(BackendOfATarget, IsNotAskedToExceedTheAssumptions) {
  const TemporaryDirectory scratch;
  EXPECT_EQ(replay(scratch, hostile("wrong_value"), "--assume opsets=ai.onnx:1-2").exit_code, 0);
}

struct OpenRow {
  std::string backend;
  const char* options;
  const char* error;
};

const OpenRow open_rows[] = {
    {"", "", "FUZZ_BACKEND is not set"},
    {"nobody", "", "FUZZ_BACKEND=nobody: unknown backend 'nobody'"},
    {hostile("dies_at_start"), "", "no device found"},
    {"reference", "--nonsense", "FUZZ_OPTIONS=--nonsense: "},
    {"reference", "--timeout never", "--timeout"},
    {"reference", "--assume nothing", "--assume"},
};

TEST(BackendOfATarget, ThatCannotStartIsNotAFinding) {
  for (const OpenRow& row : open_rows) {
    SCOPED_TRACE(row.error);
    const TemporaryDirectory scratch;
    const Outcome run = replay(scratch, row.backend, row.options);
    EXPECT_EQ(run.exit_code, 3);
    EXPECT_THAT(run.error, HasSubstr(row.error));
    EXPECT_THAT(run.out, IsEmpty());
  }
}

}  // namespace
}  // namespace touchstone::tools::programs_test
