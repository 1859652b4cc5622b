// From quotients to integers of 2, 4, 8 or 16 bits: round to nearest even, add the zero point, saturate, store. Only
// for files that are compiled for AVX2, as avx2_vectors.h.
#pragma once

#include <cstdint>

#include "optimized/avx2_division.h"
#include "optimized/avx2_vectors.h"

namespace touchstone::optimized {

namespace {  // NOLINT: see avx2_vectors.h

template <ElementType type>
constexpr bool is_signed_type = spec::info(type).kind == spec::NumberKind::signed_integer;

/// To 16 bits, saturating, of sums as int32.
template <ElementType type>
TOUCHSTONE_INLINE void store_16(const Codes& sums, std::byte* place) {
  const auto pack = [](__m256i low, __m256i high) {
    return in_order_16(is_signed_type<type> ? _mm256_packs_epi32(low, high) : _mm256_packus_epi32(low, high));
  };
  auto* out = reinterpret_cast<__m256i*>(place);
  _mm256_storeu_si256(out, pack(sums.part[0], sums.part[1]));
  _mm256_storeu_si256(out + 1, pack(sums.part[2], sums.part[3]));
}

/// To at most 8 bits, saturating, of sums as int16: those of parts 0 and 1, and of 2 and 3, as packed.
template <ElementType type>
TOUCHSTONE_INLINE void store_8(__m256i low, __m256i high, std::byte* place) {
  constexpr int bits = spec::info(type).bits;
  __m256i codes = is_signed_type<type> ? _mm256_packs_epi16(low, high) : _mm256_packus_epi16(low, high);
  if constexpr (bits < 8 && is_signed_type<type>) {
    constexpr int end = 1 << (bits - 1);
    codes = _mm256_max_epi8(_mm256_min_epi8(codes, _mm256_set1_epi8(end - 1)), _mm256_set1_epi8(-end));
  } else if constexpr (bits < 8) {
    codes = _mm256_min_epu8(codes, _mm256_set1_epi8((1 << bits) - 1));
  }
  store_bytes<bits>(in_order_8(codes), place);
}

/// Rounds quotients, after limiting them to where int32 holds them and their sums. NaN becomes the lowest.
TOUCHSTONE_INLINE Codes rounded_within_limits(const Floats& quotients) {
  const __m256 limit = _mm256_set1_ps(saturating_quotient);
  Codes rounded;
  for (std::size_t i = 0; i < 4; ++i) {
    const __m256 limited = _mm256_min_ps(limit, quotients.part[i]);  // NaN stays, being the second operand
    rounded.part[i] = _mm256_cvtps_epi32(_mm256_max_ps(limited, _mm256_sub_ps(_mm256_setzero_ps(), limit)));
  }
  return rounded;
}

/// With one zero point. `is_limited` says that quotients are those of ByReciprocal.
template <ElementType type, bool is_limited>
class IntegerResults {
 public:
  explicit IntegerResults(std::int32_t zero_point)
      : wide_(broadcast_32(zero_point)), narrow_(_mm256_set1_epi16(static_cast<short>(zero_point))) {}

  TOUCHSTONE_INLINE void store(const Floats& quotients, std::int64_t, std::byte* place) const {
    if constexpr (spec::info(type).bits == 16) {
      Codes sums = rounded_within_limits(quotients);
      for (__m256i& part : sums.part) part = _mm256_add_epi32(part, wide_);
      store_16<type>(sums, place);
    } else {
      const Codes rounded = is_limited ? rounded_as_they_are(quotients) : rounded_within_limits(quotients);
      store_8<type>(_mm256_adds_epi16(_mm256_packs_epi32(rounded.part[0], rounded.part[1]), narrow_),
                    _mm256_adds_epi16(_mm256_packs_epi32(rounded.part[2], rounded.part[3]), narrow_), place);
    }
  }

 private:
  /// The conversion makes of what is too low for int32, and of NaN, the lowest number, which the saturating
  /// instructions that follow keep as the lowest.
  TOUCHSTONE_INLINE static Codes rounded_as_they_are(const Floats& quotients) {
    Codes rounded;
    for (std::size_t i = 0; i < 4; ++i) rounded.part[i] = _mm256_cvtps_epi32(quotients.part[i]);
    return rounded;
  }

  __m256i wide_;
  __m256i narrow_;
};

/// With a zero point for each element.
template <ElementType type>
class IntegerResultsInTile {
 public:
  explicit IntegerResultsInTile(const std::int32_t* zero_points) : zero_points_(zero_points) {}

  TOUCHSTONE_INLINE void store(const Floats& quotients, std::int64_t first, std::byte* place) const {
    Codes sums = rounded_within_limits(quotients);
    const Codes zero_points = load_integers(zero_points_ + first);
    for (std::size_t i = 0; i < 4; ++i) sums.part[i] = _mm256_add_epi32(sums.part[i], zero_points.part[i]);
    if constexpr (spec::info(type).bits == 16)
      store_16<type>(sums, place);
    else
      store_8<type>(_mm256_packs_epi32(sums.part[0], sums.part[1]), _mm256_packs_epi32(sums.part[2], sums.part[3]),
                    place);
  }

 private:
  const std::int32_t* zero_points_;
};

}  // namespace

}  // namespace touchstone::optimized
