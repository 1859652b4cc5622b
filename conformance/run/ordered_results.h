// Cases that several threads work on, and their records, which are passed on in the order of the plan.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <map>
#include <mutex>
#include <optional>

#include "conformance/run/runner.h"

namespace touchstone::conformance {

class OrderedResults {
 public:
  /// A thread that is more than so many cases ahead of the first one that is not finished waits, so that no more than
  /// these are held. The last `kept_back` cases are for threads that hold none.
  OrderedResults(std::size_t cases, std::size_t ahead, std::size_t kept_back, const OnRecord& on_record)
      : cases_(cases), ahead_(ahead), kept_back_(kept_back), on_record_(on_record) {}

  /// The place in the plan of the next case to work on, or nothing: there are no more for this thread, now. One that
  /// holds a case which is not finished does not wait: it may be what all others wait for.
  std::optional<std::size_t> next(bool holds_some);

  /// Passes on what is finished now: this one, it may be, and those behind it.
  void put(std::size_t place, CaseRecord record);

  /// Whether a case that was taken is still to be run. After the end only such as have finished ones behind them are,
  /// as these cannot be passed on without them.
  bool wants(std::size_t place);

  /// Nobody takes a case any more, or runs one.
  void stop();
  /// Nobody takes a case any more: what is being thrown is to be thrown by `rethrow`, unless something was before it.
  void fail();
  void rethrow() const;

 private:
  void end(bool at_once);

  const std::size_t cases_;
  const std::size_t ahead_;
  const std::size_t kept_back_;
  const OnRecord& on_record_;
  std::mutex mutex_;
  std::condition_variable passed_on_;
  std::map<std::size_t, CaseRecord> done_;  ///< and not passed on
  std::size_t next_ = 0;
  std::size_t waiting_for_ = 0;
  bool has_ended_ = false;  ///< no more cases are taken
  bool at_once_ = false;    ///< nor run
  bool is_closed_ = false;  ///< nor passed on
  std::exception_ptr error_;
};

}  // namespace touchstone::conformance
