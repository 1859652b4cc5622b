#include "conformance/files/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace touchstone::conformance::threads_test {
namespace {

TEST(Threads, CallWorkInEveryThread) {
  for (const std::size_t jobs : {1U, 2U, 5U}) {
    std::atomic<std::size_t> calls = 0;
    run_in_threads(jobs, [&] { ++calls; });
    EXPECT_EQ(calls, jobs);
  }
}

TEST(Threads, RunAtTheSameTime) {
  std::atomic<int> there = 0;
  run_in_threads(3, [&] {
    ++there;
    while (there < 3) std::this_thread::yield();
  });
  EXPECT_EQ(there, 3);
}

TEST(Threads, TakeEachNumberOnce) {
  for (const std::size_t jobs : {0U, 1U, 4U, 200U}) {
    std::vector<std::atomic<int>> calls(100);
    for_each_in_threads(jobs, calls.size(), [&](std::size_t i) { ++calls[i]; });
    for (const std::atomic<int>& number : calls) EXPECT_EQ(number, 1) << jobs << " jobs";
  }
  for_each_in_threads(4, 0, [](std::size_t) { FAIL(); });
}

TEST(Threads, StopAfterAnExceptionAndRethrowIt) {
  std::atomic<std::size_t> calls = 0;
  const auto fail_at_10 = [&](std::size_t i) {
    ++calls;
    if (i == 10) throw std::runtime_error("ten");
  };
  try {
    for_each_in_threads(1, 1000, fail_at_10);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "ten");
  }
  EXPECT_EQ(calls, 11U);
  EXPECT_THROW(for_each_in_threads(4, 1000, fail_at_10), std::runtime_error);
}

TEST(Threads, WaitForTheOthersBeforeTheyRethrow) {
  std::atomic<int> calls = 0;
  std::atomic<int> returned = 0;
  const auto work = [&] {
    if (++calls == 1) throw std::runtime_error("the first one");
    while (calls < 3) std::this_thread::yield();
    ++returned;
  };
  EXPECT_THROW(run_in_threads(3, work), std::runtime_error);
  EXPECT_EQ(returned, 2);
}

}  // namespace
}  // namespace touchstone::conformance::threads_test
