// Reproducible pseudorandom choices: the same text and seed give the same choices on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "conformance/plan/digest.h"

namespace touchstone::conformance {

class Picker {
 public:
  /// The choices depend only on these two arguments, so adding other cases does not change a case.
  Picker(std::string_view text, std::uint64_t seed) : state_(Digest().add(text).value() ^ (seed * golden_ratio)) {}

  /// The next number, below `limit` (at least 1).
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(next() % limit); }
  bool coin() { return below(2) == 0; }

  /// An element of a container that is not empty.
  template <class Container>
  const auto& one_of(const Container& container) {
    return container[below(container.size())];
  }

  /// SplitMix64.
  std::uint64_t next() {
    state_ += golden_ratio;
    std::uint64_t bits = state_;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
  }

 private:
  static constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15;
  std::uint64_t state_;
};

}  // namespace touchstone::conformance
