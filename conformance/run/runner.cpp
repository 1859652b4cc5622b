#include "conformance/run/runner.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "conformance/exhaustive/run_sweep.h"
#include "conformance/run/attempt.h"
#include "conformance/run/second_look.h"

namespace touchstone::conformance {

namespace {

/// Takes the units of several threads and passes them on in the order of the plan. A thread that is far ahead waits, so
/// that no more than a few units are held.
class InOrder {
 public:
  InOrder(const OnUnit& on_unit, std::size_t ahead) : on_unit_(on_unit), ahead_(ahead) {}

  /// The number of the next unit to work on, or nothing when the run has ended.
  std::optional<std::size_t> next(std::size_t units) {
    std::unique_lock lock(mutex_);
    passed_on_.wait(lock, [&] { return stopped_ || next_ < waiting_for_ + ahead_; });
    if (stopped_ || next_ >= units) return std::nullopt;
    return next_++;
  }

  void put(std::size_t unit, std::vector<CaseRecord> records) {
    const std::lock_guard lock(mutex_);
    done_.emplace(unit, std::move(records));
    try {
      for (auto first = done_.begin(); first != done_.end() && first->first == waiting_for_; first = done_.begin()) {
        if (!stopped_ && !on_unit_(first->second)) stopped_ = true;
        done_.erase(first);
        ++waiting_for_;
      }
    } catch (...) {
      fail();
    }
    passed_on_.notify_all();
  }

  /// Ends the run at a unit that was left unfinished.
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    passed_on_.notify_all();
  }

  void fail_now() {
    const std::lock_guard lock(mutex_);
    fail();
    passed_on_.notify_all();
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void fail() {
    if (!error_) error_ = std::current_exception();
    stopped_ = true;
  }

  const OnUnit& on_unit_;
  const std::size_t ahead_;
  std::mutex mutex_;
  std::condition_variable passed_on_;
  std::map<std::size_t, std::vector<CaseRecord>> done_;
  std::size_t next_ = 0;
  std::size_t waiting_for_ = 0;
  bool stopped_ = false;
  std::exception_ptr error_;
};

/// Makes the records of a unit, or nothing if it was told to stop; each thread has one of its own.
using Worker = std::function<std::optional<std::vector<CaseRecord>>(std::span<const PlannedCase>)>;

/// A sweep is a unit by itself: it takes seconds.
std::vector<std::span<const PlannedCase>> units_of(std::span<const PlannedCase> plan) {
  std::vector<std::span<const PlannedCase>> units;
  for (std::size_t i = 0; i < plan.size(); i += units.back().size()) {
    std::size_t cases = 1;
    const auto joins = [&](std::size_t next) { return plan[i].sweep == nullptr && plan[next].sweep == nullptr; };
    while (cases < cases_per_unit && i + cases < plan.size() && joins(i + cases)) ++cases;
    units.push_back(plan.subspan(i, cases));
  }
  return units;
}

void work_in_threads(std::span<const PlannedCase> plan, const std::function<Worker()>& make_worker, unsigned most,
                     const OnUnit& on_unit) {
  const std::vector<std::span<const PlannedCase>> units = units_of(plan);
  const std::size_t jobs = std::clamp<std::size_t>(most, 1, std::max<std::size_t>(units.size(), 1));
  InOrder in_order(on_unit, 4 * jobs);
  const auto work = [&] {
    try {
      const Worker worker = make_worker();
      while (const auto unit = in_order.next(units.size())) {
        std::optional<std::vector<CaseRecord>> records = worker(units[*unit]);
        if (!records) return in_order.stop();
        in_order.put(*unit, *std::move(records));
      }
    } catch (...) {
      in_order.fail_now();
    }
  };
  {
    std::vector<std::jthread> threads;
    try {
      for (std::size_t i = 1; i < jobs; ++i) threads.emplace_back(work);
    } catch (const std::system_error&) {
      // The system has no more threads: those that it has, and at least this one, do all the work.
    }
    work();
  }
  in_order.rethrow();
}

/// Nothing if it was stopped.
std::optional<CaseRecord> run_planned_sweep(const PlannedCase& planned, Backend& backend, const RunOptions& options) {
  std::optional<CaseRecord> record = CaseRecord{};
  try {
    record = run_sweep(*planned.sweep, backend, options.judge, options.stop);
    if (!record) return std::nullopt;
  } catch (const BackendError&) {
    throw;
  } catch (const std::exception& error) {  // not enough memory for this one
    record->verdict = Verdict::harness_error;
    record->reason = error.what();
  }
  std::string output = backend.take_output();
  if (explains_output(record->verdict)) record->output = std::move(output);
  record->id = planned.id;
  record->covered = planned.covers;
  return record;
}

/// Cases that are read, and sent to the backend, before the answer to the one before them is judged.
constexpr std::size_t cases_ahead = 2;

/// What a thread does with its units.
class Job {
 public:
  Job(const std::function<std::unique_ptr<Backend>()>& make_backend, const RunOptions& options)
      : backend_(make_backend()), second_look_(make_backend, options.judge), options_(options) {}

  std::optional<std::vector<CaseRecord>> run(std::span<const PlannedCase> unit) {
    std::vector<CaseRecord> records;
    if (unit.front().sweep != nullptr) {
      std::optional<CaseRecord> record = run_planned_sweep(unit.front(), *backend_, options_);
      if (!record) return std::nullopt;
      records.push_back(*std::move(record));
      return records;
    }
    std::deque<Attempt> attempts;
    for (std::size_t read = 0; records.size() < unit.size();) {
      for (; read < unit.size() && attempts.size() <= cases_ahead; ++read)
        attempts.emplace_back(unit[read], *backend_).announce();
      CaseRecord record = attempts.front().finish(options_.judge);
      attempts.pop_front();
      second_look_.look_at(unit[records.size()], record);
      records.push_back(std::move(record));
    }
    return records;
  }

 private:
  std::unique_ptr<Backend> backend_;
  SecondLook second_look_;
  const RunOptions& options_;
};

}  // namespace

CaseRecord run_case(const PlannedCase& planned, Backend& backend, const JudgeOptions& options) {
  if (planned.sweep != nullptr) return run_planned_sweep(planned, backend, {options}).value();
  return Attempt(planned, backend).finish(options);
}

void run(std::span<const PlannedCase> plan, const std::function<std::unique_ptr<Backend>()>& make_backend,
         const RunOptions& options, const OnUnit& on_unit) {
  const auto make_worker = [&]() -> Worker {
    const auto job = std::make_shared<Job>(make_backend, options);
    return [job](std::span<const PlannedCase> unit) { return job->run(unit); };
  };
  work_in_threads(plan, make_worker, options.jobs, on_unit);
}

void describe(std::span<const PlannedCase> plan, unsigned jobs, const OnUnit& on_unit) {
  const auto describe_one = [](const PlannedCase& planned) {
    CaseRecord record;
    try {
      record = describe(planned.read());
    } catch (const std::exception& error) {  // as in run_case
      record.verdict = Verdict::harness_error;
      record.reason = error.what();
    }
    record.id = planned.id;
    return record;
  };
  const auto describe_all = [&](std::span<const PlannedCase> unit) {
    std::vector<CaseRecord> records;
    for (const PlannedCase& planned : unit) records.push_back(describe_one(planned));
    return std::optional(std::move(records));
  };
  work_in_threads(
      plan, [&] { return Worker(describe_all); }, jobs, on_unit);
}

}  // namespace touchstone::conformance
