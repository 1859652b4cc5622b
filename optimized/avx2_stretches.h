// The walk over the elements: long stretches with one scale and zero point, and tiles in which each element has its
// own. Only for files that are compiled for AVX2, as avx2_vectors.h.
#pragma once

#include <algorithm>
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

/// The parameters of a tile: `scales` points into the tensor or to `scale_copies`.
template <ElementType quantized_type>
struct Tile {
  const float* scales;
  alignas(32) float scale_copies[tile_size];
  alignas(32) ZeroPoint<quantized_type> zero_points[tile_size];
};

/// Scales and zero points of a node. Scales are rounded to `precision`; a zero point that is absent is 0.
template <ElementType quantized_type, ElementType precision>
class Parameters {
 public:
  explicit Parameters(const Operands& operands)
      : operands_(operands),
        load_scales_(wide_loader<precision>(operands.scale_type)),
        scale_width_(spec::info(operands.scale_type).bits / 8),
        as_they_are_(operands.scale_type == ElementType::float32 && precision == ElementType::float32) {}

  float scale(std::int64_t parameter) const {
    return load_one_wide<precision>(operands_.scale_type, scales_at(parameter));
  }

  ZeroPoint<quantized_type> zero_point(std::int64_t parameter) const {
    if (operands_.zero_point == nullptr) return 0;
    return zero_point_of<quantized_type>(load_code<bits>(operands_.zero_point, parameter));
  }

  /// Of so many consecutive parameters.
  void set(std::int64_t parameter, std::int64_t count, Tile<quantized_type>& tile) const {
    // Kernels read whole groups.
    const bool in_place = as_they_are_ && count % group_size == 0;
    tile.scales = in_place ? reinterpret_cast<const float*>(scales_at(parameter)) : tile.scale_copies;
    if (!in_place) load_scales_(scales_at(parameter), count, tile.scale_copies);
    load_zero_points(parameter, count, tile.zero_points);
  }

  /// Those of a run, copied to a place in the tile.
  void copy(const ParameterRun& run, std::int64_t place, Tile<quantized_type>& tile) const {
    tile.scales = tile.scale_copies;
    if (run.steps) {
      load_scales_(scales_at(run.parameter), run.count, tile.scale_copies + place);
      load_zero_points(run.parameter, run.count, tile.zero_points + place);
    } else {
      std::fill_n(tile.scale_copies + place, run.count, scale(run.parameter));
      std::fill_n(tile.zero_points + place, run.count, zero_point(run.parameter));
    }
  }

 private:
  static constexpr int bits = spec::info(quantized_type).bits;

  const std::byte* scales_at(std::int64_t parameter) const { return operands_.scale + parameter * scale_width_; }

  void load_zero_points(std::int64_t parameter, std::int64_t count, ZeroPoint<quantized_type>* zero_points) const {
    if (operands_.zero_point == nullptr) {
      std::fill_n(zero_points, count, ZeroPoint<quantized_type>{0});
      return;
    }
    std::int64_t i = 0;
    if constexpr (bits == 8 && spec::is_integer(quantized_type)) {
      constexpr bool is_signed = spec::info(quantized_type).kind == spec::NumberKind::signed_integer;
      for (; i + 8 <= count; i += 8)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(zero_points + i),
                            widened<is_signed>(_mm_loadl_epi64(at128(operands_.zero_point + parameter + i))));
    }
    for (; i < count; ++i) zero_points[i] = zero_point(parameter + i);
  }

  const Operands& operands_;
  LoadWide load_scales_;
  std::int64_t scale_width_;
  bool as_they_are_;
};

/// Rows that all have the same parameters, one for each element: tile by tile of the row, for all rows, so that the
/// parameters of a tile are prepared once.
template <ElementType quantized_type, class Kernel, class Parameters>
void for_each_row(const Operands& operands, const Parameters& parameters, const Kernel& kernel) {
  const std::int64_t length = operands.geometry.axis;
  Tile<quantized_type> tile;
  for (std::int64_t place = 0; place < length; place += tile_size) {
    const std::int64_t count = std::min(tile_size, length - place);
    parameters.set(place, count, tile);
    for (std::int64_t first = place; first < operands.count; first += length) kernel.tile(first, count, tile);
  }
}

/// Calls kernel.uniform(first, count, parameter) and kernel.tile(first, count, tile). Each `first` starts a byte, and
/// so does what follows, but for the end of the tensor.
template <ElementType quantized_type, class Kernel, class Parameters>
void for_each_stretch(const Operands& operands, const Parameters& parameters, const Kernel& kernel) {
  const Geometry& geometry = operands.geometry;
  const bool in_rows = geometry.block == 0 && geometry.inner == 1 && geometry.axis >= group_size;
  if (in_rows && (spec::info(quantized_type).bits >= 8 || geometry.axis % 4 == 0))
    return for_each_row<quantized_type>(operands, parameters, kernel);

  ParameterRuns<Isa::avx2> runs(geometry);
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
    const std::int64_t whole_groups = to_the_end ? run.count : run.count / group_size * group_size;
    if (whole_groups > 0) {
      const std::int64_t count = run.steps ? std::min(whole_groups, tile_size) : whole_groups;
      const ParameterRun taken = take(count);
      if (taken.steps) {
        parameters.set(taken.parameter, count, tile);
        kernel.tile(first, count, tile);
      } else {
        kernel.uniform(first, count, taken.parameter);
      }
      first += count;
      continue;
    }
    std::int64_t filled = 0;
    while (filled < tile_size && first + filled < operands.count) {
      if (run.count == 0) run = runs.next();
      if (filled > 0 && filled % group_size == 0 && run.count >= group_size) break;
      const ParameterRun taken = take(std::min(run.count, tile_size - filled));
      parameters.copy(taken, filled, tile);
      filled += taken.count;
    }
    kernel.tile(first, filled, tile);
    first += filled;
  }
}

}  // namespace

}  // namespace touchstone::optimized
