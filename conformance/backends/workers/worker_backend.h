// A backend in its own process. If the process crashes, it is restarted, and only the unit that it was running is lost.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "conformance/backends/backend.h"
#include "conformance/backends/workers/messages.h"
#include "conformance/backends/workers/worker_process.h"

namespace touchstone::conformance {

struct WorkerTimes {
  std::chrono::milliseconds per_unit = std::chrono::seconds(30);  ///< from the start of the wait for its answer
  std::chrono::milliseconds start = std::chrono::seconds(60);     ///< until the Hello
  /// The pauses before further attempts to restart: a lost device or a busy machine may need time to recover.
  std::array<std::chrono::milliseconds, 3> between_starts{std::chrono::milliseconds(200), std::chrono::seconds(1),
                                                          std::chrono::seconds(5)};
};

class WorkerBackend : public Backend {
 public:
  /// Starts the worker. Throws BackendError, with the worker's output, if it cannot be started or sends no Hello.
  explicit WorkerBackend(Program program, const WorkerTimes& times = {});

  BackendIdentity identity() const override { return greeting_.identity; }
  Capabilities declares() const override { return greeting_.capabilities; }
  bool works_ahead() const override { return true; }
  void announce(const Unit& unit) override;
  /// A crash, a timeout or a violation of the protocol is the answer to the unit; the units announced after it are sent
  /// to a new worker. If a worker that has already given answers exits cleanly, the unit itself is also sent again.
  /// Throws BackendError if no new worker can be started, or if its Hello differs. Under an emulator, a signal or a
  /// timeout shows nothing about the backend; throws BackendError after many of them.
  UnitAnswer run(const Unit& unit) override;
  /// The output since the unit was sent, because a worker may print before its answer is awaited. It may include output
  /// of neighbouring units.
  std::string take_output() override;

 private:
  struct Sent {
    std::uint64_t number;
    std::string case_id;
    std::size_t input_sets;
    std::shared_ptr<const std::string> frame;
    std::uint64_t printed_before;
    std::optional<UnitAnswer> answer;  ///< received while `run` waited for another unit
  };

  Greeting start();
  /// Starts a new worker and sends it the units that have no answer.
  void start_again();
  void collect_output();
  /// Kills the worker and keeps what it printed.
  void drop_worker();
  /// Drops the first unit, whose answer is no longer needed. Receives that answer first if the worker is running,
  /// because the worker sends it anyway.
  void forget_first();
  /// Waits for the answer to the first unit that has none.
  void receive_next();
  UnitAnswer answer_to(const Sent& sent);
  Breakdown judged(const Breakdown& breakdown);
  std::string explain(const Breakdown& breakdown) const;

  Program program_;
  WorkerTimes times_;
  Greeting greeting_;
  std::unique_ptr<WorkerProcess> worker_;
  std::uint64_t answers_ = 0;  ///< of this worker
  std::deque<Sent> waiting_;   ///< in order; the units with an answer come first
  /// Begins with a random number: a worker could know each case by a number that is the same in all runs.
  std::uint64_t last_number_;
  std::size_t lost_under_emulator_ = 0;
  std::string printed_;  ///< the end of the output
  std::uint64_t printed_ever_ = 0;
  std::uint64_t printed_before_ = 0;  ///< the unit that ran last
};

}  // namespace touchstone::conformance
