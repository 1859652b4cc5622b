// --lower-level: from which level of optimizations on a graph is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/touchstone/runs_testing.h"

namespace touchstone::tools::lower_level_test {
namespace {

using testing::HasSubstr;

constexpr const char* wrong_backend = "wrong:removes-relu-before-quantize";

std::vector<std::string> run_with(const std::vector<std::string>& options) {
  std::vector<std::string> arguments{
      "run",       "--suite",     "graphs",   "--tier", "smoke", "--filter", "graphs/dq_relu_ql/1*/u8/*",
      "--backend", wrong_backend, "--output", "out"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return arguments;
}

TEST(LowerLevel, IsNamedInTheCause) {
  const TemporaryDirectory scratch;
  const Outcome ran = touchstone(scratch, run_with({"--lower-level", "reference", "--lower-level", "optimized"}));
  EXPECT_EQ(ran.exit_code, 1) << ran.error;
  EXPECT_THAT(unwrapped(ran.out), HasSubstr(std::string("; from ") + wrong_backend + " on "));
  const auto report = report_in(scratch.path() / "out");
  EXPECT_EQ(report["options"]["lower_levels"], nlohmann::json({"reference", "optimized"}));
  bool has_wrong = false;
  for (const auto& one : report["cases"]) {
    if (one["class"] != "wrong") continue;
    has_wrong = true;
    EXPECT_EQ(one["lowest_level"], wrong_backend);
    EXPECT_EQ(one["level_below"], "optimized");
  }
  EXPECT_TRUE(has_wrong);

  const Outcome resumed = touchstone(scratch, {"run", "--resume", "out", "--lower-level", "reference"});
  EXPECT_EQ(resumed.exit_code, 2);
  EXPECT_THAT(resumed.error, HasSubstr("that run has --lower-level 'reference, optimized', not 'reference'"));
}

TEST(LowerLevel, MayBeWrongToo) {
  const TemporaryDirectory scratch;
  EXPECT_THAT(touchstone(scratch, run_with({"--lower-level", wrong_backend})).out, HasSubstr("; at every level\n"));
}

TEST(LowerLevel, MustBeABackend) {
  const TemporaryDirectory scratch;
  const Outcome unknown = touchstone(scratch, run_with({"--lower-level", "optimised"}));
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.error, HasSubstr("unknown backend 'optimised'"));
  EXPECT_FALSE(fs::exists(scratch.path() / "out/journal.ndjson.gz"));
}

/// The workers are programs without answers: only their names matter.
TEST(LowerLevel, IsListedForANamedBackend) {
  const TemporaryDirectory scratch;
  const fs::path directory = scratch.path() / "backends/fast";
  write_file(directory / "levels", "# the lowest first\nfast\nfast:some\nfast:all\n");
  write_file(directory / "worker", "#!/bin/sh\nexec " TOUCHSTONE_PROGRAM " serve --backend reference\n");
  fs::permissions(directory / "worker", fs::perms::owner_all);
  const auto levels = [&](const std::string& backend) {
    const Outcome ran = touchstone(scratch,
                                   {"run", "--suite", "graphs", "--tier", "smoke", "--filter", "graphs/ql_dq/1*",
                                    "--backend", backend, "--output", "out"},
                                   [&] { ::setenv("TOUCHSTONE_BACKENDS", (scratch.path() / "backends").c_str(), 1); });
    EXPECT_EQ(ran.exit_code, 0) << ran.error;
    return report_in(scratch.path() / "out")["options"].value("lower_levels", nlohmann::json::array());
  };
  EXPECT_EQ(levels("fast:all"), nlohmann::json({"fast", "fast:some"}));
  EXPECT_EQ(levels("fast"), nlohmann::json::array());
  EXPECT_EQ(levels("fast:other"), nlohmann::json::array());
}

}  // namespace
}  // namespace touchstone::tools::lower_level_test
