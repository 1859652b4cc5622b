// Loads wide types as float32. Include only from files compiled for AVX2 (see avx2/vectors.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "optimized/avx2/vectors.h"

namespace touchstone::optimized {

namespace {  // NOLINT: see avx2/vectors.h

/// Loads 8 elements of float32, float16, bfloat16, int32 (rounded) or float8e8m0.
template <ElementType type>
TOUCHSTONE_INLINE __m256 load_wide(const std::byte* place) {
  if constexpr (type == ElementType::float16) {
    return _mm256_cvtph_ps(_mm_loadu_si128(at128(place)));
  } else if constexpr (type == ElementType::bfloat16) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128(at128(place))), 16));
  } else if constexpr (type == ElementType::int32) {
    return _mm256_cvtepi32_ps(_mm256_loadu_si256(at256(place)));
  } else if constexpr (type == ElementType::float8e8m0) {
    const __m256i codes = _mm256_cvtepu8_epi32(_mm_loadl_epi64(at128(place)));
    const __m256i powers = _mm256_slli_epi32(codes, 23);
    // 2^-127 is subnormal. Code 255 is NaN, for which the shift gives infinity.
    const __m256i smallest =
        _mm256_blendv_epi8(powers, broadcast_32(0x00400000), _mm256_cmpeq_epi32(codes, _mm256_setzero_si256()));
    return _mm256_castsi256_ps(
        _mm256_blendv_epi8(smallest, broadcast_32(0x7FC00000), _mm256_cmpeq_epi32(codes, broadcast_32(255))));
  } else {
    static_assert(type == ElementType::float32);
    return _mm256_loadu_ps(reinterpret_cast<const float*>(place));
  }
}

/// Loads `count` elements, rounded to `precision`. Reads no byte beyond them.
template <ElementType type, ElementType precision>
void load_wide(const std::byte* place, std::int64_t count, float* numbers) {
  constexpr std::int64_t width = spec::info(type).bits / 8;
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8)
    _mm256_storeu_ps(numbers + i, rounded_to<precision>(load_wide<type>(place + i * width)));
  if (i == count) return;
  alignas(32) std::byte rest[32]{};
  alignas(32) float rest_numbers[8];
  std::memcpy(rest, place + i * width, static_cast<std::size_t>((count - i) * width));
  _mm256_store_ps(rest_numbers, rounded_to<precision>(load_wide<type>(rest)));
  std::memcpy(numbers + i, rest_numbers, static_cast<std::size_t>(count - i) * sizeof(float));
}

using LoadWide = void (*)(const std::byte* place, std::int64_t count, float* numbers);

template <ElementType precision>
LoadWide wide_loader(ElementType type) {
  switch (type) {
    case ElementType::float16: return load_wide<ElementType::float16, precision>;
    case ElementType::bfloat16: return load_wide<ElementType::bfloat16, precision>;
    case ElementType::int32: return load_wide<ElementType::int32, precision>;
    case ElementType::float8e8m0: return load_wide<ElementType::float8e8m0, precision>;
    default: return load_wide<ElementType::float32, precision>;
  }
}

}  // namespace

}  // namespace touchstone::optimized
