// Selects which problems a report shows when there are too many.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "conformance/report/summary.h"

namespace touchstone::conformance {

struct Problems {
  std::vector<const CaseRecord*> shown;  ///< in the order of the records
  std::size_t count = 0;                 ///< of all problems
};

/// The unexpected problems. Cases that were not asked are not problems. If there are more than `most`, every cause gets
/// a share, the first causes first, and different reasons come before repeated ones. `records` are those of the
/// summary.
Problems choose_problems(const Summary& summary, std::span<const CaseRecord> records, std::size_t most);

}  // namespace touchstone::conformance
