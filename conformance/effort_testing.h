// For tests that take long: how much they may try.
#pragma once

#include <cstdlib>

namespace touchstone::conformance {

/// Whether tests may take as long as they need: tools/test --nightly sets TOUCHSTONE_NIGHTLY.
inline bool is_nightly() { return std::getenv("TOUCHSTONE_NIGHTLY") != nullptr; }

/// Whether the address sanitizer slows everything down.
constexpr bool is_sanitized() {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  return true;
#endif
#endif
  return false;
}

}  // namespace touchstone::conformance
