#include "tools/touchstone/repairs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "conformance/run/runner.h"
#include "tools/touchstone/backend_option.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/progress.h"
#include "tools/touchstone/worker_option.h"

namespace touchstone::tools {

using namespace conformance;

namespace {

constexpr std::size_t longest_message = 200;

/// "17 of 18 wrong cases", for each kind of which some are right.
std::vector<std::string> repaired(Backend& backend, const std::vector<FailedKind>& failed, std::string_view unit,
                                  const JudgeOptions& judge, Progress& progress) {
  std::vector<std::string> results;
  for (const auto& [name, cases] : failed) {
    const auto right = std::ranges::count_if(cases, [&](const PlannedCase* planned) {
      if (stop_requested()) return false;
      const bool is_repaired = is_right(run_case(*planned, backend, judge).answer_class());
      progress.step(planned->id, 0);
      return is_repaired;
    });
    if (right > 0)
      results.push_back(fmt::format("{} of {} {} {}{}", right, cases.size(), name, unit, cases.size() == 1 ? "" : "s"));
  }
  return results;
}

}  // namespace

std::vector<std::string> try_repairs(const RunInfo& run, const std::vector<FailedKind>& failed, std::string_view unit,
                                     std::chrono::milliseconds progress_interval) {
  std::size_t all = 0;
  for (const FailedKind& kind : failed) all += kind.cases.size();
  if (all == 0) return {};
  JudgeOptions judge = run.judge_options();
  judge.explains = false;
  judge.most_interpretations = 100;  // each of a single reading; a longer search would only confirm that it is wrong
  std::vector<std::string> lines;
  for (const Repair& repair : repairs_of(run.backend_option)) {
    if (repair.backend == run.backend_option) continue;
    if (stop_requested()) break;
    try {
      const std::unique_ptr<Backend> backend = open_backend(repair.backend, run.worker, run.assumed);
      Progress progress(all, 0, progress_interval, "trying " + repair.setting);
      const std::vector<std::string> results = repaired(*backend, failed, unit, judge, progress);
      if (stop_requested())
        print_message(fmt::format("touchstone: {}: not tried to the end, because of an interrupt", repair.setting));
      else if (!results.empty())
        lines.push_back(fmt::format("{}: right in {} (tried)", repair.setting, fmt::join(results, " and in ")));
    } catch (const BackendError& error) {
      print_message(fmt::format("touchstone: {}: could not be tried: {}", repair.setting,
                                printable(error.what(), longest_message)));
    }
  }
  return lines;
}

}  // namespace touchstone::tools
