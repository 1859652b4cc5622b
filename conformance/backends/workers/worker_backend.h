// A backend in a process of its own, which it may take down: it is started again, and only the unit that it was at is
// lost.
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
  std::chrono::milliseconds per_unit = std::chrono::seconds(30);  ///< from when somebody waits for its answer
  std::chrono::milliseconds start = std::chrono::seconds(60);     ///< until the Hello
  /// Before each further try to start it again: of a device that was just lost, or a machine that is busy, it may find
  /// it back.
  std::array<std::chrono::milliseconds, 3> between_starts{std::chrono::milliseconds(200), std::chrono::seconds(1),
                                                          std::chrono::seconds(5)};
};

class WorkerBackend : public Backend {
 public:
  /// Starts the worker. Throws BackendError: it cannot be started, or does not say Hello; with what it printed.
  explicit WorkerBackend(Program program, const WorkerTimes& times = {});

  BackendIdentity identity() const override { return greeting_.identity; }
  Capabilities declares() const override { return greeting_.capabilities; }
  bool works_ahead() const override { return true; }
  void announce(const Unit& unit) override;
  /// A crash, a timeout or a breach of the protocol is the answer to the unit; those that were announced behind it are
  /// sent again to a new worker. The unit itself is so, too, where a worker has given answers and then left in peace.
  /// Throws BackendError if none can be started, as the constructor does, or if it says another Hello.
  UnitAnswer run(const Unit& unit) override;
  /// From when the unit was sent, so that a worker which went ahead of its answers loses nothing; what it printed at
  /// the units around it may be among that.
  std::string take_output() override;

 private:
  struct Sent {
    std::uint64_t number;
    std::string case_id;
    std::size_t input_sets;
    std::shared_ptr<const std::string> frame;
    std::uint64_t printed_before;
    std::optional<UnitAnswer> answer;  ///< that came while another unit was waited for
  };

  Greeting start();
  /// Starts a new worker and sends it the units that have no answer.
  void start_again();
  void collect_output();
  /// Kills the worker and keeps what it printed.
  void drop_worker();
  /// Drops the first unit, whose answer is not wanted any more. Receives the answer of a running worker first, because
  /// the worker sends it nevertheless.
  void forget_first();
  /// Waits for the answer to the first unit that has none.
  void receive_next();
  UnitAnswer answer_to(const Sent& sent);
  std::string explain(const Breakdown& breakdown) const;

  Program program_;
  WorkerTimes times_;
  Greeting greeting_;
  std::unique_ptr<WorkerProcess> worker_;
  std::uint64_t answers_ = 0;  ///< of this worker
  std::deque<Sent> waiting_;   ///< to be run, the first one first; those that have an answer come first
  std::uint64_t last_number_ = 0;
  std::string printed_;  ///< the end of it
  std::uint64_t printed_ever_ = 0;
  std::uint64_t printed_before_ = 0;  ///< the unit that was run last
};

}  // namespace touchstone::conformance
