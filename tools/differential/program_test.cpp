// The program `touchstone-differential`: its options, its streams and its exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tools/touchstone/program_testing.h"

namespace touchstone::tools {
namespace {

using testing::HasSubstr;

TEST(DifferentialProgram, SaysHowManyExamplesPassed) {
  const TemporaryDirectory scratch;
  const Outcome run = touchstone(scratch, {"--examples", "50", "--first", "7", "--seed", "3", "--isa", "portable"});
  EXPECT_EQ(run.exit_code, 0) << run.error;
  EXPECT_THAT(run.out, HasSubstr("50 examples from 7 of seed 3"));
  EXPECT_THAT(run.out, HasSubstr("0 failed"));
  EXPECT_FALSE(fs::exists(scratch.path() / "touchstone-reproducers"));
}

TEST(DifferentialProgram, TakesAnyBackend) {
  const TemporaryDirectory scratch;
  EXPECT_EQ(touchstone(scratch, {"--backend", "reference", "--examples", "20"}).exit_code, 0);
}

TEST(DifferentialProgram, StopsWhenItsTimeIsOver) {
  const TemporaryDirectory scratch;
  EXPECT_EQ(touchstone(scratch, {"--minutes", "0.01"}).exit_code, 0);
  EXPECT_EQ(touchstone(scratch, {"--minutes", "0.01", "--examples", "1000000000"}).exit_code, 4);
}

struct UsageRow {
  std::vector<std::string> arguments;
  int exit_code;
  const char* message;
};

const UsageRow usage_rows[] = {
    {{"--backend", "nobody"}, 2, "there is no backend 'nobody'"},
    {{"--isa", "mmx"}, 2, "--isa"},
    {{"--isa", "portable", "--backend", "reference"}, 2, "--isa is of the backend optimized"},
    {{"--examples", "-1"}, 2, "no whole number"},
    {{"--minutes", "0"}, 2, "--minutes"},
    {{"--failures", "0"}, 2, "--failures"},
    {{"--examples", "0"}, 5, "nothing is tried"},
    {{"surplus"}, 2, "surplus"},
};

TEST(DifferentialProgram, SaysWhatIsWrongWithItsOptions) {
  for (const UsageRow& row : usage_rows) {
    SCOPED_TRACE(testing::PrintToString(row.arguments));
    const TemporaryDirectory scratch;
    const Outcome run = touchstone(scratch, row.arguments);
    EXPECT_EQ(run.exit_code, row.exit_code);
    EXPECT_THAT(run.error, HasSubstr(row.message));
    EXPECT_EQ(run.out, "");
  }
}

/// The signal comes while examples are being tried.
Outcome interrupted_by(const TemporaryDirectory& scratch, int signal) {
  const pid_t child = start(scratch, {"--examples", "1000000000"});
  std::this_thread::sleep_for(std::chrono::seconds(1));
  ::kill(child, signal);
  return wait_for(scratch, child);
}

TEST(DifferentialProgram, StopsWhenItIsAskedTo) {
  const TemporaryDirectory scratch;
  const Outcome run = interrupted_by(scratch, SIGTERM);
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.out, HasSubstr("0 failed"));
}

TEST(DifferentialProgram, SaysAtWhichExampleItCrashed) {
  const TemporaryDirectory scratch;
  const Outcome run = interrupted_by(scratch, SIGSEGV);
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.error, HasSubstr("a crash at example"));
  EXPECT_THAT(run.error, HasSubstr("--examples 1\n"));
}

}  // namespace
}  // namespace touchstone::tools
