// A run with its output directory: begins or resumes it, runs its cases, and writes its journal and reports.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/plan/planned_case.h"
#include "conformance/plan/shard.h"
#include "conformance/report/summary.h"
#include "conformance/run/experiment.h"
#include "conformance/run/journal.h"
#include "conformance/run/output_limits.h"
#include "conformance/run/record.h"
#include "conformance/run/requirement.h"
#include "conformance/run/rerun.h"
#include "conformance/run/run_info.h"
#include "conformance/session/output_directory.h"
#include "conformance/session/reproducers.h"

namespace touchstone::conformance {

/// An absolute path that does not depend on the current directory; empty for an empty path.
std::string absolute_path(const std::string& path);

/// Adds what is not an option of the run: the versions of Touchstone and of the backend, the capabilities that the
/// backend declares, the plan, the host. Makes `data` absolute.
RunInfo describe_run(RunInfo options, const Backend& backend, const std::vector<PlannedCase>& plan);

/// A number of cases that failed, of each kind that can end a run.
struct FailedCases {
  std::size_t timeouts = 0;
  std::size_t crashes = 0;
  std::size_t unexpected = 0;  ///< wrong, or refused although required, and no known failure
};

class RunSession {
 public:
  struct Setup {
    RunInfo options;                 ///< see describe_run; if `backend` is null, the complete description of the run
    std::vector<PlannedCase> cases;  ///< the whole plan: the session runs those of the shard, in the order of the run
    std::unique_ptr<Backend> backend =
        {};  ///< null: nothing is run, because all results come from other runs (a merge)
    std::function<std::unique_ptr<Backend>()> make_backend = {};  ///< makes others like it; not called concurrently
    std::vector<Level> lower_levels = {};                         ///< with the names of RunInfo::lower_levels
    std::optional<Level> on_host = std::nullopt;                  ///< see RunOptions
    std::filesystem::path known_failures = {};          ///< a file; empty: none, or those that the resumed run had
    unsigned jobs = 1;                                  ///< threads; the results do not depend on their number
    std::optional<Durations> durations = std::nullopt;  ///< that balance the shards
    RunTimes times = {};                                ///< of a merge
    std::vector<Experiment> experiments = {};           ///< of a merge
    bool all_cases = false;                             ///< see Summary::all_cases
    std::function<void(std::string_view id)> on_compared = nullptr;  ///< see CaseComparison: of a resumed run
  };

  /// Checks the setup and the directory, and begins or continues the journal. Removes the results of an earlier run; a
  /// merge does so when it writes its own.
  /// Throws RunRefused: also if the run to resume had another backend or other cases; FileError.
  RunSession(OutputDirectory output, Setup setup);

  /// Called for each case that was run, with the number of these cases that did not pass.
  using OnCase = std::function<void(const CaseRecord& record, std::size_t problems)>;

  /// Runs the remaining cases, until `stop` returns true or as many of them as `most` says (0: no limit) failed in one
  /// of these ways. Returns how many did; unexpected ones are counted only if `most` limits them. If it throws
  /// BackendError or FileError, the journal has the cases so far.
  FailedCases run(const FailedCases& most, const std::function<bool()>& stop, const OnCase& on_case);

  /// Adds the results of all cases from other runs. Throws FileError.
  void add_all(std::vector<CaseRecord> records);

  /// Tries to refute the causes of the results so far, with one more backend, until `stop` returns true. Only
  /// `on_experiment` says which case is varied. Does nothing if the backend is gone.
  void make_experiments(const std::function<bool()>& stop,
                        const std::function<void(const std::string& id)>& on_experiment);

  /// The time that the backend was asked for the cases, by all threads together.
  std::chrono::microseconds time_of_cases() const;

  /// The results so far, with inconsistencies, the fingerprint and known failures. After `stop` returns true, without
  /// the former, and without explanations that were not compared with the right results.
  Summary summarize(const std::function<bool()>& stop = {}) const;

  /// Called before each call to the backend, with the place of the reproducer and the number of all of them.
  using OnShrink = std::function<void(std::size_t place, std::size_t all, const std::string& id, std::size_t calls)>;

  /// Shrinks the first reproducer of each cause, of at most `max_reproducers`, with one more backend. Ends early if
  /// `stop` returns true: the rest are written whole. Does nothing if there is no backend any more.
  void shrink_reproducers(const Summary& summary, std::size_t max_reproducers, const std::function<bool()>& stop,
                          const OnShrink& on_call);

  /// Finishes the journal, and writes all reports and at most `max_reproducers` reproducers. If one cannot be written,
  /// writes the others, and then throws FileError.
  void write_results(const Summary& summary, std::size_t max_reproducers);

  const RunInfo& info() const { return info_; }
  const std::filesystem::path& directory() const { return output_.path; }
  const std::vector<PlannedCase>& cases() const { return setup_.cases; }
  const std::vector<CaseRecord>& records() const { return records_; }

 private:
  void choose_cases();
  std::vector<Contradictions> contradictions(const std::function<bool()>& stop = {}) const;
  void write(CaseRecord& record);
  JournalWriter start();
  /// The journal with these records, for a run that is resumed with other known failures.
  JournalWriter with_other_first_line(std::span<const CaseRecord> records);
  void check_resumed(const Journal& journal) const;
  bool is_unexpected(const CaseRecord& record, const Requirement& requirement) const;

  OutputDirectory output_;
  Setup setup_;
  RunInfo info_;
  RunTimes times_;
  std::vector<KnownFailure> known_failures_;
  std::vector<CaseRecord> records_;
  std::optional<std::vector<Contradictions>> contradictions_;  ///< of these records, if they were searched for
  std::vector<Experiment> experiments_;
  RecordPool pool_;                        ///< of the records
  std::optional<PendingJournal> pending_;  ///< of a merge
  JournalWriter journal_;
  TextBudget texts_;
  ShrunkCases shrunk_;
};

}  // namespace touchstone::conformance
