// What went wrong, where there is not room for all of it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "conformance/report/summary.h"

namespace touchstone::conformance {

struct Problems {
  std::vector<const CaseRecord*> shown;  ///< in the order of the records
  std::size_t count = 0;                 ///< of all
};

/// Those that nobody expects; what was not asked is none. Of more than `most`, as many of each verdict as there is room
/// for, and of different reasons before others of the same.
Problems choose_problems(const Summary& summary, std::span<const CaseRecord> records, std::size_t most);

}  // namespace touchstone::conformance
