// For tests that take a sample by day, and everything at night.
#pragma once

#include <cstdlib>

namespace touchstone::conformance {

/// Whether tests may take as long as they need: tools/test --nightly sets TOUCHSTONE_NIGHTLY.
inline bool is_nightly() { return std::getenv("TOUCHSTONE_NIGHTLY") != nullptr; }

}  // namespace touchstone::conformance
