// Experiments: models and inputs that are not among the cases, with which a run tries to refute its causes. They are
// counted nowhere else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/judge/verdict.h"

namespace touchstone::conformance {

/// How an experiment ended. Every outcome but the first ends the experiments of its cause.
enum class ExperimentOutcome : std::uint8_t { answered, unstable, broken, timeout, no_time, none };

struct ExperimentOutcomeInfo {
  ExperimentOutcome outcome;
  std::string_view name;
  std::string_view sentence;
};

inline constexpr std::array experiment_outcomes{
    ExperimentOutcomeInfo{ExperimentOutcome::answered, "answered", ""},
    ExperimentOutcomeInfo{ExperimentOutcome::unstable, "unstable",
                          "the backend gives other answers to the same model and inputs"},
    ExperimentOutcomeInfo{ExperimentOutcome::broken, "broken", "the backend broke down in an experiment"},
    ExperimentOutcomeInfo{ExperimentOutcome::timeout, "timeout", "the backend did not answer an experiment in time"},
    ExperimentOutcomeInfo{ExperimentOutcome::no_time, "no_time", "the time for experiments was used up"},
    ExperimentOutcomeInfo{ExperimentOutcome::none, "none", "no other model or inputs were found in which it shows"},
};

/// How an experiment differs from its case. All but the first are changes of the circumstances: whether the hypothesis
/// holds there says where, and not whether it is true.
enum class ExperimentChange : std::uint8_t { values, graph_inputs, constants, without_zero_point, per_tensor };

struct ExperimentChangeInfo {
  ExperimentChange change;
  std::string_view name;
  std::string_view where;
};

inline constexpr std::array experiment_changes{
    ExperimentChangeInfo{ExperimentChange::values, "values", ""},
    ExperimentChangeInfo{ExperimentChange::graph_inputs, "graph_inputs", "with graph inputs"},
    ExperimentChangeInfo{ExperimentChange::constants, "constants", "with a constant scale"},
    ExperimentChangeInfo{ExperimentChange::without_zero_point, "without_zero_point", "without zero point"},
    ExperimentChangeInfo{ExperimentChange::per_tensor, "per_tensor", "per tensor"},
};

struct Experiment {
  std::string base;        ///< the id of the case that it varies
  std::size_t number = 0;  ///< the case, this number and the seed of the run determine its model and inputs
  ExperimentChange change = ExperimentChange::values;
  ExperimentOutcome outcome = ExperimentOutcome::answered;
  // The following members describe an answer.
  Verdict verdict = Verdict::not_run;        ///< pass or fail
  std::vector<std::string> tested = {};      ///< hypotheses that explain the cases of the cause
  std::vector<std::string> consistent = {};  ///< those among them that predict this answer

  bool operator==(const Experiment&) const = default;
};

}  // namespace touchstone::conformance
