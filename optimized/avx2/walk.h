// Walks over the elements with their scales and zero points. Include only from files compiled for AVX2 (see
// avx2/vectors.h).
#pragma once

#include <algorithm>
#include <cstdint>

#include "optimized/avx2/parameters.h"
#include "optimized/avx2/spread.h"
#include "optimized/avx2/vectors.h"
#include "optimized/operands.h"

namespace touchstone::optimized {

namespace {  // NOLINT: see avx2/vectors.h

/// Covers all elements with calls of
///   kernel.runs(first, length, runs, parameters)         `runs` runs of `length` elements, one parameter per run
///   kernel.rows(first, count, stride, rows, parameters)  `rows` rows of `count` elements, which begin `stride` apart;
///                                                        all rows have the same parameters, one per element of a row
///   kernel.vectors(first, count, places, parameters)     `count` elements; each 8 of them use 8 consecutive
///                                                        parameters, from one of the `places` on. Some kernels have no
///                                                        vectors(), or none for PermutedAtPlaces
/// A row has at most parameters_of_row elements. Each run and each row begins at a whole byte, and ends at one unless
/// it ends the tensor.
template <ElementType quantized_type, class Kernel, class Parameters>
class Walk {
 public:
  Walk(const Operands& operands, const Parameters& parameters, const Kernel& kernel)
      : operands_(operands), parameters_(parameters), kernel_(kernel), spread_(operands.geometry, parameters, tile_) {}

  void operator()() {
    const std::int64_t count = operands_.count;
    if (count == 0) return;
    if (operands_.geometry.block == 1) return periodic(0, count, 0, count, 1);
    operands_.geometry.block > 0 ? in_blocks() : along_axis();
  }

 private:
  void in_blocks() {
    const auto& [outer, axis, inner, block] = operands_.geometry;
    if (inner == 1 && may_run(std::min(block, axis)) && starts_byte(axis)) return blocks_of_elements();
    if (inner > 1 && may_be_vectors()) return blocks_of_vectors();
    if (may_be_permuted_vectors()) return blocks_of_permuted_vectors();
    if (inner > 1 && may_spread_rows()) return spread_rows();
    if (may_be_row(inner) || may_repeat_rows()) return blocks_of_rows();
    spread_blocks();
  }

  void along_axis() {
    const auto& [outer, axis, inner, block] = operands_.geometry;
    const std::int64_t count = operands_.count;
    if (axis == 1) return runs(0, count, 0, 1);
    if (may_run(inner)) {
      for (std::int64_t o = 0; o < outer; ++o)  // NOLINT(clang-analyzer-core*): takes bindings for uninitialized
        runs(o * axis * inner, inner, 0, axis);
    } else if (may_repeat(axis * inner)) {
      periodic(0, count, 0, axis, inner);
    } else {
      for (std::int64_t o = 0; o < outer; ++o)  // NOLINT(clang-analyzer-core*): as above
        spread(0, inner, axis * inner);
      finish_spread();
    }
  }

  static constexpr int bits = spec::info(quantized_type).bits;
  /// The parameters of larger blocks are worth a call of kernel.rows().
  static constexpr std::int64_t largest_block_of_vectors = 128 * group_size;
  static constexpr std::int64_t largest_block_of_permuted_vectors = 16 * group_size;
  template <class Places>
  static constexpr bool has_vectors =
      requires(const Kernel& kernel, const Places& places, const PreparedParameters<quantized_type>& tile) {
        kernel.vectors(0, 0, places, tile);
      };

  /// Whether element i + `count` begins at a whole byte if element i does.
  static bool starts_byte(std::int64_t count) { return count % 8 * bits % 8 == 0; }
  static bool may_be_row(std::int64_t length) { return length >= group_size && starts_byte(length); }
  /// A partial group at the end of a run takes as long as several groups. Spreading is faster for short runs.
  static bool may_run(std::int64_t length) {
    return may_be_row(length) && (length % group_size == 0 || length >= 4 * group_size);
  }
  /// Whether each block of short rows begins at a whole byte.
  bool may_repeat_rows() const {
    const auto& [outer, axis, inner, block] = operands_.geometry;
    return inner > 1 && inner < group_size && starts_byte(std::min(block, axis) * inner) && starts_byte(axis * inner);
  }
  /// Whether blocks have so few elements that preparing the parameters of each block takes longer than spreading them.
  bool may_spread_rows() const {
    const auto& [outer, axis, inner, block] = operands_.geometry;
    if (inner > decltype(spread_)::longest_row) return false;
    return std::min(block, axis) * inner < 16 * group_size || !(may_be_row(inner) || may_repeat_rows());
  }
  /// Whether rows consist of whole vectors, indices of the outer extent consist of whole blocks, and four blocks and
  /// their parameters are not too many.
  bool may_be_vectors() const {
    const auto& [outer, axis, inner, block] = operands_.geometry;
    return has_vectors<AtPlaces> && inner % 8 == 0 && axis % block == 0 && inner <= parameters_of_row / 4 &&
           block * inner <= largest_block_of_vectors;
  }
  /// Whether each vector is a part of one block or consists of whole blocks, and whole rows make a vector.
  bool may_be_permuted_vectors() const {
    const auto& [outer, axis, inner, block] = operands_.geometry;
    if (!has_vectors<PermutedAtPlaces> || inner >= 8 || 8 % inner != 0) return false;
    if (block > largest_block_of_permuted_vectors / inner || axis % block != 0) return false;
    const std::int64_t size = block * inner;
    return 8 % size == 0 || size % 8 == 0;
  }
  bool may_repeat(std::int64_t period) const {
    return period == operands_.count || starts_byte(period * periods_of_row(period));
  }

  /// The number of periods that make up a row. Whole groups, and many of them, are fastest.
  static std::int64_t periods_of_row(std::int64_t period) {
    constexpr std::int64_t enough = 8 * group_size;
    std::int64_t n = 1;
    while ((n * period < enough || n * period % group_size != 0) && 2 * n * period <= parameters_of_runs) n *= 2;
    return n;
  }

  /// Handles `count` runs of `length` elements with consecutive parameters.
  void runs(std::int64_t first, std::int64_t length, std::int64_t parameter, std::int64_t count) {
    for (std::int64_t done = 0; done < count; done += parameters_of_runs) {
      const std::int64_t in_tile = std::min(parameters_of_runs, count - done);
      parameters_.set(parameter + done, in_tile, tile_);
      kernel_.runs(first + done * length, length, in_tile, tile_);
    }
  }

  void blocks_of_elements() {
    const auto& [outer, axis, inner, block] = operands_.geometry;
    if (block >= axis) return runs(0, axis, 0, outer);
    const std::int64_t whole = axis / block;
    const std::int64_t rest = axis % block;
    if (rest == 0) return runs(0, block, 0, outer * whole);
    for (std::int64_t o = 0; o < outer; ++o) {
      const std::int64_t parameter = o * (whole + 1);
      runs(o * axis, block, parameter, whole);
      runs(o * axis + whole * block, rest, parameter + whole, 1);
    }
  }

  void blocks_of_rows() {
    const auto& [outer, axis, inner, block] = operands_.geometry;
    std::int64_t parameter = 0;
    for (std::int64_t o = 0; o < outer; ++o)
      for (std::int64_t place = 0; place < axis; place += block, parameter += inner)
        periodic((o * axis + place) * inner, std::min(block, axis - place) * inner, parameter, inner, 1);
  }

  /// Handles elements of which each group of `times` shares a parameter. After `period` parameters the same parameters
  /// repeat.
  void periodic(std::int64_t first, std::int64_t count, std::int64_t parameter, std::int64_t period,
                std::int64_t times) {
    const std::int64_t length = period * times;
    if (const std::int64_t row = periods_of_row(length) * length; row > length && count > length) {
      spread_.clear();
      spread_.add(parameter, times, 0, length);
      spread_.repeat(std::min(row, count));
      const std::int64_t rest = count % row;
      rows(first, row, row, count / row, spread_.finish());
      rows(first + count - rest, rest, rest, 1, tile_);
      return;
    }
    // Handles a tile for all rows before the next tile, so that the parameters of a tile are prepared once.
    const std::int64_t tile = count <= cached ? parameters_of_runs : parameters_of_row;
    for (std::int64_t place = 0; place < length; place += tile) {
      const std::int64_t in_tile = std::min(tile, length - place);
      if (times == 1) {
        parameters_.set(parameter + place, in_tile, tile_);
      } else {
        spread_.clear();
        spread_.add(parameter, times, place, in_tile);
        spread_.finish();
      }
      rows(first + place, in_tile, length, count / length, tile_);
    }
  }

  void rows(std::int64_t first, std::int64_t count, std::int64_t stride, std::int64_t rows,
            const PreparedParameters<quantized_type>& parameters) {
    if (rows > 0 && count > 0) kernel_.rows(first, count, stride, rows, parameters);
  }

  /// Handles blocks of elements or rows of any length.
  void spread_blocks() {
    const auto& [outer, axis, inner, block] = operands_.geometry;
    if (inner == 1 && axis % std::min(block, axis) == 0) {
      spread(0, std::min(block, axis), operands_.count);
    } else if (inner == 1) {
      for (std::int64_t o = 0; o < outer; ++o)  // NOLINT(clang-analyzer-core*): as above
        spread(o * ((axis - 1) / block + 1), block, axis);
    } else {
      std::int64_t parameter = 0;
      for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t place = 0; place < axis; place += block, parameter += inner)
          for (std::int64_t row = place; row < std::min(place + block, axis); ++row) spread(parameter, 1, inner);
    }
    finish_spread();
  }

  /// Handles blocks of rows of whole vectors.
  void blocks_of_vectors() {
    if constexpr (has_vectors<AtPlaces>) {
      const auto& [outer, axis, inner, block] = operands_.geometry;
      const std::int64_t rows = outer * axis;
      // Four blocks have whole groups.
      const std::int64_t blocks_at_a_time = std::max<std::int64_t>(parameters_of_runs / (block * inner) / 4 * 4, 4);
      const std::int64_t rows_at_a_time = std::min(blocks_at_a_time * block, rows);
      // The places are the same each time.
      std::int32_t places[4 * largest_block_of_vectors / 8];
      std::int64_t vector = 0;
      for (std::int64_t row = 0; row < rows_at_a_time; ++row)
        for (std::int64_t i = 0; i < inner; i += 8)
          places[vector++] = static_cast<std::int32_t>(row / block * inner + i);
      for (std::int64_t row = 0; row < rows; row += rows_at_a_time) {
        const std::int64_t count = std::min(rows_at_a_time, rows - row) * inner;
        // Kernels read whole groups.
        for (std::int64_t end = count; end % group_size != 0; end += 8) places[end / 8] = 0;
        parameters_.set(row / block * inner, count / block, tile_);
        kernel_.vectors(row * inner, count, AtPlaces(places), tile_);
      }
    }
  }

  /// Handles blocks of rows that are shorter than vectors.
  void blocks_of_permuted_vectors() {
    if constexpr (has_vectors<PermutedAtPlaces>) {
      const auto& [outer, axis, inner, block] = operands_.geometry;
      const std::int64_t size = block * inner;
      const auto parameters_before = [&](std::int64_t element) { return element / size * inner; };
      alignas(32) std::int32_t order[8];
      for (std::int64_t i = 0; i < 8; ++i) order[i] = static_cast<std::int32_t>(parameters_before(i) + i % inner);
      // Eight blocks have whole groups. The places are the same each time.
      const std::int64_t at_a_time = std::max<std::int64_t>(parameters_of_runs / size / 8, 1) * 8 * size;
      std::int32_t places[8 * largest_block_of_permuted_vectors / 8];
      for (std::int64_t i = 0; i < at_a_time; i += 8) places[i / 8] = static_cast<std::int32_t>(parameters_before(i));
      const PermutedAtPlaces permuted(places, _mm256_load_si256(at256(order)));
      for (std::int64_t first = 0; first < operands_.count; first += at_a_time) {
        const std::int64_t count = std::min(at_a_time, operands_.count - first);
        // Kernels read whole groups.
        for (std::int64_t vector = (count + 7) / 8; vector % (group_size / 8) != 0; ++vector) places[vector] = 0;
        // The last vector may go past the parameters of the tile. Copies have slack.
        if (parameters_before(operands_.count - first - count) >= slack)
          parameters_.set(parameters_before(first), parameters_before(count), tile_);
        else
          parameters_.copy(parameters_before(first), parameters_before(count), tile_);
        kernel_.vectors(first, count, permuted, tile_);
      }
    }
  }

  /// Handles blocks of rows that have at most longest_row elements.
  void spread_rows() {
    const auto& [outer, axis, inner, block] = operands_.geometry;
    const RepeatedRows repeated(inner, block);
    const std::int64_t blocks_at_a_time = std::min(spread_.most_loaded, parameters_of_runs / block) / inner;
    const std::int64_t whole = repeated.may_write_blocks() && blocks_at_a_time > 0 ? axis / block : 0;
    std::int64_t parameter = 0;
    for (std::int64_t o = 0; o < outer; ++o) {
      for (std::int64_t done = 0; done < whole;) {
        const std::int64_t blocks = std::min(blocks_at_a_time, whole - done);
        spread_.add_blocks(parameter, blocks * inner, block, blocks, repeated);
        parameter += blocks * inner;
        done += blocks;
        if (spread_.count() >= parameters_of_runs) finish_groups();
      }
      for (std::int64_t place = whole * block; place < axis; place += block, parameter += inner)
        add_rows(parameter, std::min(block, axis - place), repeated);
    }
    finish_spread();
  }

  void add_rows(std::int64_t parameter, std::int64_t count, const RepeatedRows& repeated) {
    const std::int64_t inner = operands_.geometry.inner;
    const std::int64_t rows_at_a_time = parameters_of_runs / inner;
    for (std::int64_t done = 0; done < count; done += rows_at_a_time) {
      spread_.add_rows(parameter, inner, std::min(rows_at_a_time, count - done), repeated);
      if (spread_.count() >= parameters_of_runs) finish_groups();
    }
  }

  /// Appends the next `count` elements, whose parameters start at `parameter`, each repeated `times` times.
  void spread(std::int64_t parameter, std::int64_t times, std::int64_t count) {
    for (std::int64_t done = 0; done < count;) {
      const std::int64_t step = std::min(count - done, parameters_of_runs - spread_.count());
      spread_.add(parameter, times, done, step);
      done += step;
      if (spread_.count() == parameters_of_runs) finish_spread();
    }
  }

  /// Handles the whole groups of the elements in spread_.
  void finish_groups() {
    const std::int64_t whole = spread_.count() / group_size * group_size;
    rows(spread_first_, whole, whole, 1, tile_);
    spread_first_ += whole;
    spread_.remove(whole);
  }

  void finish_spread() {
    if (spread_.count() == 0) return;
    rows(spread_first_, spread_.count(), spread_.count(), 1, spread_.finish());
    spread_first_ += spread_.count();
    spread_.clear();
  }

  const Operands& operands_;
  const Parameters& parameters_;
  const Kernel& kernel_;
  Tile<quantized_type, parameters_of_row> tile_;
  Spread<quantized_type, Parameters, parameters_of_row> spread_;
  std::int64_t spread_first_ = 0;  // the element with which spread_ begins
};

}  // namespace

}  // namespace touchstone::optimized
