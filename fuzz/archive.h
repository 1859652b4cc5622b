// Two archives with the same interface. Reader decodes values from bytes; Writer produces the bytes from which Reader
// decodes these values. A function that describes its values to an archive is therefore a decoder and an encoder in
// one.
#pragma once

#include <FuzzedDataProvider.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reference/model/tensor.h"

namespace touchstone::fuzz {

/// The limit on elements per tensor. Many small examples find more than a few large ones.
inline constexpr std::int64_t most_elements = 1024;

/// Decodes any bytes. After their end, numbers have their lowest value and elements are 0. FuzzedDataProvider takes
/// numbers from the back and data from the front, so inserting or removing one kind does not move the other.
class Reader {
 public:
  static constexpr bool writes = false;

  explicit Reader(std::span<const std::uint8_t> bytes) : provider_(bytes.data(), bytes.size()) {}

  template <class T>
  void number(T& value, std::int64_t least, std::int64_t greatest) {
    value = static_cast<T>(provider_.ConsumeIntegralInRange<std::int64_t>(least, greatest));
  }

  template <class Byte>
  void bytes(Byte* first, std::size_t count) {
    if (count > 0 && provider_.remaining_bytes() > 0) provider_.ConsumeData(first, count);
  }

  void zeros(std::span<const std::byte> /*all*/) {}
  void refuse() {}

  /// Reads a value of the table. Returns false for a value outside the table, which only `may_be_any` permits.
  template <class T, class Table>
  bool choose(T& value, const Table& table, bool may_be_any) {
    std::size_t place = 0;
    number(place, 0, static_cast<std::int64_t>(table.size()) - (may_be_any ? 0 : 1));
    if (place == table.size()) return false;
    value = table[place];
    return true;
  }

  /// Changes the shape to a valid one with at most as many elements as there are bytes for, or one.
  void fit(reference::Shape& shape, int bits) {
    const std::int64_t available = static_cast<std::int64_t>(provider_.remaining_bytes()) * 8 / bits;
    limit(shape, std::clamp<std::int64_t>(available, 1, most_elements));
  }

  /// The same with a fixed limit, independent of the remaining bytes.
  void limit(reference::Shape& shape, std::int64_t most = most_elements) {
    const auto elements = reference::element_count(shape);
    if (elements && *elements <= most) return;
    for (std::int64_t& length : shape) {
      length = std::clamp<std::int64_t>(length, 1, most);
      most /= length;
    }
  }

 private:
  FuzzedDataProvider provider_;
};

class Writer {
 public:
  static constexpr bool writes = true;

  template <class T>
  void number(T& value, std::int64_t least, std::int64_t greatest) {
    const auto given = static_cast<std::int64_t>(value);
    if (given < least || given > greatest) can_be_written_ = false;
    const std::uint64_t range = static_cast<std::uint64_t>(greatest) - static_cast<std::uint64_t>(least);
    const std::uint64_t above = static_cast<std::uint64_t>(given) - static_cast<std::uint64_t>(least);
    int count = 0;
    while (count < 8 && (range >> (8 * count)) > 0) ++count;
    while (count-- > 0) back_.push_back(static_cast<std::uint8_t>(above >> (8 * count)));
  }

  template <class Byte>
  void bytes(Byte* first, std::size_t count) {
    std::transform(first, first + count, std::back_inserter(front_),
                   [](Byte byte) { return static_cast<std::uint8_t>(byte); });
  }

  void zeros(std::span<const std::byte> all) {
    if (std::ranges::any_of(all, [](std::byte byte) { return byte != std::byte{0}; })) refuse();
  }

  /// Reports that no bytes encode the value.
  void refuse() { can_be_written_ = false; }

  template <class T, class Table>
  bool choose(T& value, const Table& table, bool may_be_any) {
    std::size_t place = 0;
    while (place < table.size() && !(table[place] == value)) ++place;
    number(place, 0, static_cast<std::int64_t>(table.size()) - (may_be_any ? 0 : 1));
    return place < table.size();
  }

  void fit(reference::Shape& shape, int /*bits*/) { limit(shape); }

  void limit(reference::Shape& shape) {
    const auto elements = reference::element_count(shape);
    if (!elements || *elements > most_elements) can_be_written_ = false;
  }

  /// Whether every value was in its range.
  bool can_be_written() const { return can_be_written_; }

  std::vector<std::uint8_t> written() const {
    std::vector<std::uint8_t> all = front_;
    all.insert(all.end(), back_.rbegin(), back_.rend());
    return all;
  }

 private:
  std::vector<std::uint8_t> front_;
  std::vector<std::uint8_t> back_;
  bool can_be_written_ = true;
};

}  // namespace touchstone::fuzz
