// From quotients to integers of 2, 4, 8 or 16 bits: round to nearest even, add the zero point, saturate, store. Include
// only from files compiled for AVX2 (see avx2/vectors.h).
#pragma once

#include <cstdint>

#include "optimized/avx2/packed_groups.h"
#include "optimized/avx2/parameters.h"
#include "optimized/avx2/vectors.h"

namespace touchstone::optimized {

namespace {  // NOLINT: see avx2/vectors.h

/// One zero point for all elements, as int32 or int16.
class SameZeroPoint {
 public:
  explicit SameZeroPoint(std::int32_t zero_point)
      : wide_(broadcast_32(zero_point)), narrow_(_mm256_set1_epi16(static_cast<short>(zero_point))) {}

  __m256i wide(std::int64_t, std::size_t) const { return wide_; }
  __m256i narrow(std::int64_t, std::size_t) const { return narrow_; }

 private:
  __m256i wide_;
  __m256i narrow_;
};

/// One zero point per element, at `Places` in a tile.
template <class Places>
class ZeroPointsInTile {
 public:
  ZeroPointsInTile(const std::int32_t* zero_points, const Places& places)
      : places_(places), zero_points_(zero_points) {}

  /// The zero points of 8 elements of the group.
  __m256i wide(std::int64_t first, std::size_t part) const {
    return _mm256_loadu_si256(at256(zero_points_ + places_(first, part)));
  }
  /// The zero points of 16 elements, in the order of the pack instruction.
  __m256i narrow(std::int64_t first, std::size_t half) const {
    return _mm256_packs_epi32(wide(first, 2 * half), wide(first, 2 * half + 1));
  }

 private:
  Places places_;
  const std::int32_t* zero_points_;
};

/// If `are_limited`, quotients come from Reciprocals.
template <ElementType type, bool are_limited, class ZeroPoints>
class IntegerResults {
 public:
  explicit IntegerResults(const ZeroPoints& zero_points) : zero_points_(zero_points) {}

  TOUCHSTONE_INLINE void store(const Floats&, const Floats& quotients, std::int64_t first, std::byte* place) const {
    if constexpr (bits == 16) {
      auto* out = reinterpret_cast<__m256i*>(place);
      _mm256_storeu_si256(out, codes_16(quotients, first, 0));
      _mm256_storeu_si256(out + 1, codes_16(quotients, first, 1));
    } else {
      store_8(sums_16(quotients, first, 0), sums_16(quotients, first, 1), place);
    }
  }

 private:
  static constexpr int bits = spec::info(type).bits;
  static constexpr bool is_signed = spec::info(type).kind == spec::NumberKind::signed_integer;

  /// The 16-bit codes of half a group.
  TOUCHSTONE_INLINE __m256i codes_16(const Floats& quotients, std::int64_t first, std::size_t half) const {
    const __m256 limit = _mm256_set1_ps(0x1p18F);  // sums with it fit int32
    __m256i sums[2];
    for (std::size_t i = 0; i < 2; ++i) {
      const std::size_t part = 2 * half + i;
      // NaN becomes the lower limit: if an operand is NaN, the instruction returns the second one.
      const __m256 limited = _mm256_min_ps(limit, quotients.part[part]);
      const __m256 both = _mm256_max_ps(limited, _mm256_sub_ps(_mm256_setzero_ps(), limit));
      sums[i] = _mm256_add_epi32(_mm256_cvtps_epi32(both), zero_points_.wide(first, part));
    }
    return in_order_16(is_signed ? _mm256_packs_epi32(sums[0], sums[1]) : _mm256_packus_epi32(sums[0], sums[1]));
  }

  /// Half a group of sums as int16, saturated. The conversion turns NaN, and what is too low for int32, into the lowest
  /// number; the saturating instructions keep it the lowest.
  TOUCHSTONE_INLINE __m256i sums_16(const Floats& quotients, std::int64_t first, std::size_t half) const {
    __m256i rounded[2];
    for (std::size_t i = 0; i < 2; ++i) {
      __m256 quotient = quotients.part[2 * half + i];
      if constexpr (!are_limited) quotient = _mm256_min_ps(_mm256_set1_ps(0x1p18F), quotient);
      rounded[i] = _mm256_cvtps_epi32(quotient);
    }
    return _mm256_adds_epi16(_mm256_packs_epi32(rounded[0], rounded[1]), zero_points_.narrow(first, half));
  }

  TOUCHSTONE_INLINE static void store_8(__m256i low, __m256i high, std::byte* place) {
    __m256i codes = is_signed ? _mm256_packs_epi16(low, high) : _mm256_packus_epi16(low, high);
    if constexpr (bits < 8 && is_signed) {
      constexpr int end = 1 << (bits - 1);
      codes = _mm256_max_epi8(_mm256_min_epi8(codes, _mm256_set1_epi8(end - 1)), _mm256_set1_epi8(-end));
    } else if constexpr (bits < 8) {
      codes = _mm256_min_epu8(codes, _mm256_set1_epi8((1 << bits) - 1));
    }
    store_bytes<bits>(in_order_8(codes), place);
  }

  ZeroPoints zero_points_;
};

}  // namespace

}  // namespace touchstone::optimized
