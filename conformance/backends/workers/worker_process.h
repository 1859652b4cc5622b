// A worker: its process, its two pipes, and its output.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "conformance/backends/backend.h"
#include "conformance/backends/workers/framing.h"
#include "conformance/backends/workers/pipe.h"
#include "conformance/backends/workers/process_tree.h"

namespace touchstone::conformance {

/// Appends `more` to a worker's output, and keeps the last Limits::output_bytes.
void append_output(std::string& output, std::string_view more);

class WorkerProcess {
 public:
  using Clock = std::chrono::steady_clock;

  /// Throws BackendError if it cannot be started.
  explicit WorkerProcess(const Program& program);
  /// Closes its requests and gives it a moment to exit; then kills it and all processes that it started.
  ~WorkerProcess();

  /// Queues a frame. It is written, here and in `receive`, as far as the pipe has room. Never blocks.
  void send(std::shared_ptr<const std::string> frame);

  /// The worker's next message of at most `longest` bytes, valid until the next call. After a breakdown the process has
  /// been killed, and cannot be used any more. Throws reference::Interrupted while that is asked for.
  std::variant<std::string_view, Breakdown> receive(std::uint64_t longest, Clock::time_point deadline);

  /// Frees the memory of the last message if it was long.
  void forget_message() { reader_.forget(); }

  /// Whether the breakdown was an exit with code 0 between two responses. Such a worker may accept only a limited
  /// number of requests.
  bool exited_cleanly() const { return exited_cleanly_; }

  /// The signal that killed the process, if that was the breakdown.
  std::optional<int> signal() const { return signal_; }

  /// See ProcessTree.
  bool runs(const std::string& file) const { return processes_->runs(file); }

  /// Kills it at once, with all processes that it started.
  void kill();

  /// Its output since the last call.
  std::string take_output();

 private:
  void write_some();
  /// Returns whether it received bytes or the end of the responses.
  bool read_some();
  void drain_output();
  /// Returns whether its responses, or their end, can be read.
  bool wait_for_something(Clock::time_point deadline);
  std::variant<std::string_view, Breakdown> breakdown_at_end();
  /// How much of an incomplete message was received, as the end of a sentence.
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
  std::optional<int> signal_;
};

}  // namespace touchstone::conformance
