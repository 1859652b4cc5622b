// What must stay the same while a case shrinks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/judge/oracle.h"
#include "conformance/run/record.h"
#include "conformance/session/shrink.h"

namespace touchstone::conformance {

/// The limit of calls to the backend: fewer after a crash or a timeout.
std::size_t limited_calls(std::size_t most, Verdict verdict);

class ShrinkProblem {
 public:
  ShrinkProblem(const CaseRecord& record, const ShrinkOptions& options);

  /// Removes the hypotheses that are not part of the problem from the record.
  bool is_shown_by(CaseRecord& record) const;

  /// False if the model of one node cannot show the problem, so that no call is needed.
  bool may_be_shown_by(const std::vector<ReferenceOutcome>& interpreted) const;

 private:
  Verdict verdict_;
  const spec::Clause* violated_;
  std::string message_;
  bool sign_of_zero_;
  std::vector<std::string> hypotheses_;  ///< one of these must explain the outputs, unless there are none
  std::vector<std::string> other_hypotheses_;
};

/// Shrinks a graph: it gets one data set, shorter dimensions and more zeros. `whole` is the case, and `problem` what it
/// shows.
Shrunk shrink_graph(const PlannedCase& planned, const Case& whole, const CaseRecord& record, Backend& backend,
                    const ShrinkOptions& options);

}  // namespace touchstone::conformance
