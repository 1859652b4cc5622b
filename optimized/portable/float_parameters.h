// Scales and zero points as float32, for loops that compilers vectorize.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "optimized/operands.h"
#include "optimized/portable/parameter_runs.h"

namespace touchstone::optimized {

/// The number of elements that are handled together. It is a multiple of 8, so that each time begins at a whole byte.
inline constexpr std::int64_t piece_size = 1024;

/// The bit that is inverted in a code of the integer type, so that the lowest integer has code 0. The difference of two
/// integers is that of their inverted codes.
constexpr std::uint32_t inverted_bit(spec::ElementType type) {
  const spec::ElementTypeInfo row = spec::info(type);
  return row.kind == spec::NumberKind::signed_integer ? 1U << (row.bits - 1) : 0U;
}

/// The scales and the zero points of a node whose quantized type is an integer of at most 16 bits. Zero points are
/// inverted codes (see inverted_bit).
class FloatParameters {
 public:
  /// Scales are rounded to `precision`, which is float32, float16 or bfloat16.
  FloatParameters(const Operands& operands, spec::ElementType precision);

  /// Covers the next `count` elements, at most piece_size, with calls of loop(place, parameters, times, scales,
  /// zero_points) for the elements from `place` on, which use each of `parameters` parameters `times` times.
  template <class Loop>
  void next(std::int64_t count, const Loop& loop) {
    std::int64_t gathered = 0;  // elements before `done` whose parameters are in copies_
    const auto handle_gathered = [&](std::int64_t done) {
      if (gathered > 0) loop(done - gathered, gathered, 1, copies_.scales.data(), copies_.zero_points.data());
      gathered = 0;
    };
    for (std::int64_t done = 0; done < count;) {
      const ParameterRun run = runs_.next(count - done);
      const std::int64_t place = load(run.parameter, run.parameters);
      const float* scales = loaded_.scales.data() + place;
      const float* zero_points = loaded_.zero_points.data() + place;
      if ((run.times == 1 ? run.parameters : run.times) >= shortest_run) {
        handle_gathered(done);
        loop(done, run.parameters, run.times, scales, zero_points);
      } else {
        repeat(scales, run, copies_.scales.data() + gathered);
        repeat(zero_points, run, copies_.zero_points.data() + gathered);
        gathered += run.count();
      }
      done += run.count();
    }
    handle_gathered(count);
  }

 private:
  /// Shorter runs are gathered, because a call for a few elements takes as long as one for more.
  static constexpr std::int64_t shortest_run = 32;
  static constexpr std::int64_t most_loaded = piece_size + 8;

  struct Arrays {
    std::array<float, most_loaded> scales;
    std::array<float, most_loaded> zero_points;
  };

  static void repeat(const float* numbers, const ParameterRun& run, float* copies) {
    if (run.times == 1) {
      std::copy_n(numbers, run.parameters, copies);
      return;
    }
    for (std::int64_t i = 0; i < run.parameters; ++i) std::fill_n(copies + i * run.times, run.times, numbers[i]);
  }

  /// Loads parameters unless they are loaded. Returns the place of the first one in loaded_.
  std::int64_t load(std::int64_t parameter, std::int64_t count) {
    if (parameter < loaded_first_ || parameter + count > loaded_first_ + loaded_count_) load_from(parameter);
    return parameter - loaded_first_;
  }
  void load_from(std::int64_t parameter);

  const Operands& operands_;
  spec::ElementType precision_;
  std::int64_t parameter_count_;
  ParameterRuns runs_;
  Arrays loaded_;
  std::int64_t loaded_first_ = 0;
  std::int64_t loaded_count_ = 0;
  Arrays copies_;
};

}  // namespace touchstone::optimized
