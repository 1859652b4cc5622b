// What must stay the same while a case shrinks, and the calls that show whether it does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/judge/oracle.h"
#include "conformance/run/record.h"
#include "conformance/session/shrink.h"

namespace touchstone::conformance {

class ShrinkProblem {
 public:
  /// The arguments of `shrink`.
  ShrinkProblem(const PlannedCase& planned, const CaseRecord& record, Backend& backend, const ShrinkOptions& options);

  /// False if the model of one node cannot show the problem, so that no call is needed.
  bool may_be_shown_by(const std::vector<ReferenceOutcome>& interpreted) const;

  /// Calls the backend. The result of the case if it shows the problem, without hypotheses that are not part of it.
  std::optional<CaseRecord> shown_by(const Case& tested);
  /// The hypotheses that explain the outputs of the last case, although they do not explain those of the whole one.
  const std::vector<std::string>& rivals() const { return rivals_; }

  /// Whether the case was not tried before. Call it once for each.
  bool is_new(const Case& tested);
  /// Whether the next call is the last one, which confirms the result.
  bool is_over() const;
  std::size_t calls() const { return calls_; }

 private:
  bool is_in(CaseRecord& record);

  const PlannedCase& planned_;
  Backend& backend_;
  const ShrinkOptions& options_;
  Verdict verdict_;
  const spec::Clause* violated_;
  std::string message_;
  const std::vector<std::string> of_whole_;  ///< all hypotheses that explain the whole case
  std::vector<std::string> hypotheses_;      ///< one of these must explain the outputs, unless there are none
  std::vector<std::string> rivals_;
  std::size_t most_calls_;
  std::size_t calls_ = 0;
  std::unordered_set<std::uint64_t> tried_;  ///< the digests of the cases
};

/// Shrinks a graph: it gets one data set, shorter dimensions and more zeros. `whole` is the case, and `problem` what it
/// shows.
Shrunk shrink_graph(const PlannedCase& planned, const Case& whole, const CaseRecord& record, Backend& backend,
                    const ShrinkOptions& options);

}  // namespace touchstone::conformance
