// The program `touchstone-differential`: its options, its streams and its exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>

#include "optimized/isa.h"
#include "tools/touchstone/program_testing.h"

namespace touchstone::tools::program_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(DifferentialProgram, ReportsHowManyExamplesPassed) {
  const TemporaryDirectory scratch;
  const Outcome run = touchstone(scratch, {"--examples", "50", "--first", "7", "--seed", "3", "--isa", "portable"});
  EXPECT_EQ(run.exit_code, 0) << run.error;
  EXPECT_THAT(run.out, HasSubstr("50 examples from 7 of seed 3"));
  EXPECT_THAT(run.out, HasSubstr(", optimized (portable): 0 failed\n"));
  EXPECT_EQ(run.error, "");
  EXPECT_FALSE(fs::exists(scratch.path() / "touchstone-reproducers"));
}

TEST(DifferentialProgram, AcceptsAnyBackend) {
  const TemporaryDirectory scratch;
  EXPECT_EQ(touchstone(scratch, {"--backend", "reference", "--examples", "20"}).exit_code, 0);
}

TEST(DifferentialProgram, StopsWhenItsTimeIsOver) {
  const TemporaryDirectory scratch;
  EXPECT_EQ(touchstone(scratch, {"--minutes", "0.01"}).exit_code, 0);
  const Outcome more = touchstone(scratch, {"--minutes", "0.01", "--examples", "1000000000"});
  EXPECT_EQ(more.exit_code, 4);
  EXPECT_THAT(more.out, HasSubstr("0 failed; the time limit was reached\nthe rest: --seed 0 --first "));
  EXPECT_EQ(touchstone(scratch, {"--minutes", "1e-30"}).exit_code, 4) << "nothing was tried";
}

TEST(DifferentialProgram, TriesTheLastPossibleExample) {
  const TemporaryDirectory scratch;
  const std::vector<std::string> last{"--first", "18446744073709551615", "--isa", "portable"};
  for (const std::vector<std::string>& limit : {std::vector<std::string>{}, {"--examples", "1"}, {"--minutes", "1"}}) {
    std::vector<std::string> arguments = last;
    arguments.insert(arguments.end(), limit.begin(), limit.end());
    const Outcome run = touchstone(scratch, arguments);
    EXPECT_EQ(run.exit_code, 0) << run.error;
    EXPECT_THAT(run.out, HasSubstr("1 examples from 18446744073709551615 "));
  }
}

TEST(DifferentialProgram, ListsTheSubjectsInItsHelp) {
  const TemporaryDirectory scratch;
  const Outcome run = touchstone(scratch, {"--help"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.error, "");
  EXPECT_THAT(run.out, HasSubstr("TOUCHSTONE_ISA is ignored"));
  EXPECT_THAT(run.out, Not(HasSubstr("instruction set in TOUCHSTONE_ISA")));
  EXPECT_THAT(run.out, HasSubstr("Exit codes: 0 as expected"));
}

TEST(DifferentialProgram, ComparesEveryIsaRegardlessOfTheEnvironment) {
  const TemporaryDirectory scratch;
  const auto run_with = [&](const char* isa) {
    return touchstone(scratch, {"--examples", "20"}, [&] { ::setenv("TOUCHSTONE_ISA", isa, 1); });
  };
  for (const char* isa : {"portable", "avx9", ""}) {
    const Outcome run = run_with(isa);
    EXPECT_EQ(run.exit_code, 0) << run.error;
    EXPECT_THAT(run.out, HasSubstr("optimized (portable)"));
    EXPECT_EQ(run.out.find("optimized (avx2)") != std::string::npos, optimized::is_available(optimized::Isa::avx2));
  }
}

TEST(DifferentialProgram, SkipsExamplesThatExceedTheAssumptions) {
  const TemporaryDirectory scratch;
  const Outcome none =
      touchstone(scratch, {"--backend", "reference", "--examples", "20", "--assume", "opsets=ai.onnx:1-9"});
  EXPECT_EQ(none.exit_code, 5) << none.error;
  EXPECT_THAT(none.out, HasSubstr("0 failed, 20 not asked (--assume)\n"));
  const Outcome some =
      touchstone(scratch, {"--backend", "reference", "--examples", "200", "--assume", "types=FLOAT,UINT8,INT8"});
  EXPECT_EQ(some.exit_code, 0) << some.error;
  EXPECT_THAT(some.out, testing::ContainsRegex("0 failed, 1[0-9][0-9] not asked \\(--assume\\)\n"));
  const Outcome unknown = touchstone(scratch, {"--assume", "nothing-of-that-kind"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.error, HasSubstr("--assume: unknown assumption 'nothing-of-that-kind'"));
}

TEST(DifferentialProgram, ReadsLimitsFromTheEnvironment) {
  const TemporaryDirectory scratch;
  const auto with = [&](const char* limits) {
    return touchstone(scratch, {"--backend", "reference", "--examples", "5"},
                      [limits] { ::setenv("TOUCHSTONE_LIMITS", limits, 1); });
  };
  EXPECT_EQ(with("rank=33").exit_code, 0);
  const Outcome refused = with("ranks=8");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.error, HasSubstr("TOUCHSTONE_LIMITS: unknown limit \"ranks\""));
}

struct UsageRow {
  std::vector<std::string> arguments;
  int exit_code;
  const char* message;
};

const UsageRow usage_rows[] = {
    {{"--backend", "nobody"}, 2, "unknown backend 'nobody'; the backends are optimized, reference"},
    {{"--backend", ""}, 2, "unknown backend ''"},
    {{"--backend", "\033[31m"}, 2, "\\x1b[31m"},
    {{"--isa", "mmx"}, 2, "--isa"},
    {{"--isa", "portable", "--backend", "reference"}, 2, "--isa is an option for the backend optimized"},
    {{"--examples", "-1"}, 2, "not a whole number"},
    {{"--examples", "18446744073709551616"}, 2, "not a whole number"},
    {{"--first", "-1"}, 2, "not a whole number"},
    {{"--first", "18446744073709551610", "--examples", "7"},
     2,
     "--examples 7: from --first 18446744073709551610 on there are 6, up to number 18446744073709551615"},
    {{"--minutes", "0"}, 2, "--minutes: '0' is not a number of minutes above 0"},
    {{"--minutes", "-0"}, 2, "'-0' is not a number of minutes above 0"},
    {{"--minutes", "-1"}, 2, "'-1' is not a number of minutes above 0"},
    {{"--minutes", "nan"}, 2, "'nan' is not a number of minutes above 0"},
    {{"--minutes", "inf"}, 2, "'inf' is not a number of minutes above 0"},
    {{"--minutes", "1e999"}, 2, "'1e999' is not a number of minutes above 0"},
    {{"--minutes", "1x"}, 2, "'1x' is not a number of minutes above 0"},
    {{"--failures", "0"}, 2, "--failures"},
    {{"--failures", "-1"}, 2, "not a whole number"},
    {{"--reproducers", "/proc/x"}, 2, "--reproducers /proc/x: /proc: cannot be written to"},
    {{"--examples", "0"}, 5, "tries no example"},
    {{"surplus"}, 2, "surplus"},
};

TEST(DifferentialProgram, ReportsMistakesInItsOptions) {
  for (const UsageRow& row : usage_rows) {
    SCOPED_TRACE(testing::PrintToString(row.arguments));
    const TemporaryDirectory scratch;
    const Outcome run = touchstone(scratch, row.arguments);
    EXPECT_EQ(run.exit_code, row.exit_code);
    EXPECT_THAT(run.error, HasSubstr(row.message));
    EXPECT_EQ(run.out, "");
  }
}

/// The signals for which it has a handler, as a mask.
std::uint64_t caught_signals(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("SigCgt:")) return std::stoull(line.substr(7), nullptr, 16);
  return 0;
}

/// Sends the signal while the program tries examples.
Outcome interrupted_by(const TemporaryDirectory& scratch, int signal, const std::vector<std::string>& arguments = {}) {
  const pid_t child = start(scratch, arguments);
  for (int tries = 0; tries < 600 && (caught_signals(child) >> (signal - 1) & 1) == 0; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  std::this_thread::sleep_for(std::chrono::seconds(1));  // for some examples
  ::kill(child, signal);
  return wait_for(scratch, child);
}

TEST(DifferentialProgram, StopsAtASignal) {
  const TemporaryDirectory scratch;
  for (const std::vector<std::string>& limit : {std::vector<std::string>{}, {"--minutes", "600"}})
    for (const int signal : {SIGINT, SIGTERM}) {
      const Outcome run = interrupted_by(scratch, signal, limit);
      EXPECT_EQ(run.exit_code, 4);
      EXPECT_THAT(run.out, HasSubstr("0 failed; stopped\nthe rest: --seed 0 --first "));
      EXPECT_EQ(run.error, "touchstone-differential: finishing the current example; interrupt again to stop now\n");
    }
}

TEST(DifferentialProgram, ReportsAtWhichExampleItCrashed) {
  const TemporaryDirectory scratch;
  const Outcome run = interrupted_by(scratch, SIGSEGV);
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.error, testing::MatchesRegex("\ntouchstone-differential: SIGSEGV: a crash at example [0-9]+; try it "
                                               "alone: touchstone-differential --backend optimized "
                                               "--isa portable.* --seed 0 --first [0-9]+ --examples 1\n"));
}

}  // namespace
}  // namespace touchstone::tools::program_test
