// The example of a cause: the element that tells it best from other causes and hypotheses.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "conformance/causes/causes.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

struct Example {
  std::size_t place;                    ///< of the case, in the records
  std::optional<WrongElement> element;  ///< nothing if the case has none
};

/// Among the first wrong elements of the first cases: one that no other cause explains by itself, and as few hypotheses
/// as possible. Each element counts as a tensor of its own, so hypotheses on other elements explain none.
Example example_of(const Cause& cause, std::span<const Cause> causes, std::span<const CaseRecord> records);

}  // namespace touchstone::conformance
