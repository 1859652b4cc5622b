// The parts that the DequantizeLinear kernels of all domains share: the choice of parameters, the stores to y, and the
// loops. Include only from files compiled for AVX2 (see avx2/vectors.h).
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "optimized/avx2/packed_groups.h"
#include "optimized/avx2/parameters.h"
#include "optimized/avx2/vectors.h"

namespace touchstone::optimized {

namespace {  // NOLINT: see avx2/vectors.h

template <ElementType type>
using ZeroPoints = std::conditional_t<spec::is_integer(type), Codes, Floats>;

/// The same scale and zero point for all elements.
template <ElementType type>
class OneParameter {
 public:
  OneParameter(const PreparedParameters<type>& parameters, std::int64_t parameter)
      : scale_(_mm256_set1_ps(parameters.scales[parameter])) {
    for (auto& part : zero_points_.part) {
      if constexpr (spec::is_integer(type))
        part = broadcast_32(parameters.zero_points[parameter]);
      else
        part = _mm256_set1_ps(parameters.zero_points[parameter]);
    }
  }
  __m256 scale(std::int64_t, std::size_t) const { return scale_; }
  const ZeroPoints<type>& zero_points(std::int64_t) const { return zero_points_; }

 private:
  __m256 scale_;
  ZeroPoints<type> zero_points_;
};

/// A scale and a zero point for each element, at `Places` in a tile.
template <ElementType type, class Places>
class ParametersInTile {
 public:
  ParametersInTile(const PreparedParameters<type>& parameters, const Places& places)
      : places_(places), scales_(parameters.scales), zero_points_(parameters.zero_points) {}
  __m256 scale(std::int64_t first, std::size_t part) const {
    return _mm256_castsi256_ps(load(scales_ + places_(first, part)));
  }
  ZeroPoints<type> zero_points(std::int64_t first) const {
    ZeroPoints<type> result;
    for (std::size_t part = 0; part < 4; ++part) {
      const __m256i eight = load(zero_points_ + places_(first, part));
      if constexpr (spec::is_integer(type))
        result.part[part] = eight;
      else
        result.part[part] = _mm256_castsi256_ps(eight);
    }
    return result;
  }

 private:
  __m256i load(const void* place) const {
    const __m256i eight = _mm256_loadu_si256(at256(place));
    if constexpr (std::is_same_v<Places, PermutedAtPlaces>)
      return _mm256_permutevar8x32_epi32(eight, places_.order());
    else
      return eight;
  }

  Places places_;
  const float* scales_;
  const ZeroPoint<type>* zero_points_;
};

/// Stores results to y, one class per output type. A product of two float16 or two bfloat16 numbers is exact in
/// float32, or so small that it becomes 0 or stays distinct from the smallest midpoint (see portable/rounding.h). The
/// store is therefore the only rounding.
struct ToFloat32 {
  static constexpr ElementType type = ElementType::float32;
  static constexpr std::int64_t width = 4;
  static constexpr bool bypasses_caches = false;
  TOUCHSTONE_INLINE static void store(const Floats& results, std::byte* place) {
    for (std::size_t i = 0; i < 4; ++i) _mm256_storeu_ps(reinterpret_cast<float*>(place) + 8 * i, results.part[i]);
  }
};

/// Does not read the lines of y before it overwrites them, as a store to a cache does.
struct ToFloat32InMemory : ToFloat32 {
  static constexpr bool bypasses_caches = true;
  /// The place must be a multiple of 32 bytes.
  TOUCHSTONE_INLINE static void store_to_memory(const Floats& results, std::byte* place) {
    for (std::size_t i = 0; i < 4; ++i) _mm256_stream_ps(reinterpret_cast<float*>(place) + 8 * i, results.part[i]);
  }
};

/// Whether y is larger than the last-level cache that a core of most machines uses, so that stores that bypass the
/// caches are faster. What the operating system reports may be the size of the caches of all cores.
constexpr bool exceeds_caches(std::int64_t bytes) { return bytes >= std::int64_t{64} << 20; }

struct ToFloat16 {
  static constexpr ElementType type = ElementType::float16;
  static constexpr std::int64_t width = 2;
  static constexpr bool bypasses_caches = false;
  TOUCHSTONE_INLINE static void store(const Floats& results, std::byte* place) {
    for (std::size_t i = 0; i < 4; ++i)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(place) + i,
                       _mm256_cvtps_ph(results.part[i], _MM_FROUND_TO_NEAREST_INT));
  }
};

struct ToBfloat16 {
  static constexpr ElementType type = ElementType::bfloat16;
  static constexpr std::int64_t width = 2;
  static constexpr bool bypasses_caches = false;
  TOUCHSTONE_INLINE static void store(const Floats& results, std::byte* place) {
    const auto pack = [](__m256 low, __m256 high) {
      return in_order_16(
          _mm256_packus_epi32(_mm256_srli_epi32(bfloat16_codes(low), 16), _mm256_srli_epi32(bfloat16_codes(high), 16)));
    };
    auto* out = reinterpret_cast<__m256i*>(place);
    _mm256_storeu_si256(out, pack(results.part[0], results.part[1]));
    _mm256_storeu_si256(out + 1, pack(results.part[2], results.part[3]));
  }
};

/// All loops for one formula. The formula has
///   parameter_type, bits       the type of the tile of parameters, and the number of bits of an element of x
///   may_repeat whether elements may be computed twice: y is not x, and every element of x starts at a byte
///   formula(x, first, choice)  the results for the group of elements at x; `choice` has their parameters, starting at
///                              element `first`
template <class Formula, class Output>
struct DequantizeLoops {
  static constexpr ElementType type = Formula::parameter_type;
  static constexpr int bits = Formula::bits;

  const std::byte* x_begin;
  std::byte* y_begin;
  Formula formula;

  void runs(std::int64_t first, std::int64_t length, std::int64_t runs,
            const PreparedParameters<type>& parameters) const {
    if (length % group_size == 0) return whole_runs(x_at(first), length, 0, runs, parameters, y_at(first));
    for (std::int64_t run = 0; run < runs; ++run)
      stretch(first + run * length, length, [&](const std::byte* x, std::int64_t, std::int64_t count, std::byte* y) {
        whole_runs(x, count, run, run + 1, parameters, y);
      });
  }

  void rows(std::int64_t first, std::int64_t count, std::int64_t stride, std::int64_t rows,
            const PreparedParameters<type>& parameters) const {
    for (std::int64_t row = 0; row < rows; ++row) one_row(first + row * stride, count, parameters, InOrder());
  }

  template <class Places>
  void vectors(std::int64_t first, std::int64_t count, const Places& places,
               const PreparedParameters<type>& parameters) const {
    one_row(first, count, parameters, places);
  }

 private:
  const std::byte* x_at(std::int64_t first) const { return x_begin + first * bits / 8; }
  std::byte* y_at(std::int64_t first) const { return y_begin + first * Output::width; }

  /// Calls loop(x, first, count, y) for whole groups. `first` counts from the beginning of the stretch. If
  /// `may_repeat`, the last group may begin anywhere.
  template <class Loop>
  void stretch(std::int64_t first, std::int64_t count, const Loop& loop, bool may_repeat = Formula::may_repeat) const {
    const std::int64_t whole = count / group_size * group_size;
    if (whole > 0) loop(x_at(first), 0, whole, y_at(first));
    if (whole == count) return;
    if (const std::int64_t last = count - group_size; may_repeat && last >= 0)
      return loop(x_at(first + last), last, group_size, y_at(first + last));
    const std::int64_t rest = count - whole;
    alignas(32) std::byte codes[group_size * 4]{};
    alignas(32) std::byte numbers[group_size * 4];
    std::memcpy(codes, x_at(first + whole), static_cast<std::size_t>((rest * bits + 7) / 8));
    loop(codes, whole, group_size, numbers);
    std::memcpy(y_at(first + whole), numbers, static_cast<std::size_t>(rest * Output::width));
  }

  template <class Places>
  void one_row(std::int64_t first, std::int64_t count, const PreparedParameters<type>& parameters,
               const Places& places) const {
    // A place is for 8 elements.
    const bool has_any_place = std::is_same_v<Places, InOrder> || count % 8 == 0;
    stretch(
        first, count,
        [&](const std::byte* x, std::int64_t place, std::int64_t length, std::byte* y) {
          whole_row(x, place, length, parameters, places, y);
        },
        Formula::may_repeat && has_any_place);
  }

  /// Handles runs whose length is a multiple of group_size.
  [[gnu::noinline]] void whole_runs(const std::byte* x, std::int64_t length, std::int64_t first_run,
                                    std::int64_t last_run, const PreparedParameters<type>& parameters,
                                    std::byte* y) const {
    for (std::int64_t run = first_run; run < last_run; ++run) {
      groups(x, 0, length, OneParameter<type>(parameters, run), y);
      x += length * bits / 8;
      y += length * Output::width;
    }
  }

  template <class Places>
  [[gnu::noinline]] void whole_row(const std::byte* x, std::int64_t first, std::int64_t count,
                                   const PreparedParameters<type>& parameters, const Places& places,
                                   std::byte* y) const {
    groups(x, first, count, ParametersInTile<type, Places>(parameters, places), y);
  }

  template <class Choice>
  TOUCHSTONE_INLINE void groups(const std::byte* x, std::int64_t first, std::int64_t count,
                                const Choice& choice_in_memory, std::byte* y) const {
    // Local copies: y may alias anything, so the compiler would otherwise reload these after each store.
    const Choice choice = choice_in_memory;
    const Formula results = formula;
    // A single group may be the end of a run, whose results are read again at once.
    if constexpr (Output::bypasses_caches)
      if (count > group_size && reinterpret_cast<std::uintptr_t>(y) % 32 == 0) {
        for (std::int64_t i = 0; i < count; i += group_size)
          Output::store_to_memory(results(x + i * bits / 8, first + i, choice), y + i * Output::width);
        return;
      }
    for (std::int64_t i = 0; i < count; i += group_size) {
      std::byte* place = y + i * Output::width;
      prefetch(place, group_size * Output::width);
      Output::store(results(x + i * bits / 8, first + i, choice), place);
    }
  }
};

}  // namespace

}  // namespace touchstone::optimized
