// Expands parameters that several elements share to one parameter per element. Include only from files compiled for
// AVX2 (see avx2/vectors.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "optimized/avx2/parameters.h"
#include "optimized/avx2/vectors.h"
#include "optimized/operands.h"

namespace touchstone::optimized {

namespace {  // NOLINT: see avx2/vectors.h

/// The indices that repeat each of 8 numbers `times` times.
template <std::size_t times>
constexpr auto places_of_repeated = [] {
  std::array<std::int32_t, 8 * times> places{};
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::int32_t>(i / times);
  return places;
}();

/// Writes the first `count` elements of `numbers`, each repeated `times` times.
template <std::size_t times>
void spread_by(const void* numbers, std::int64_t count, void* elements) {
  const auto* in = static_cast<const std::int32_t*>(numbers);
  auto* out = static_cast<std::int32_t*>(elements);
  const auto store = [&](__m256i eight, std::size_t vector) {
    const __m256i places = _mm256_loadu_si256(at256(places_of_repeated<times>.data() + 8 * vector));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out) + vector, _mm256_permutevar8x32_epi32(eight, places));
  };
  constexpr std::int64_t elements_of_eight = 8 * static_cast<std::int64_t>(times);
  for (; count >= elements_of_eight; count -= elements_of_eight, in += 8, out += elements_of_eight) {
    const __m256i eight = _mm256_loadu_si256(at256(in));
    for (std::size_t vector = 0; vector < times; ++vector) store(eight, vector);
  }
  if (count == 0) return;
  const __m256i eight = _mm256_loadu_si256(at256(in));
  for (std::size_t vector = 0; 8 * static_cast<std::int64_t>(vector) < count; ++vector) store(eight, vector);
}

/// As spread_by(), for `times` of at least 8, or for one number.
inline void spread_long(const void* numbers, std::int64_t times, std::int64_t count, void* elements) {
  const auto* in = static_cast<const std::byte*>(numbers);
  auto* out = static_cast<std::int32_t*>(elements);
  for (std::int64_t first = 0; first < count; first += times, in += sizeof(std::int32_t)) {
    std::int32_t number = 0;
    std::memcpy(&number, in, sizeof number);  // float32 or int32
    const std::int64_t end = std::min(first + times, count);
    for (std::int64_t i = first; i < end; i += 8)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm256_set1_epi32(number));
  }
}

/// Repeats each 32-bit number `times` times and writes `count` of the resulting elements, starting at `skipped` <
/// times. May read and overwrite what follows the numbers and the elements: see slack.
template <class Number>
void spread(const Number* numbers, std::int64_t times, std::int64_t skipped, std::int64_t count, Number* elements) {
  static_assert(sizeof(Number) == 4);
  if (skipped > 0) {
    const std::int64_t rest = std::min(times - skipped, count);
    spread_long(numbers++, rest, rest, elements);
    elements += rest;
    count -= rest;
  }
  switch (times) {
    case 1: return spread_by<1>(numbers, count, elements);
    case 2: return spread_by<2>(numbers, count, elements);
    case 3: return spread_by<3>(numbers, count, elements);
    case 4: return spread_by<4>(numbers, count, elements);
    case 5: return spread_by<5>(numbers, count, elements);
    case 6: return spread_by<6>(numbers, count, elements);
    case 7: return spread_by<7>(numbers, count, elements);
    case 8: return spread_by<8>(numbers, count, elements);
    case 16: return spread_by<16>(numbers, count, elements);
    default: return spread_long(numbers, times, count, elements);
  }
}

/// Repeats rows of 32-bit numbers. May read and overwrite what follows the numbers and the elements: see slack.
class RepeatedRows {
 public:
  /// Rows of `length` numbers. write_blocks() repeats each of them `times` times.
  RepeatedRows(std::int64_t length, std::int64_t times) : length_(length), times_(times) {
    if (!is_short() || times > most_times) return;
    // The elements of eight / length blocks, in order.
    alignas(32) std::int32_t places[8];
    std::int64_t block = 0;
    std::int64_t row = 0;
    std::int64_t place = 0;
    for (std::int64_t i = 0; i < 8 * times; ++i) {
      places[i % 8] = static_cast<std::int32_t>((block * length + place) % 8);
      if (i % 8 == 7) places_in_blocks_[i / 8] = _mm256_load_si256(at256(places));
      if (++place < length) continue;
      place = 0;
      if (++row < times) continue;
      row = 0;
      ++block;
    }
  }

  bool may_write_blocks() const { return times_ <= most_times; }

  template <class Number>
  void write_blocks(const Number* numbers, std::int64_t blocks, Number* elements) const {
    static_assert(sizeof(Number) == 4);
    if (!is_short())
      return with_constant((length_ + 7) / 8,
                           [&](auto vectors) { write_long(numbers, blocks, times_, vectors, elements); });
    const std::int64_t blocks_of_eight = 8 / length_;
    const std::int64_t steps = blocks / blocks_of_eight;
    const std::int64_t numbers_of_step = blocks_of_eight * length_;
    const std::int64_t elements_of_step = numbers_of_step * times_;
    with_constant((elements_of_step + 7) / 8, [&](auto vectors) {
      for (std::int64_t step = 0; step < steps; ++step)
        write_short(numbers + step * numbers_of_step, vectors, elements + step * elements_of_step);
    });
    const std::int64_t rest = (blocks - steps * blocks_of_eight) * length_ * times_;
    write_short(numbers + steps * numbers_of_step, (rest + 7) / 8, elements + steps * elements_of_step);
  }

  /// Repeats one row any number of times.
  template <class Number>
  void write_rows(const Number* numbers, std::int64_t rows, Number* elements) const {
    static_assert(sizeof(Number) == 4);
    write_long(numbers, 1, rows, (length_ + 7) / 8, elements);
  }

 private:
  static constexpr std::int64_t most_times = 32;

  /// Whether eight numbers hold a whole row.
  bool is_short() const { return length_ <= 8; }

  template <class Number, class Count>
  void write_short(const Number* numbers, Count vectors, Number* elements) const {
    const __m256i eight = _mm256_loadu_si256(at256(numbers));
    for (std::int64_t i = 0; i < vectors; ++i)
      store(_mm256_permutevar8x32_epi32(eight, places_in_blocks_[i]), elements + 8 * i);
  }

  template <class Number, class Count>
  void write_long(const Number* numbers, std::int64_t blocks, std::int64_t times, Count vectors,
                  Number* elements) const {
    for (std::int64_t block = 0; block < blocks; ++block, numbers += length_)
      for (std::int64_t row = 0; row < times; ++row, elements += length_)
        for (std::int64_t i = 0; i < vectors; ++i) store(_mm256_loadu_si256(at256(numbers + 8 * i)), elements + 8 * i);
  }

  template <class Number>
  static void store(__m256i eight, Number* elements) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(elements), eight);
  }

  /// Calls function(number), with a constant if the number is small.
  template <class Function>
  static void with_constant(std::int64_t number, const Function& function) {
    switch (number) {
      case 1: return function(std::integral_constant<std::int64_t, 1>());
      case 2: return function(std::integral_constant<std::int64_t, 2>());
      case 3: return function(std::integral_constant<std::int64_t, 3>());
      case 4: return function(std::integral_constant<std::int64_t, 4>());
      case 8: return function(std::integral_constant<std::int64_t, 8>());
      default: return function(number);
    }
  }

  std::int64_t length_;
  std::int64_t times_;
  __m256i places_in_blocks_[most_times];
};

/// Fills a tile from its beginning.
template <ElementType type, class Parameters, std::int64_t capacity>
class Spread {
 public:
  Spread(const Geometry& geometry, const Parameters& parameters, Tile<type, capacity>& tile)
      : parameters_(parameters), parameter_count_(parameter_count(geometry)), tile_(tile) {}

  void clear() { count_ = 0; }
  std::int64_t count() const { return count_; }

  /// Appends `count` elements, starting at element `first` of the sequence that repeats each parameter from `parameter`
  /// on `times` times.
  void add(std::int64_t parameter, std::int64_t times, std::int64_t first, std::int64_t count) {
    std::int64_t skipped = first;
    if (first >= times) {
      parameter += first / times;
      skipped = first % times;
    }
    while (count > 0) {
      load(parameter, 1);
      const std::int64_t place = parameter - loaded_first_;
      const std::int64_t loaded = loaded_count_ - place;
      const std::int64_t part = std::min(count, loaded * times - skipped);
      spread(loaded_.scale_copies + place, times, skipped, part, tile_.scale_copies + count_);
      spread(loaded_.zero_point_copies + place, times, skipped, part, tile_.zero_point_copies + count_);
      count_ += part;
      count -= part;
      parameter += loaded;
      skipped = 0;
    }
  }

  /// Appends `rows` rows of `length` elements, at most longest_row, which all have the parameters from `parameter` on.
  void add_rows(std::int64_t parameter, std::int64_t length, std::int64_t rows, const RepeatedRows& repeated) {
    load(parameter, length);
    const std::int64_t place = parameter - loaded_first_;
    repeated.write_rows(loaded_.scale_copies + place, rows, tile_.scale_copies + count_);
    repeated.write_rows(loaded_.zero_point_copies + place, rows, tile_.zero_point_copies + count_);
    count_ += rows * length;
  }

  /// Appends blocks of `times` rows. Together they have `parameters` parameters, at most most_loaded.
  void add_blocks(std::int64_t parameter, std::int64_t parameters, std::int64_t times, std::int64_t blocks,
                  const RepeatedRows& repeated) {
    load(parameter, parameters);
    const std::int64_t place = parameter - loaded_first_;
    repeated.write_blocks(loaded_.scale_copies + place, blocks, tile_.scale_copies + count_);
    repeated.write_blocks(loaded_.zero_point_copies + place, blocks, tile_.zero_point_copies + count_);
    count_ += parameters * times;
  }

  /// Removes the first `count` elements.
  void remove(std::int64_t count) {
    count_ -= count;
    std::copy_n(tile_.scale_copies + count, count_, tile_.scale_copies);
    std::copy_n(tile_.zero_point_copies + count, count_, tile_.zero_point_copies);
  }

  /// Repeats the present elements until there are `count`.
  void repeat(std::int64_t count) {
    while (count_ < count) {
      const std::int64_t step = std::min(count_, count - count_);
      std::copy_n(tile_.scale_copies, step, tile_.scale_copies + count_);
      std::copy_n(tile_.zero_point_copies, step, tile_.zero_point_copies + count_);
      count_ += step;
    }
  }

  /// Completes the last group and returns the tile.
  const PreparedParameters<type>& finish() {
    tile_.scales = tile_.scale_copies;
    Parameters::complete_group(count_, tile_);
    return tile_;
  }

  static constexpr std::int64_t longest_row = 128;
  static constexpr std::int64_t most_loaded = 248;  // from any parameter on

 private:
  static constexpr std::int64_t at_a_time = 256;

  static std::int64_t parameter_count(const Geometry& geometry) {
    const auto& [outer, axis, inner, block] = geometry;
    return block == 0 ? axis : outer * ((axis - 1) / block + 1) * inner;
  }

  /// Makes sure that `count` parameters from `parameter` on are loaded. These begin at a whole byte.
  void load(std::int64_t parameter, std::int64_t count) {
    if (parameter >= loaded_first_ && parameter + count <= loaded_first_ + loaded_count_) return;
    loaded_first_ = parameter / 8 * 8;
    loaded_count_ = std::min(at_a_time, parameter_count_ - loaded_first_);
    parameters_.copy(loaded_first_, loaded_count_, loaded_);
  }

  const Parameters& parameters_;
  std::int64_t parameter_count_;
  Tile<type, capacity>& tile_;
  std::int64_t count_ = 0;
  Tile<type, at_a_time> loaded_;
  std::int64_t loaded_first_ = 0;
  std::int64_t loaded_count_ = 0;
};

}  // namespace

}  // namespace touchstone::optimized
