// Compares the causes of two runs: what is new, what is gone, and what now has other cases.
#pragma once

#include <span>
#include <vector>

#include "conformance/causes/causes.h"

namespace touchstone::conformance {

/// A cause of one run or of both.
struct CauseChange {
  const Cause* before;  ///< null: the cause is new
  const Cause* after;   ///< null: the cause is gone
};

/// The causes that differ: those of the later run in their order, then those that are gone. Two causes are the same
/// cause if both are wrong or both are refusals, and they have the same name; without a name, the same sentence and at
/// least half of the cases of the smaller one. A cause of both runs differs if its `where` differs. Keeps pointers to
/// the causes.
std::vector<CauseChange> compare_causes(std::span<const Cause> before, std::span<const CaseRecord> records_before,
                                        std::span<const Cause> after, std::span<const CaseRecord> records_after);

}  // namespace touchstone::conformance
