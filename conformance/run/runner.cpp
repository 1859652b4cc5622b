#include "conformance/run/runner.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "conformance/files/threads.h"
#include "conformance/run/attempt.h"
#include "conformance/run/ordered_results.h"
#include "conformance/run/output_limits.h"
#include "conformance/run/run_sweep.h"
#include "reference/interruption.h"

namespace touchstone::conformance {

namespace {

/// The number of cases that are read and announced to the backend before the previous answer is judged.
constexpr std::size_t cases_ahead = 2;

/// The longest model, in bytes, after which another case is read ahead.
constexpr std::size_t largest_ahead = std::size_t{4} << 20;

/// The number of cases that may be finished ahead of an unfinished one, for each job.
constexpr std::size_t finished_ahead = 128;

/// Changes the reason to what the journal keeps.
void cut_reason(CaseRecord& record) {
  if (record.reason.empty()) return;
  std::string reason = record.reason;
  conformance::cut_reason(reason);
  record.reason = std::move(reason);
}

/// Runs `work`, which takes cases until there are none left, in as many threads as there are jobs and cases.
void in_threads(std::size_t cases, unsigned most, const OnRecord& on_record,
                const std::function<void(OrderedResults&)>& work) {
  const std::size_t jobs = std::clamp<std::size_t>(most, 1, std::max<std::size_t>(cases, 1));
  // Near the end, no thread takes cases ahead that another could start with: there may be few cases that take a minute
  // each.
  OrderedResults results(cases, finished_ahead * jobs, cases_ahead * (jobs - 1), on_record);
  run_in_threads(jobs, [&] {
    try {
      work(results);
    } catch (...) {
      results.fail();
    }
  });
  results.rethrow();
}

/// Adds the time of its own life to that of a case.
class Timer {
 public:
  explicit Timer(CaseTime& time) : time_(time) {}
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer() {
    time_.microseconds += std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  CaseTime& time_;
  const Clock::time_point begin_ = Clock::now();
};

/// std::nullopt if it was stopped.
std::optional<CaseRecord> run_planned_sweep(const PlannedCase& planned, Backend& backend, Controls& controls,
                                            const RunOptions& options) {
  std::optional<CaseRecord> record = CaseRecord{};
  try {
    record = run_sweep(planned, backend, options.judge, controls, options.stop);
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
  cut_reason(*record);
  return record;
}

/// The work of a thread: several cases pass through its backend at once, so that the backend does not wait for this
/// program.
class Job {
 public:
  Job(std::span<const PlannedCase> plan, const std::function<std::unique_ptr<Backend>()>& make_backend,
      const RunOptions& options, LowerLevels& lower_levels, OnHost& on_host, OrderedResults& results)
      : plan_(plan),
        backend_(make_backend()),
        controls_(*backend_),
        flake_check_(make_backend, options.judge),
        options_(options),
        lower_levels_(lower_levels),
        on_host_(on_host),
        results_(results) {}

  void work() try {
    while (true) {
      if (is_stopped()) return results_.stop();
      read_ahead();
      if (taken_.empty()) return;
      if (!results_.wants(taken_.front().place)) return;
      std::optional<CaseRecord> record = finish(taken_.front());
      if (!record) return results_.stop();
      record->time = taken_.front().time;
      results_.put(taken_.front().place, *std::move(record));
      taken_.pop_front();
    }
  } catch (const reference::Interrupted&) {
    results_.stop();
  }

 private:
  struct Taken {
    std::size_t place;
    std::optional<Attempt> attempt = std::nullopt;  ///< absent for a sweep
    /// Memory for large cases is scarce: none is read ahead of another one.
    bool is_large() const { return attempt && attempt->model_bytes() > largest_ahead; }
    CaseTime time = {};  ///< apart from that of other cases between reading and finishing it
  };

  bool is_stopped() const { return options_.stop && options_.stop(); }

  /// No case is announced ahead of a sweep, which asks the backend often and in its own order.
  void read_ahead() {
    while (taken_.size() <= cases_ahead && (taken_.empty() || (taken_.back().attempt && !taken_.back().is_large()))) {
      const std::optional<std::size_t> place = results_.next(/*holds_some=*/!taken_.empty());
      if (!place) return;
      const PlannedCase& planned = plan_[*place];
      taken_.push_back({*place});
      const Timer timer(taken_.back().time);
      if (planned.is_sweep()) continue;
      const reference::Interruptible interruptible(options_.stop);
      const auto read = options_.read != nullptr ? options_.read->at(*place) : nullptr;
      taken_.back().attempt.emplace(planned, *backend_, read).announce();
    }
  }

  /// std::nullopt if it was stopped.
  std::optional<CaseRecord> finish(Taken& taken) {
    const Timer timer(taken.time);
    const PlannedCase& planned = plan_[taken.place];
    if (!taken.attempt) return run_planned_sweep(planned, *backend_, controls_, options_);
    const bool is_asked = taken.attempt->is_asked();
    const std::shared_ptr<const ReadCase> read = taken.attempt->read_case();
    CaseRecord record = [&] {
      const reference::Interruptible interruptible(options_.stop);
      return taken.attempt->finish(options_.judge, controls_);
    }();
    cut_reason(record);
    if (!is_asked) return record;
    try {
      const reference::Interruptible interruptible(options_.stop);
      reference::Interruptible::ask();
      flake_check_.check(planned, read, record);
      lower_levels_.check(planned, read, record);
      on_host_.check(planned, read, record);
    } catch (const reference::Interrupted&) {  // the record stays
    }
    return record;
  }

  const std::span<const PlannedCase> plan_;
  const std::unique_ptr<Backend> backend_;
  Controls controls_;
  FlakeCheck flake_check_;
  const RunOptions& options_;
  LowerLevels& lower_levels_;
  OnHost& on_host_;
  OrderedResults& results_;
  std::deque<Taken> taken_;  ///< the first one is finished next
};

}  // namespace

CaseRecord run_case(const PlannedCase& planned, Backend& backend, const JudgeOptions& options) {
  Controls controls(backend);
  if (planned.is_sweep()) return run_planned_sweep(planned, backend, controls, {options}).value();
  CaseRecord record = Attempt(planned, backend).finish(options, controls);
  cut_reason(record);
  return record;
}

void run(std::span<const PlannedCase> plan, const std::function<std::unique_ptr<Backend>()>& make_backend,
         const RunOptions& options, const OnRecord& on_record) {
  LowerLevels lower_levels(options.lower_levels, options.level, options.judge);
  OnHost on_host(options.on_host, options.judge);
  std::mutex starting;  // a thousand workers take longer to start than a run may last
  in_threads(plan.size(), options.jobs, on_record, [&](OrderedResults& results) {
    std::optional<Job> job;
    {
      const std::lock_guard lock(starting);
      if (options.stop && options.stop()) return results.stop();
      if (results.has_ended()) return;
      try {
        job.emplace(plan, make_backend, options, lower_levels, on_host, results);
      } catch (...) {
        return results.fail();  // before the next one starts
      }
    }
    job->work();
  });
}

void describe(std::span<const PlannedCase> plan, unsigned jobs, const OnRecord& on_record) {
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
  in_threads(plan.size(), jobs, on_record, [&](OrderedResults& results) {
    while (const auto place = results.next(/*holds_some=*/false)) results.put(*place, describe_one(plan[*place]));
  });
}

}  // namespace touchstone::conformance
