// For tests that take long: how much they may try.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace touchstone::conformance {

/// Whether tests may take as long as they need: tools/test --nightly sets TOUCHSTONE_NIGHTLY.
inline bool is_nightly() { return std::getenv("TOUCHSTONE_NIGHTLY") != nullptr; }

/// By day, one of `period` in order; at night, every one.
inline bool is_tried(std::size_t number, std::size_t period) { return is_nightly() || number % period == 0; }

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
