#include "tools/touchstone/repairs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <memory>

#include "conformance/run/runner.h"
#include "reference/interruption.h"
#include "tools/touchstone/backend_option.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/progress.h"
#include "tools/touchstone/worker_option.h"

namespace touchstone::tools {

using namespace conformance;

namespace {

constexpr std::size_t longest_message = 200;

/// The number of cases of each kind that are right.
std::vector<std::ptrdiff_t> repaired(Backend& backend, const std::vector<FailedKind>& failed, const JudgeOptions& judge,
                                     Progress& progress) {
  std::vector<std::ptrdiff_t> right;
  for (const auto& [name, cases] : failed)
    right.push_back(std::ranges::count_if(cases, [&](const PlannedCase* planned) {
      const reference::Interruptible interruptible(stop_requested);
      reference::Interruptible::ask();
      const bool is_repaired = is_right(run_case(*planned, backend, judge).answer_class());
      progress.step(planned->id, 0);
      return is_repaired;
    }));
  return right;
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
  std::vector<std::string> lines, settings;
  std::vector<bool> is_repaired(failed.size());
  for (const Repair& repair : repairs_of(run.backend_option)) {
    if (repair.backend == run.backend_option) continue;
    if (stop_requested()) break;
    try {
      const std::unique_ptr<Backend> backend = open_backend(repair.backend, run.worker, run.assumed);
      Progress progress(all, 0, progress_interval, "trying " + repair.setting);
      const std::vector<std::ptrdiff_t> right = repaired(*backend, failed, judge, progress);
      settings.push_back(repair.setting);
      std::vector<std::string> results;
      for (std::size_t k = 0; k < failed.size(); ++k) {
        const auto& [name, cases] = failed[k];
        if (right[k] == 0) continue;
        is_repaired[k] = true;
        results.push_back(
            fmt::format("{} of {} {} {}{}", right[k], cases.size(), name, unit, cases.size() == 1 ? "" : "s"));
      }
      if (!results.empty())
        lines.push_back(fmt::format("{}: right in {} (tried)", repair.setting, fmt::join(results, " and in ")));
      if (std::ranges::equal(right, failed, {}, {}, [](const FailedKind& kind) { return std::ssize(kind.cases); }))
        break;
    } catch (const reference::Interrupted&) {
      print_message(fmt::format("touchstone: {}: not tried to the end, because of an interrupt", repair.setting));
      break;
    } catch (const BackendError& error) {
      print_message(fmt::format("touchstone: {}: could not be tried: {}", repair.setting,
                                printable(error.what(), longest_message)));
    }
  }
  for (std::size_t k = 0; k < failed.size(); ++k)
    if (!failed[k].cases.empty() && !settings.empty() && !is_repaired[k])
      lines.push_back(fmt::format("no setting that was tried makes any {} {} right: {}", failed[k].name, unit,
                                  fmt::join(settings, ", ")));
  return lines;
}

}  // namespace touchstone::tools
