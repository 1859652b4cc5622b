// Sources of choices, from which nodes are generated. Other sources than random numbers are in the folders that use
// them, such as the bytes of a fuzzer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "reference/model/tensor.h"

namespace touchstone::reference {

/// The limit on elements per tensor. Many small examples find more than a few large ones.
inline constexpr std::int64_t most_elements = 1024;

/// A function that describes its values to a source of choices is a generator and an encoder in one: the source either
/// chooses every value, or records the choices that lead to given values.
class Choices {
 public:
  struct Range {
    std::int64_t least;
    std::int64_t greatest;
  };

  virtual ~Choices() = default;

  /// Whether the values are given.
  virtual bool records() const { return false; }

  /// For a source that records: reports that no choices lead to the given values.
  virtual void refuse() {}

  virtual void bytes(std::span<std::byte> values) = 0;

  /// A number in `all`. A random source seldom chooses one outside `usual`.
  template <class T>
  void number(T& value, Range all, Range usual) {
    auto number = static_cast<std::int64_t>(value);
    choose_number(number, all, usual);
    value = static_cast<T>(number);
  }

  template <class T>
  void number(T& value, std::int64_t least, std::int64_t greatest) {
    number(value, {least, greatest}, {least, greatest});
  }

  /// A value of the table. Returns false for a value outside the table, which only `may_be_any` permits.
  template <class T, class Table>
  bool choose(T& value, const Table& table, bool may_be_any) {
    std::size_t place = 0;
    while (records() && place < table.size() && !(table[place] == value)) ++place;
    const auto last = static_cast<std::int64_t>(table.size()) - 1;
    number(place, {0, may_be_any ? last + 1 : last}, {0, last});
    if (place >= table.size()) return false;
    if (!records()) value = table[place];
    return true;
  }

  /// Changes the shape to a valid one with at most as many elements, of this number of bits, as the source has data
  /// for, or one.
  void fit(Shape& shape, int bits) {
    limit(shape, std::clamp<std::int64_t>(available_bits() / bits, 1, most_elements));
  }

  /// The same with a fixed limit, independent of the data.
  void limit(Shape& shape, std::int64_t most = most_elements);

 private:
  virtual void choose_number(std::int64_t& value, Range all, Range usual) = 0;
  virtual std::int64_t available_bits() { return std::numeric_limits<std::int64_t>::max(); }
};

/// Makes random choices.
class RandomChoices : public Choices {
 public:
  /// Returns a number below the given one.
  using Below = std::function<std::uint64_t(std::uint64_t)>;

  explicit RandomChoices(Below below) : below_(std::move(below)) {}

  bool once_in(std::uint64_t times) { return below_(times) == times - 1; }
  std::uint64_t seed() { return below_(std::numeric_limits<std::uint64_t>::max()); }

  /// Letters for texts. The elements of tensors are drawn later, by draw_values(), which knows their types.
  void bytes(std::span<std::byte> values) override;

 private:
  void choose_number(std::int64_t& value, Range all, Range usual) override;
  /// Enough for the vectors and tiles of kernels; larger examples take long to simplify.
  std::int64_t available_bits() override { return 6400; }

  Below below_;
};

}  // namespace touchstone::reference
