// Finds the ids that a filter matches, fast enough for thousands of filters. It matches only ids that have all letters,
// pairs and triples of letters of a pattern, and have letters of different pieces in the order of the pattern.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/plan/filter.h"

namespace touchstone::conformance {

/// A set of indices into an IdIndex.
class PlaceSet {
 public:
  static constexpr std::size_t capacity = 4096;

  static PlaceSet first(std::size_t count);
  void add(std::size_t place) { words_[place / 64] |= std::uint64_t{1} << place % 64; }
  bool empty() const;
  /// In ascending order.
  std::vector<std::size_t> places() const;

  PlaceSet& operator&=(const PlaceSet& other);
  PlaceSet& operator|=(const PlaceSet& other);
  PlaceSet& operator-=(const PlaceSet& other);

 private:
  std::array<std::uint64_t, capacity / 64> words_{};
};

class IdIndex {
 public:
  /// Indexes at most PlaceSet::capacity ids, which must outlive the index.
  explicit IdIndex(std::span<const std::string_view> ids);

  /// The places in `among` whose ids the filter matches; see Filter::matches.
  PlaceSet taken(const Filter& filter, const PlaceSet& among) const;

 private:
  PlaceSet matching(std::string_view pattern, PlaceSet among) const;
  void add_order(std::size_t place);

  std::span<const std::string_view> ids_;
  std::vector<PlaceSet> with_gram_;   ///< by the hash of the gram
  std::vector<PlaceSet> with_order_;  ///< by the hash of two letters, the first of which occurs before the second
};

}  // namespace touchstone::conformance
