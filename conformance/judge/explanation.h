// Which permitted readings explain what a backend does.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "conformance/judge/expectation.h"
#include "conformance/judge/verdict.h"

namespace touchstone::conformance {

/// How much of a backend's answers differs from these outcomes, one per data set; 0 where nothing does.
using Distance = std::function<std::int64_t(const std::vector<const reference::Outcome*>& outcomes)>;

/// The fewest readings, permitted in this version, that bring the distance to 0 together: they hold for all data sets
/// alike, so outputs that follow one reading here and another there have no explanation. Nothing if there are none.
std::optional<std::vector<ReadingId>> find_explanation(const Case& tested, const std::vector<Interpreted>& interpreted,
                                                       const Distance& distance);

}  // namespace touchstone::conformance
