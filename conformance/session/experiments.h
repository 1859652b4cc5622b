// Tries to refute the causes that a run is about to report: asks the backend for models and inputs that are not among
// the cases, for which the hypothesis of a cause predicts another answer than the specification, and than other
// hypotheses that explain the same cases.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/judge/judge.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/contradictions.h"
#include "conformance/run/experiment.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

struct ExperimentOptions {
  JudgeOptions judge = {};
  std::uint64_t seed = 0;           ///< of the run
  std::function<bool()> stop = {};  ///< called before each experiment; true ends the search
  /// Called before each one, with the id of the case that it varies.
  std::function<void(const std::string& id)> on_experiment = {};
};

/// Experiments for all causes of wrong values that have a name: those of find_causes, and those that take their place
/// where experiments refute them. `records` are those of the first cases of the plan. Of graphs, only the
/// inputs are other ones. Causes take turns, so that each has some when `stop` ends the search.
///
/// An answer that contradicts a hypothesis counts only if the backend gives it twice. If the backend breaks down, its
/// cause has no more experiments; after several times, and after a timeout, no cause has. If the backend is
/// deterministic and `stop` does not end the search, the result depends only on the other arguments.
std::vector<Experiment> make_experiments(std::span<const PlannedCase> plan, std::span<const CaseRecord> records,
                                         std::span<const Contradictions> contradictions,
                                         const std::function<std::unique_ptr<Backend>()>& make_backend,
                                         const ExperimentOptions& options);

}  // namespace touchstone::conformance
