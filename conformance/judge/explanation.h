// Which permitted readings explain what a backend does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "conformance/judge/expectation.h"
#include "conformance/judge/verdict.h"

namespace touchstone::conformance {

/// How much of a backend's answer to a data set differs from this outcome; 0 where nothing does.
using Distance = std::function<std::int64_t(std::size_t data_set, const reference::Outcome& outcome)>;

/// The fewest readings, permitted in this version, that bring all distances to 0 together: they hold for all data sets
/// alike, so outputs that follow one reading here and another there have no explanation. Nothing if there are none.
std::optional<std::vector<ReadingId>> find_explanation(const Case& tested, const std::vector<Interpreted>& interpreted,
                                                       const Distance& distance);

}  // namespace touchstone::conformance
