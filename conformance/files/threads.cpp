#include "conformance/files/threads.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace touchstone::conformance {

void run_in_threads(std::size_t jobs, const std::function<void()>& work) {
  std::mutex mutex;
  std::exception_ptr first;
  const auto work_safely = [&]() noexcept {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    try {
      for (std::size_t i = 1; i < jobs; ++i) threads.emplace_back(work_safely);
    } catch (const std::system_error&) {
      // The system has no more threads. The started ones, and at least this one, do all the work.
    }
    work_safely();
  }
  if (first) std::rethrow_exception(first);
}

void for_each_in_threads(std::size_t jobs, std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  run_in_threads(std::min(jobs, count), [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      throw;
    }
  });
}

}  // namespace touchstone::conformance
