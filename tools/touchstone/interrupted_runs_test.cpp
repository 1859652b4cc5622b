// Runs that are killed or interrupted at arbitrary moments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tools/touchstone/runs_testing.h"

namespace touchstone::tools::interrupted_runs_test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> some_cases{"--suite", "generated", "--filter", "*/24/f16*blocked*"};

std::vector<std::string> with_some_cases(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), some_cases.begin(), some_cases.end());
  return arguments;
}

TEST(Runs, AreTheSameForAnyNumberOfJobs) {
  const TemporaryDirectory scratch;
  touchstone(scratch, with_some_cases({"run", "--output", "one", "--jobs", "1"}));
  touchstone(scratch, with_some_cases({"run", "--output", "five", "--jobs", "5"}));
  EXPECT_TRUE(results_in(scratch.path() / "one") == results_in(scratch.path() / "five"));
}

/// Waits until the file has `bytes` bytes, or the program has ended.
void wait_for_bytes(const fs::path& file, std::uintmax_t bytes, pid_t child) {
  std::error_code error;
  while (!(fs::exists(file, error) && fs::file_size(file, error) >= bytes) && ::kill(child, 0) == 0) {
    siginfo_t ended{};
    if (::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == child)
      return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// A run that is killed at many moments and resumed gives the same files as an uninterrupted run.
TEST(Runs, ResumeWhereTheyWereKilled) {
  const TemporaryDirectory scratch;
  const Outcome whole = touchstone(scratch, with_some_cases({"run", "--output", "whole"}));
  ASSERT_EQ(whole.exit_code, 0) << whole.error;
  const auto expected = results_in(scratch.path() / "whole");
  const std::uintmax_t bytes = fs::file_size(scratch.path() / "whole" / "journal.ndjson.gz");
  const fs::path journal = scratch.path() / "killed" / "journal.ndjson.gz";
  int interrupted = 0;
  for (int part = 0; part < 3; ++part) {
    fs::remove_all(scratch.path() / "killed");
    const pid_t child = start(scratch, with_some_cases({"run", "--output", "killed", "--jobs", "2"}));
    wait_for_bytes(journal, 1000 + bytes * static_cast<std::uintmax_t>(part) / 3, child);
    ::kill(child, SIGKILL);
    if (wait_for(scratch, child).exit_code == -SIGKILL) ++interrupted;
    const Outcome resumed = touchstone(scratch, {"run", "--resume", "killed"});
    ASSERT_EQ(resumed.exit_code, 0) << resumed.error;
    EXPECT_TRUE(results_in(scratch.path() / "killed") == expected) << "killed in part " << part;
  }
  EXPECT_GE(interrupted, 2);
}

TEST(Runs, ReportThatTheyEndWhenTheyAreInterrupted) {
  const TemporaryDirectory scratch;
  const pid_t child = start(scratch, {"run", "--suite", "generated", "--output", "out", "--jobs", "1"});
  wait_for_bytes(scratch.path() / "out" / "journal.ndjson.gz", 2000, child);
  ::kill(child, SIGTERM);
  const Outcome interrupted = wait_for(scratch, child);
  EXPECT_EQ(interrupted.exit_code, 4);
  EXPECT_THAT(interrupted.error,
              AllOf(HasSubstr("finishing the current cases and the reports"), HasSubstr("interrupt again to stop")));
  EXPECT_THAT(interrupted.error, Not(HasSubstr("\033"))) << "it is not a terminal";
  EXPECT_EQ(touchstone(scratch, {"run", "--suite", "generated", "--output", "out"}).exit_code, 2);
}

TEST(Runs, PrintTheCommandThatContinuesThem) {
  const TemporaryDirectory scratch;
  const Outcome whole = touchstone(scratch, with_some_cases({"run", "--output", "whole"}));
  ASSERT_EQ(whole.exit_code, 0) << whole.error;
  const fs::path directory = scratch.path() / "my report";
  const pid_t child = start(scratch, with_some_cases({"run", "--output", "my report", "--jobs", "1"}));
  wait_for_bytes(directory / "journal.ndjson.gz", 2000, child);
  ::kill(child, SIGINT);
  const Outcome interrupted = wait_for(scratch, child);
  EXPECT_EQ(interrupted.exit_code, 4);
  const std::string line = "to continue: touchstone run --resume 'my report'\n";
  EXPECT_THAT(interrupted.error, HasSubstr("again to stop now\n  " + line)) << "for those who interrupt it again";
  EXPECT_THAT(interrupted.error, EndsWith("cases are not run\n  " + line));
  const Outcome resumed = touchstone(scratch, {"run", "--resume", "my report"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.error;
  EXPECT_TRUE(results_in(directory) == results_in(scratch.path() / "whole"));
}

}  // namespace
}  // namespace touchstone::tools::interrupted_runs_test
