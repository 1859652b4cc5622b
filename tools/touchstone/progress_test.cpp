#include "tools/touchstone/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

namespace touchstone::tools::progress_test {
namespace {

using namespace std::chrono_literals;
using testing::StartsWith;

TEST(TimeLeft, IsProportionalToTheRemainingCases) {
  EXPECT_EQ(time_left(10s, 100, 50), "0:05");
  EXPECT_EQ(time_left(10s, 3, 1), "0:04") << "10/3 s, rounded up";
  EXPECT_EQ(time_left(60s, 1, 59), "59:00");
  EXPECT_EQ(time_left(60s, 2, 119), "59:30");
  EXPECT_EQ(time_left(3723s, 10, 10), "1:02:03");
  EXPECT_EQ(time_left(100s, 1, 36000), "1000:00:00");
  EXPECT_EQ(time_left(4.9s, 100, 50), "") << "too early for an estimate";
  EXPECT_EQ(time_left(10s, 0, 50), "");
  EXPECT_EQ(time_left(10s, 100, 0), "");
}

/// The output during `time` on a standard error that is not a terminal.
std::string lines_of(std::chrono::milliseconds interval, std::chrono::milliseconds time,
                     const std::string& activity = "") {
  testing::internal::CaptureStderr();
  {
    Progress progress(8, 2, interval, activity);
    progress.step("a", 0);
    progress.step("b", 1);
    std::this_thread::sleep_for(time);
  }
  return testing::internal::GetCapturedStderr();
}

TEST(Progress, PrintsLinesWithoutATerminal) {
  EXPECT_THAT(lines_of(20ms, 1s), StartsWith("touchstone: 50%: 4 of 8 cases, 1 not passed\n"
                                             "touchstone: 50%: 4 of 8 cases, 1 not passed\n"))
      << "even if no case ends in the interval";
  EXPECT_THAT(lines_of(20ms, 200ms, "comparing"), StartsWith("touchstone: comparing 50%: 4 of 8 cases"));
}

TEST(Progress, PrintsNothingBeforeTheFirstInterval) {
  EXPECT_EQ(lines_of(Progress::usual_interval, 10ms), "");
  EXPECT_EQ(lines_of(0ms, 50ms), "");
  EXPECT_LE(Progress::usual_interval, 30s);
}

}  // namespace
}  // namespace touchstone::tools::progress_test
