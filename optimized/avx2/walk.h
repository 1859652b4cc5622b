// The walk over the elements, with the scales and zero points that belong to them. Only for files that are compiled for
// AVX2, as avx2/vectors.h.
#pragma once

#include <algorithm>
#include <cstdint>

#include "optimized/avx2/parameters.h"
#include "optimized/avx2/vectors.h"
#include "optimized/operands.h"
#include "optimized/parameter_runs.h"

namespace touchstone::optimized {

namespace {  // NOLINT: see avx2/vectors.h

/// Calls, for all elements,
///   kernel.runs(first, length, runs, parameters)         so many runs of that length, each with one of the parameters
///   kernel.rows(first, count, stride, rows, parameters)  rows of so many elements, their beginnings `stride` apart, of
///                                                        which each element has its own parameter
/// Each run and each row starts a byte, and so does what follows, but for the end of the tensor.
template <ElementType quantized_type, class Kernel, class Parameters>
class Walk {
 public:
  Walk(const Operands& operands, const Parameters& parameters, const Kernel& kernel)
      : operands_(operands), parameters_(parameters), kernel_(kernel) {}

  void operator()() {
    const auto& [outer, axis, inner, block] = operands_.geometry;
    const std::int64_t count = operands_.count;
    if (count == 0) return;
    if (block == 1 && may_repeat(count)) return periodic(0, count, 0, count);
    if (block > 0 && inner == 1 && may_run(std::min(block, axis)) && starts_byte(axis)) return blocks_of_elements();
    if (block > 0 && may_be_row(inner)) return blocks_of_rows();
    if (block > 0) return gather();
    if (axis == 1) return runs(0, count, 0, 1);
    if (inner == 1 && may_repeat(axis)) return periodic(0, count, 0, axis);
    if (!may_run(inner)) return gather();
    for (std::int64_t o = 0; o < outer; ++o) runs(o * axis * inner, inner, 0, axis);
  }

 private:
  static constexpr int bits = spec::info(quantized_type).bits;

  /// Whether the elements after so many start a byte, if these do.
  static bool starts_byte(std::int64_t count) { return count % 8 * bits % 8 == 0; }
  static bool may_be_row(std::int64_t length) { return length >= group_size && starts_byte(length); }
  /// The end of a run that is no whole group takes as long as several groups; it is quicker to gather short ones.
  static bool may_run(std::int64_t length) {
    return may_be_row(length) && (length % group_size == 0 || length >= 4 * group_size);
  }
  bool may_repeat(std::int64_t period) const {
    return period == operands_.count || repetitions(period) > 0 || may_be_row(period);
  }

  /// How many periods make whole groups, if a tile holds them; otherwise 0.
  static std::int64_t repetitions(std::int64_t period) {
    for (std::int64_t n = 1; n <= group_size && n * period <= parameters_of_runs; n *= 2)
      if (n * period % group_size == 0) return n;
    return 0;
  }

  /// Of consecutive parameters.
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
        periodic((o * axis + place) * inner, std::min(block, axis - place) * inner, parameter, inner);
  }

  /// Elements of which each has the next parameter; after a period the same ones come again.
  void periodic(std::int64_t first, std::int64_t count, std::int64_t parameter, std::int64_t period) {
    if (const std::int64_t n = repetitions(period); n > 1) {
      const std::int64_t copies = std::min(n, count / period);
      parameters_.repeat(parameter, period, copies, tile_);
      const std::int64_t length = n * period;
      const std::int64_t rest = count % length;
      kernel_.rows(first, length, length, count / length, tile_);
      if (rest > 0) kernel_.rows(first + count - rest, rest, rest, 1, tile_);
      return;
    }
    // Tile by tile of the rows, for all rows, so that the parameters of a tile are prepared once.
    for (std::int64_t place = 0; place < period; place += parameters_of_row) {
      const std::int64_t length = std::min(parameters_of_row, period - place);
      parameters_.set(parameter + place, length, tile_);
      kernel_.rows(first + place, length, period, count / period, tile_);
    }
  }

  /// Whatever the runs are.
  void gather() {
    const auto& [outer, axis, inner, block] = operands_.geometry;
    const std::int64_t all = block == 0 ? axis : outer * ((axis - 1) / block + 1) * inner;
    Tile<quantized_type, parameters_of_runs> loaded;  // parameters, in order
    std::int64_t loaded_first = 0;
    std::int64_t loaded_count = 0;
    ParameterRuns<Isa::avx2> all_runs(operands_.geometry);
    ParameterRun run{};
    tile_.scales = tile_.scale_copies;
    std::int64_t filled = 0;
    for (std::int64_t first = 0; first < operands_.count; first += filled) {
      for (filled = 0; filled < parameters_of_runs && first + filled < operands_.count;) {
        if (run.count == 0) run = all_runs.next();
        if (run.parameter < loaded_first || run.parameter >= loaded_first + loaded_count) {
          loaded_first = run.parameter;
          loaded_count = std::min(parameters_of_runs, all - loaded_first);
          parameters_.set(loaded_first, loaded_count, loaded);
        }
        const std::int64_t place = run.parameter - loaded_first;
        std::int64_t count = std::min(run.count, parameters_of_runs - filled);
        if (run.steps) {
          count = std::min(count, loaded_count - place);
          std::copy_n(loaded.scales + place, count, tile_.scale_copies + filled);
          std::copy_n(loaded.zero_points + place, count, tile_.zero_point_copies + filled);
          run.parameter += count;
        } else {
          fill(filled, count, loaded.scales[place], loaded.zero_points[place], tile_);
        }
        filled += count;
        run.count -= count;
      }
      parameters_.complete_group(filled, tile_);
      kernel_.rows(first, filled, filled, 1, tile_);
    }
  }

  const Operands& operands_;
  const Parameters& parameters_;
  const Kernel& kernel_;
  Tile<quantized_type, parameters_of_row> tile_;
};

}  // namespace

}  // namespace touchstone::optimized
