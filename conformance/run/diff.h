// Two runs against each other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/run/journal.h"

namespace touchstone::conformance {

/// A case that both runs have, in its old and its new record.
struct Change {
  const CaseRecord* before;
  const CaseRecord* after;
};

/// Refers to the two journals: keep them.
struct RunDiff {
  std::vector<Change> newly_failing;  ///< passed before, and does not now
  std::vector<Change> newly_passing;  ///< the other way round
  std::vector<Change> other_verdict;  ///< failed, and fails otherwise now; passes by another reading
  std::vector<Change> other_output;   ///< the same case and verdict, but other outputs
  std::vector<Change> other_case;     ///< the same id, but the plan has other data for it now
  std::vector<const CaseRecord*> only_before;
  std::vector<const CaseRecord*> only_after;

  bool none() const;
};

RunDiff diff(const Journal& before, const Journal& after);

}  // namespace touchstone::conformance
