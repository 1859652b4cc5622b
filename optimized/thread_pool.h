// Threads for large tensors, for callers without threads of their own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "optimized/executor.h"

namespace touchstone::optimized {

/// A fixed number of threads that wait for work. Calls may come from many threads. While the pool works for one call,
/// other calls, and calls from within a part, run on their own threads. The pool must outlive the calls that use it.
class ThreadPool {
 public:
  /// `threads` threads work on a call, including the calling one, so one fewer is started. Throws std::system_error if
  /// the system cannot start them.
  explicit ThreadPool(std::int64_t threads = static_cast<std::int64_t>(std::thread::hardware_concurrency()));
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  Executor executor();

 private:
  void run(std::int64_t parts, Executor::Task task, void* context);
  void wait_for_work();
  void run_parts(std::unique_lock<std::mutex>& lock);
  void stop();

  std::atomic<bool> busy_ = false;
  std::mutex mutex_;  // protects the following members, except threads_
  std::condition_variable work_;
  std::condition_variable done_;
  Executor::Task task_ = nullptr;
  void* context_ = nullptr;
  std::int64_t parts_ = 0;
  std::int64_t next_ = 0;      // the first part that no thread has taken
  std::int64_t finished_ = 0;  // the number of finished parts
  bool stops_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace touchstone::optimized
