// Compares two runs.
#pragma once

#include <vector>

#include "conformance/run/journal.h"

namespace touchstone::conformance {

/// A case of both runs, with its old and its new record.
struct Change {
  const CaseRecord* before;
  const CaseRecord* after;
};

/// Keeps references to the two journals, which must outlive it.
struct RunDiff {
  /// Passed before and does not now, or became a problem or wrong. A case that is no longer asked does not pass.
  std::vector<Change> newly_failing;
  std::vector<Change> newly_passing;  ///< did not pass before, and does now
  std::vector<Change> other_verdict;  ///< another failing verdict or answer class, or a pass under another reading
  std::vector<Change> other_output;   ///< the same case and verdict, but other outputs
  std::vector<Change> other_case;     ///< the same id, but the case now has another model, data or outcome
  std::vector<const CaseRecord*> only_before;
  std::vector<const CaseRecord*> only_after;

  bool none() const;
};

RunDiff diff(const Journal& before, const Journal& after);

}  // namespace touchstone::conformance
