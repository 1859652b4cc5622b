// Scales and zero points in the form in which kernels read them. Include only from files compiled for AVX2 (see
// avx2/vectors.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "optimized/avx2/packed_groups.h"
#include "optimized/avx2/vectors.h"
#include "optimized/avx2/wide_numbers.h"
#include "optimized/operands.h"
#include "optimized/packed_codes.h"
#include "optimized/small_floats.h"

namespace touchstone::optimized {

namespace {  // NOLINT: see avx2/vectors.h

/// The number of parameters prepared at a time, in whole groups. For runs, everything derived from them stays in the
/// first-level cache. For rows, most rows are read from end to end, which is faster from memory. Tensors of at most
/// `cached` elements are read from a cache, where this does not matter.
inline constexpr std::int64_t parameters_of_runs = 1024;
inline constexpr std::int64_t parameters_of_row = 4096;
inline constexpr std::int64_t cached = 1 << 16;

/// Vector copies may go past the last parameter. A tile has space for this many additional, meaningless elements.
inline constexpr std::int64_t slack = 8;

/// Zero points are added as int32, or as float32 for floating-point types.
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

/// Parameters as kernels read them. Kernels read whole groups: from the last parameter to the end of its group there
/// are copies of valid ones.
template <ElementType quantized_type>
struct PreparedParameters {
  const float* scales;
  const ZeroPoint<quantized_type>* zero_points;
};

/// The place in PreparedParameters of the parameters of 8 elements, of part `part` of the group at `first`. Each
/// element has its own parameters, in the order of the elements.
struct InOrder {
  std::int64_t operator()(std::int64_t first, std::size_t part) const {
    return first + static_cast<std::int64_t>(8 * part);
  }
};

/// Elements share parameters: there is a place for each 8 elements.
class AtPlaces {
 public:
  explicit AtPlaces(const std::int32_t* places) : places_(places) {}
  std::int64_t operator()(std::int64_t first, std::size_t part) const {
    return places_[first / 8 + static_cast<std::int64_t>(part)];
  }

 private:
  const std::int32_t* places_;
};

/// As AtPlaces, but element i of 8 has the parameter with the number `order`[i] from the place on.
class PermutedAtPlaces {
 public:
  PermutedAtPlaces(const std::int32_t* places, __m256i order) : places_(places), order_(order) {}
  std::int64_t operator()(std::int64_t first, std::size_t part) const { return places_(first, part); }
  __m256i order() const { return order_; }

 private:
  AtPlaces places_;
  __m256i order_;
};

/// PreparedParameters with space for `capacity` of them. `scales` may point into the tensor instead.
template <ElementType quantized_type, std::int64_t capacity>
struct Tile : PreparedParameters<quantized_type> {
  Tile() : PreparedParameters<quantized_type>{scale_copies, zero_point_copies} {}
  Tile(const Tile&) = delete;
  Tile& operator=(const Tile&) = delete;

  alignas(32) float scale_copies[capacity + slack];
  alignas(32) ZeroPoint<quantized_type> zero_point_copies[capacity + slack];
};

/// Fills `count` places with the same parameter.
template <ElementType quantized_type, std::int64_t capacity>
void fill(std::int64_t place, std::int64_t count, float scale, ZeroPoint<quantized_type> zero_point,
          Tile<quantized_type, capacity>& tile) {
  std::fill_n(tile.scale_copies + place, count, scale);
  std::fill_n(tile.zero_point_copies + place, count, zero_point);
}

/// The zero points of a node. Absent ones are 0.
template <ElementType quantized_type>
class ZeroPointCodes {
 public:
  explicit ZeroPointCodes(const Operands& operands) : operands_(operands) {}

  void load(std::int64_t parameter, std::int64_t count, ZeroPoint<quantized_type>* zero_points) const {
    if (operands_.zero_point == nullptr) {
      std::fill_n(zero_points, count, ZeroPoint<quantized_type>{0});
      return;
    }
    std::int64_t i = 0;
    if constexpr (spec::is_integer(quantized_type)) {
      const bool starts_byte = parameter % 8 * bits % 8 == 0;
      for (; starts_byte && i + group_size <= count; i += group_size) {
        const Codes codes = load_group<quantized_type>(operands_.zero_point + (parameter + i) * bits / 8);
        for (std::size_t part = 0; part < 4; ++part)
          _mm256_storeu_si256(reinterpret_cast<__m256i*>(zero_points + i) + part, codes.part[part]);
      }
    }
    for (; i < count; ++i) zero_points[i] = zero_point(parameter + i);
  }

 private:
  static constexpr int bits = spec::info(quantized_type).bits;

  ZeroPoint<quantized_type> zero_point(std::int64_t parameter) const {
    return zero_point_of<quantized_type>(load_code<bits>(operands_.zero_point, parameter));
  }

  const Operands& operands_;
};

/// The scales and zero points of a node. Scales are rounded to `precision`.
template <ElementType quantized_type, ElementType precision, class ZeroPointSource = ZeroPointCodes<quantized_type>>
class Parameters {
 public:
  explicit Parameters(const Operands& operands)
      : operands_(operands),
        zero_points_(operands),
        load_scales_(wide_loader<precision>(operands.scale_type)),
        scale_width_(spec::info(operands.scale_type).bits / 8),
        as_they_are_(operands.scale_type == ElementType::float32 && precision == ElementType::float32) {}

  /// Sets the tile to `count` consecutive parameters.
  template <std::int64_t capacity>
  void set(std::int64_t parameter, std::int64_t count, Tile<quantized_type, capacity>& tile) const {
    const std::byte* scales = scales_at(parameter);
    const bool aligned = reinterpret_cast<std::uintptr_t>(scales) % alignof(float) == 0;
    if (!as_they_are_ || count % group_size != 0 || !aligned) return copy(parameter, count, tile);
    zero_points_.load(parameter, count, tile.zero_point_copies);
    tile.scales = reinterpret_cast<const float*>(scales);
  }

  /// As set(), but always copies scales into the tile.
  template <std::int64_t capacity>
  void copy(std::int64_t parameter, std::int64_t count, Tile<quantized_type, capacity>& tile) const {
    zero_points_.load(parameter, count, tile.zero_point_copies);
    load_scales_(scales_at(parameter), count, tile.scale_copies);
    tile.scales = tile.scale_copies;
    complete_group(count, tile);
  }

  template <std::int64_t capacity>
  static void complete_group(std::int64_t count, Tile<quantized_type, capacity>& tile) {
    const std::int64_t missing = (group_size - count % group_size) % group_size;
    fill(count, missing, tile.scale_copies[0], tile.zero_point_copies[0], tile);
  }

 private:
  const std::byte* scales_at(std::int64_t parameter) const { return operands_.scale + parameter * scale_width_; }

  const Operands& operands_;
  ZeroPointSource zero_points_;
  LoadWide load_scales_;
  std::int64_t scale_width_;
  bool as_they_are_;
};

}  // namespace

}  // namespace touchstone::optimized
