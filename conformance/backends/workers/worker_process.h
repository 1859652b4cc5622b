// A worker: its process, the two pipes to it, and what it prints.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "conformance/backends/backend.h"
#include "conformance/backends/workers/framing.h"
#include "conformance/backends/workers/pipe.h"
#include "conformance/backends/workers/process_tree.h"

namespace touchstone::conformance {

/// Appends `more` to what a worker printed, and keeps the last Limits::output_bytes.
void append_output(std::string& output, std::string_view more);

class WorkerProcess {
 public:
  using Clock = std::chrono::steady_clock;

  /// Throws BackendError if it cannot be started.
  explicit WorkerProcess(const Program& program);
  /// Gives it a moment to end by itself after its requests have ended; then kills it and all processes that it started.
  ~WorkerProcess();

  /// Queues a frame, which is written as far as the pipe takes it, now and in `receive`. Never waits.
  void send(std::shared_ptr<const std::string> frame);

  /// The next message that it writes, of at most `longest` bytes, valid until the next call; or why there is none.
  /// After a breakdown the process is killed and cannot be used any more.
  std::variant<std::string_view, Breakdown> receive(std::uint64_t longest, Clock::time_point deadline);

  /// Whether the breakdown was that it exited with code 0 where a response would have begun: it may mean that it takes
  /// only so many requests.
  bool exited_cleanly() const { return exited_cleanly_; }

  /// Kills it at once, with all processes that it started.
  void kill();

  /// What it printed since the last call.
  std::string take_output();

 private:
  void write_some();
  /// Whether bytes came, or the end.
  bool read_some();
  void drain_output();
  /// Whether there is something to read from its responses, even if only their end.
  bool wait_for_something(Clock::time_point deadline);
  std::variant<std::string_view, Breakdown> breakdown_at_end();
  /// Says how much there is of an incomplete message.
  std::string truncation() const;
  Breakdown broken(Breakdown::Kind kind, std::string detail);

  FileDescriptor requests_;
  FileDescriptor responses_;
  FileDescriptor output_;
  std::unique_ptr<ProcessTree> processes_;
  std::deque<std::shared_ptr<const std::string>> unsent_;
  std::size_t sent_of_first_ = 0;
  FrameReader reader_;
  std::string printed_;
  bool exited_cleanly_ = false;
};

}  // namespace touchstone::conformance
