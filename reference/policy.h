// The reading of each ambiguity that the interpreter follows. The default is the primary reading of all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "spec/ambiguities.h"

namespace touchstone::reference {

class Policy {
 public:
  template <spec::AmbiguityStruct A>
  typename A::Reading reading() const {
    return static_cast<typename A::Reading>(readings_[spec::ambiguity_index<A>]);
  }

  template <spec::AmbiguityStruct A>
  Policy with(typename A::Reading reading) const {
    return with(spec::ambiguity_index<A>, static_cast<std::size_t>(reading));
  }

  /// By the indices of the ambiguity in spec::ambiguities and of the reading in its row.
  /// Throws std::out_of_range if there is no such row.
  Policy with(std::size_t ambiguity, std::size_t reading) const {
    Policy changed = *this;
    if (reading >= spec::ambiguities.at(ambiguity)->readings.size()) throw std::out_of_range("no such reading");
    changed.readings_.at(ambiguity) = static_cast<std::uint8_t>(reading);
    return changed;
  }

  std::size_t reading_index(std::size_t ambiguity) const { return readings_.at(ambiguity); }

  bool operator==(const Policy&) const = default;

 private:
  std::array<std::uint8_t, spec::ambiguities.size()> readings_{};  // 0 is the primary reading of every row
};

}  // namespace touchstone::reference
