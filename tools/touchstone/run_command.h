// The common part of `run` and `judge`: cases, a backend, and reports.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "conformance/plan/planned_case.h"
#include "conformance/run/run_info.h"
#include "conformance/session/run_session.h"
#include "tools/touchstone/backend_option.h"
#include "tools/touchstone/progress.h"
#include "tools/touchstone/selection.h"
#include "tools/touchstone/shard_option.h"

namespace touchstone::tools {

/// How cases are run, whether one or all.
struct CaseOptions {
  CaseOptions() { run.backend_option = default_backend; }

  conformance::RunInfo run;
  std::string color = "auto";

  std::unique_ptr<conformance::Backend> open_backend() const {
    return tools::open_backend(run.backend_option, run.worker, run.assumed);
  }
};

/// The output directory of `run`, `judge` and `merge`.
inline constexpr const char* default_output = "touchstone-report";

struct RunCommandOptions : CaseOptions {
  std::string output = default_output;
  std::string resume;
  std::string to_continue;         ///< the command that continues the run; empty: touchstone run --resume
  std::function<void()> on_begin;  ///< called before the first case runs, when the output directory belongs to the run
  std::string expectations;
  std::string new_expectations;  ///< the file of --write-expectations
  std::size_t reproducers = 20;
  /// Timeouts or crashes take about half an hour: a timeout takes --timeout, a crash the start of another worker.
  conformance::FailedCases most_failed{.timeouts = 50, .crashes = 1000};
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  ShardOptions shard;
  int experiments = 10;    ///< percent of the time of the cases
  double time_budget = 0;  ///< seconds; 0: no limit
  bool overwrite = false;
  bool all_cases = false;
  bool quiet = false;
  bool ends_at_once = false;  ///< an interrupted run leaves out what examines results for longer than a second
  bool asks_backend = false;  ///< whether there is a backend that can be asked for any case, in any order
};

/// How often progress is shown where lines cannot be removed: never, with --quiet.
inline std::chrono::milliseconds progress_interval(const RunCommandOptions& options) {
  return options.quiet ? std::chrono::milliseconds(0) : Progress::usual_interval;
}

/// --all-cases of `report` and of the commands that run cases.
void add_all_cases_option(CLI::App& command, bool& all_cases);

/// --output, --overwrite, --all-cases, --jobs, --expectations, --write-expectations, --max-reproducers, --quiet,
/// --color.
void add_output_options(CLI::App& command, RunCommandOptions& options);
/// The same, and --strict, --sign-of-zero, --require.
void add_report_options(CLI::App& command, RunCommandOptions& options);

/// Throws Exit if the file of --write-expectations exists, before the cases are run.
void check_new_expectations(const RunCommandOptions& options);

/// Writes all reports and reproducers, and prints the results. `message` is printed after them, if it is not empty, and
/// `fixes` are lines of try_repairs. Returns the exit code. Throws FileError.
int write_results(conformance::RunSession& session, const RunCommandOptions& options,
                  const conformance::Summary& summary, const std::string& message = "",
                  const std::vector<std::string>& fixes = {});

/// What is left of a run whose cases were run.
struct FinishedRun {
  std::unique_ptr<conformance::RunSession> session;
  conformance::Summary summary;
  std::string message;      ///< why not all cases were run, and how to continue; empty if all were
  bool had_enough = false;  ///< it ended because of --maxfail
};

/// Called with the cases before any is run; may throw Exit.
using CheckPlan = std::function<void(const std::vector<conformance::PlannedCase>& cases)>;

/// Begins or continues a run, and runs its cases. Throws Exit.
FinishedRun run_cases(
    const CLI::App& command, RunCommandOptions& options,
    const CheckPlan& check_plan = [](const std::vector<conformance::PlannedCase>&) {});

/// Runs the cases, prints the results, writes the reports, and returns the exit code. Throws Exit. `command` is the
/// called subcommand.
int run_command(
    const CLI::App& command, RunCommandOptions& options,
    const CheckPlan& check_plan = [](const std::vector<conformance::PlannedCase>&) {});

}  // namespace touchstone::tools
