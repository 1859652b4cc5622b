#include "optimized/thread_pool.h"

namespace touchstone::optimized {

ThreadPool::ThreadPool(std::int64_t threads) {
  try {
    for (std::int64_t i = 1; i < threads; ++i) threads_.emplace_back([this] { wait_for_work(); });
  } catch (...) {
    stop();
    throw;
  }
}

ThreadPool::~ThreadPool() { stop(); }

Executor ThreadPool::executor() {
  const auto run_on = [](void* self, std::int64_t parts, Executor::Task task, void* context) {
    static_cast<ThreadPool*>(self)->run(parts, task, context);
  };
  return {run_on, this, static_cast<std::int64_t>(threads_.size()) + 1};
}

void ThreadPool::run(std::int64_t parts, Executor::Task task, void* context) {
  if (busy_.exchange(true)) {
    for (std::int64_t part = 0; part < parts; ++part) task(context, part);
    return;
  }
  {
    std::unique_lock lock(mutex_);
    task_ = task;
    context_ = context;
    parts_ = parts;
    next_ = 0;
    finished_ = 0;
    work_.notify_all();
    run_parts(lock);
    done_.wait(lock, [this] { return finished_ == parts_; });
  }
  busy_ = false;
}

void ThreadPool::wait_for_work() {
  std::unique_lock lock(mutex_);
  while (true) {
    work_.wait(lock, [this] { return stops_ || next_ < parts_; });
    if (stops_) return;
    run_parts(lock);
  }
}

/// Runs parts until all are taken. Releases the lock while a part runs.
void ThreadPool::run_parts(std::unique_lock<std::mutex>& lock) {
  while (next_ < parts_) {
    const std::int64_t part = next_++;
    const Executor::Task task = task_;
    void* const context = context_;
    lock.unlock();
    task(context, part);
    lock.lock();
    if (++finished_ == parts_) done_.notify_all();
  }
}

void ThreadPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
  }
  work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

}  // namespace touchstone::optimized
