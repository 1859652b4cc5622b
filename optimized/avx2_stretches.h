// The walk over the elements: long stretches with one scale and zero point, and tiles in which each element has its
// own. Only for files that are compiled for AVX2, as avx2_vectors.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "optimized/avx2_vectors.h"
#include "optimized/operands.h"
#include "optimized/packed_codes.h"
#include "optimized/parameter_runs.h"

namespace touchstone::optimized {

namespace {  // NOLINT: see avx2_vectors.h

/// Zero points are added as int32, or as float32 where the type is a floating-point one.
template <ElementType type>
using ZeroPoint = std::conditional_t<spec::is_integer(type), std::int32_t, float>;

template <ElementType type>
ZeroPoint<type> zero_point_of(std::uint32_t code) {
  constexpr spec::ElementTypeInfo row = spec::info(type);
  if constexpr (!spec::is_integer(type)) {
    return float_values<type>[code];
  } else if constexpr (row.kind == spec::NumberKind::signed_integer) {
    return static_cast<std::int32_t>(code << (32 - row.bits)) >> (32 - row.bits);
  } else {
    return static_cast<std::int32_t>(code);
  }
}

/// The parameters of a tile.
template <ElementType quantized_type>
struct Tile {
  alignas(32) std::array<float, tile_size> scales;
  alignas(32) std::array<ZeroPoint<quantized_type>, tile_size> zero_points;
};

/// Scales and zero points of a node. Scales are rounded to `precision`; a zero point that is absent is 0.
template <ElementType quantized_type>
class Parameters {
 public:
  Parameters(const Operands& operands, ElementType precision) : operands_(operands), precision_(precision) {}

  float scale(std::int64_t parameter) const {
    float number = 0;
    if (operands_.scale_type == ElementType::float32 && precision_ == ElementType::float32)
      std::memcpy(&number, operands_.scale + parameter * 4, sizeof number);
    else
      load_wide(operands_.scale_type, precision_, operands_.scale, parameter, 1, &number);
    return number;
  }

  ZeroPoint<quantized_type> zero_point(std::int64_t parameter) const {
    if (operands_.zero_point == nullptr) return 0;
    return zero_point_of<quantized_type>(load_code<bits>(operands_.zero_point, parameter));
  }

  /// Those of a run, to a place in the tile.
  void fill(const ParameterRun& run, Tile<quantized_type>& tile, std::int64_t place) const {
    float* scales = tile.scales.data() + place;
    ZeroPoint<quantized_type>* zero_points = tile.zero_points.data() + place;
    if (!run.steps) {
      std::fill_n(scales, run.count, scale(run.parameter));
      std::fill_n(zero_points, run.count, zero_point(run.parameter));
      return;
    }
    load_wide(operands_.scale_type, precision_, operands_.scale, run.parameter, run.count, scales);
    if (operands_.zero_point == nullptr)
      std::fill_n(zero_points, run.count, ZeroPoint<quantized_type>{0});
    else
      fill_zero_points(run, zero_points);
  }

 private:
  static constexpr int bits = spec::info(quantized_type).bits;

  void fill_zero_points(const ParameterRun& run, ZeroPoint<quantized_type>* zero_points) const {
    std::int64_t i = 0;
    if constexpr (bits == 8 && spec::is_integer(quantized_type)) {
      constexpr bool is_signed = spec::info(quantized_type).kind == spec::NumberKind::signed_integer;
      for (; i + 8 <= run.count; i += 8)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(zero_points + i),
                            widened<is_signed>(_mm_loadl_epi64(at128(operands_.zero_point + run.parameter + i))));
    }
    for (; i < run.count; ++i) zero_points[i] = zero_point(run.parameter + i);
  }

  const Operands& operands_;
  ElementType precision_;
};

/// Calls kernel.uniform(first, count, parameter) and kernel.tile(first, count, tile). All of them start at a multiple
/// of group_size; all but the last count are such.
template <ElementType quantized_type, class Kernel>
void for_each_stretch(const Operands& operands, const Parameters<quantized_type>& parameters, const Kernel& kernel) {
  ParameterRuns<Isa::avx2> runs(operands.geometry);
  ParameterRun run{};
  const auto take = [&](std::int64_t count) {
    const ParameterRun taken{count, run.parameter, run.steps};
    run.count -= count;
    if (run.steps) run.parameter += count;
    return taken;
  };
  Tile<quantized_type> tile;
  for (std::int64_t first = 0; first < operands.count;) {
    if (run.count == 0) run = runs.next();
    const bool to_the_end = run.count == operands.count - first;
    const std::int64_t uniform = run.steps ? 0 : to_the_end ? run.count : run.count / group_size * group_size;
    if (uniform > 0) {
      kernel.uniform(first, uniform, take(uniform).parameter);
      first += uniform;
      continue;
    }
    std::int64_t filled = 0;
    while (filled < tile_size && first + filled < operands.count) {
      if (run.count == 0) run = runs.next();
      if (filled > 0 && filled % group_size == 0 && !run.steps && run.count >= group_size) break;
      const ParameterRun taken = take(std::min(run.count, tile_size - filled));
      parameters.fill(taken, tile, filled);
      filled += taken.count;
    }
    kernel.tile(first, filled, tile);
    first += filled;
  }
}

}  // namespace

}  // namespace touchstone::optimized
