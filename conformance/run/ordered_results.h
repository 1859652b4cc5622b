// Distributes cases to threads, and passes on their records in the order of the plan.
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
  /// A thread waits while its next case would be more than `ahead` cases after the first unfinished one, which limits
  /// the number of records to hold. The last `kept_back` cases are for threads that hold none.
  OrderedResults(std::size_t cases, std::size_t ahead, std::size_t kept_back, const OnRecord& on_record)
      : cases_(cases), ahead_(ahead), kept_back_(kept_back), on_record_(on_record) {}

  /// The index in the plan of the next case to work on; std::nullopt if there are currently none for this thread. A
  /// thread that holds an unfinished case does not wait, because all others may be waiting for it.
  std::optional<std::size_t> next(bool holds_some);

  /// Stores a record. Passes on all records that are now next in the order.
  void put(std::size_t place, CaseRecord record);

  /// Whether a taken case must still be run. After the end, this is true only for cases that finished ones wait for,
  /// because records are passed on in order.
  bool wants(std::size_t place);

  /// Whether no case will be taken.
  bool has_ended();

  /// From now on no case is taken or run.
  void stop();
  /// From now on no case is taken. Stores the current exception for `rethrow`, unless one is stored already.
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
  std::map<std::size_t, CaseRecord> done_;  ///< finished but not passed on
  std::size_t next_ = 0;
  std::size_t waiting_for_ = 0;
  bool has_ended_ = false;  ///< no more cases are taken
  bool at_once_ = false;    ///< no more cases are run
  bool is_closed_ = false;  ///< no more records are passed on
  std::exception_ptr error_;
};

}  // namespace touchstone::conformance
