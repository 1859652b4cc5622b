// Lower levels: the same runtime with fewer optimizations. They show from which level on a graph is wrong.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/judge/judge.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/controls.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// A backend with a level of optimizations. Throws BackendError if it cannot be started.
struct Level {
  std::string name;  ///< as --backend takes it
  std::function<std::unique_ptr<Backend>()> open;
};

class LowerLevels {
 public:
  /// `lower` begins with the fewest optimizations. `own` is the name of the backend that is tested.
  LowerLevels(const std::vector<Level>& lower, std::string own, const JudgeOptions& options);

  /// Runs a wrong graph at the lower levels, the highest first, and notes in the record from which level on the answer
  /// is the same. Does nothing for other cases, for timeouts and flaky cases, and if a level cannot be started. Each
  /// level is started when it is first needed. Threads may call this at once.
  void check(const PlannedCase& planned, CaseRecord& record);

 private:
  struct State {
    const Level* level;
    bool is_broken = false;
    std::unique_ptr<Backend> backend = nullptr;
    std::unique_ptr<Controls> controls = nullptr;
  };
  /// std::nullopt if the backend cannot be used.
  std::optional<CaseRecord> answer_at(State& state, const PlannedCase& planned) const;

  std::vector<State> states_;  ///< the highest level first
  const std::string own_;
  const JudgeOptions options_;
  std::mutex mutex_;
};

}  // namespace touchstone::conformance
