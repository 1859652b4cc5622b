// Loads and stores groups of 32 packed codes, and decodes small codes to numbers. Include only from files compiled for
// AVX2 (see avx2/vectors.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "optimized/avx2/vectors.h"
#include "optimized/small_floats.h"

namespace touchstone::optimized {

namespace {  // NOLINT: see avx2/vectors.h

/// Restores the order of elements after one level of packing, from int32 to 16 bits.
TOUCHSTONE_INLINE __m256i in_order_16(__m256i packed) { return _mm256_permute4x64_epi64(packed, 0xD8); }
/// Restores the order after two levels of packing.
TOUCHSTONE_INLINE __m256i in_order_8(__m256i packed) {
  return _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

/// Stores the low `bits` bits of 32 bytes.
template <int bits>
TOUCHSTONE_INLINE void store_bytes(__m256i codes, std::byte* place) {
  auto* out = reinterpret_cast<__m128i*>(place);
  if constexpr (bits == 8) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(place), codes);
  } else if constexpr (bits == 4) {
    const __m256i low = _mm256_and_si256(codes, _mm256_set1_epi8(0x0F));
    const __m256i pairs = _mm256_maddubs_epi16(low, _mm256_set1_epi16(0x1001));  // bytes times 1 and 16
    const __m256i packed = _mm256_packus_epi16(pairs, pairs);
    _mm_storeu_si128(out, _mm256_castsi256_si128(_mm256_permute4x64_epi64(packed, 0x08)));
  } else if constexpr (bits == 2) {
    const __m256i low = _mm256_and_si256(codes, _mm256_set1_epi8(0x03));
    const __m256i pairs = _mm256_maddubs_epi16(low, _mm256_set1_epi16(0x0401));     // times 1, times 4
    const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00100001));  // times 1, times 16
    const __m256i words = _mm256_packus_epi32(fours, fours);
    const __m256i packed = _mm256_packus_epi16(words, words);
    const __m256i in_order = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 0, 0, 0, 0, 0, 0));
    _mm_storel_epi64(out, _mm256_castsi256_si128(in_order));
  } else {
    static_assert(bits == 6);
    const __m256i low = _mm256_and_si256(codes, _mm256_set1_epi8(0x3F));
    const __m256i pairs = _mm256_maddubs_epi16(low, _mm256_set1_epi16(0x4001));     // times 1, times 64
    const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x10000001));  // times 1, times 4096
    const __m256i threes =
        _mm256_shuffle_epi8(fours, _mm256_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1, 0, 1, 2, 4,
                                                    5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
    const __m256i packed = _mm256_permutevar8x32_epi32(threes, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
    _mm_storeu_si128(out, _mm256_castsi256_si128(packed));
    _mm_storel_epi64(out + 1, _mm256_extracti128_si256(packed, 1));
  }
}

/// Loads 32 codes of 2, 4, 6 or 8 bits as bytes.
template <int bits>
TOUCHSTONE_INLINE __m256i load_bytes(const std::byte* place) {
  if constexpr (bits == 8) {
    return _mm256_loadu_si256(at256(place));
  } else if constexpr (bits == 4) {
    const __m256i words = _mm256_cvtepu8_epi16(_mm_loadu_si128(at128(place)));
    return _mm256_and_si256(_mm256_or_si256(words, _mm256_slli_epi16(words, 4)), _mm256_set1_epi8(0x0F));
  } else {
    // Four codes in each 32-bit word. Code i moves to byte i.
    __m256i words;
    if constexpr (bits == 2) {
      words = _mm256_cvtepu8_epi32(_mm_loadl_epi64(at128(place)));
    } else {
      static_assert(bits == 6);
      const __m256i bytes = _mm256_set_m128i(_mm_loadu_si128(at128(place + 8)), _mm_loadu_si128(at128(place)));
      words = _mm256_shuffle_epi8(bytes, _mm256_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1, 4, 5, 6,
                                                          -1, 7, 8, 9, -1, 10, 11, 12, -1, 13, 14, 15, -1));
    }
    const __m256i first = _mm256_and_si256(words, broadcast_32((1 << bits) - 1));
    const __m256i second = _mm256_and_si256(_mm256_slli_epi32(words, 8 - bits), broadcast_32(((1 << bits) - 1) << 8));
    const __m256i third =
        _mm256_and_si256(_mm256_slli_epi32(words, 2 * (8 - bits)), broadcast_32(((1 << bits) - 1) << 16));
    const __m256i fourth =
        _mm256_and_si256(_mm256_slli_epi32(words, 3 * (8 - bits)), broadcast_32(((1 << bits) - 1) << 24));
    return _mm256_or_si256(_mm256_or_si256(first, second), _mm256_or_si256(third, fourth));
  }
}

/// 8 of 32 bytes as int32, sign-extended or zero-extended.
template <bool is_signed>
TOUCHSTONE_INLINE __m256i widened(__m128i bytes) {
  return is_signed ? _mm256_cvtepi8_epi32(bytes) : _mm256_cvtepu8_epi32(bytes);
}

/// 32 codes of the type. Integers are loaded as numbers, floating-point types as codes.
template <ElementType type>
TOUCHSTONE_INLINE Codes load_group(const std::byte* place) {
  constexpr spec::ElementTypeInfo row = spec::info(type);
  constexpr bool is_signed = row.kind == spec::NumberKind::signed_integer;
  if constexpr (row.bits == 32) {
    return load_integers(reinterpret_cast<const std::int32_t*>(place));
  } else if constexpr (row.bits == 16) {
    Codes codes;
    for (std::size_t i = 0; i < 4; ++i) {
      const __m128i words = _mm_loadu_si128(at128(place + 16 * i));
      codes.part[i] = is_signed ? _mm256_cvtepi16_epi32(words) : _mm256_cvtepu16_epi32(words);
    }
    return codes;
  } else if constexpr (row.bits == 8) {
    Codes codes;
    for (std::size_t i = 0; i < 4; ++i) codes.part[i] = widened<is_signed>(_mm_loadl_epi64(at128(place + 8 * i)));
    return codes;
  } else {
    __m256i bytes = load_bytes<row.bits>(place);
    if constexpr (is_signed) {  // (b xor s) - s, with the sign bit s of the narrow type
      const __m256i sign = _mm256_set1_epi8(static_cast<char>(1 << (row.bits - 1)));
      bytes = _mm256_sub_epi8(_mm256_xor_si256(bytes, sign), sign);
    }
    const __m128i low = _mm256_castsi256_si128(bytes);
    const __m128i high = _mm256_extracti128_si256(bytes, 1);
    return {{widened<is_signed>(low), widened<is_signed>(_mm_srli_si128(low, 8)), widened<is_signed>(high),
             widened<is_signed>(_mm_srli_si128(high, 8))}};
  }
}

/// Decodes codes of a type of at most 8 bits.
template <ElementType type>
TOUCHSTONE_INLINE __m256 decoded(__m256i codes) {
  constexpr spec::FloatFormat format = spec::format_of(type);
  constexpr int m = format.fraction_bits;
  constexpr SmallFloatCodes special = small_float_codes(type);
  constexpr int sign_place = format.exponent_bits + m;
  const __m256i sign = _mm256_and_si256(_mm256_slli_epi32(codes, 31 - sign_place), broadcast_32(1 << 31));
  const __m256i magnitude = _mm256_and_si256(codes, broadcast_32(static_cast<int>(special.sign - 1)));
  __m256i bits;
  if constexpr (sign_place == 3) {
    const float* values = float_values<type>.data();
    bits = _mm256_castps_si256(_mm256_permutevar8x32_ps(_mm256_loadu_ps(values), magnitude));
  } else {
    const __m256i normal =
        _mm256_add_epi32(_mm256_slli_epi32(magnitude, 23 - m), broadcast_32((127 - format.exponent_bias) << 23));
    constexpr int unit = 1 - format.exponent_bias - m;  // the exponent of the unit of subnormal numbers
    const __m256 subnormal =
        _mm256_mul_ps(_mm256_cvtepi32_ps(magnitude), _mm256_castsi256_ps(broadcast_32((127 + unit) << 23)));
    bits =
        _mm256_blendv_epi8(normal, _mm256_castps_si256(subnormal), _mm256_cmpgt_epi32(broadcast_32(1 << m), magnitude));
    if constexpr (format.special_codes == spec::SpecialCodes::ieee) {
      const __m256i is_special = _mm256_cmpgt_epi32(magnitude, broadcast_32(static_cast<int>(special.largest)));
      bits = _mm256_or_si256(bits, _mm256_and_si256(is_special, broadcast_32(0x7F800000)));
    } else if constexpr (format.special_codes == spec::SpecialCodes::fn) {
      bits = _mm256_or_si256(bits, _mm256_cmpeq_epi32(magnitude, broadcast_32(static_cast<int>(special.nan))));
    } else if constexpr (format.special_codes == spec::SpecialCodes::fnuz) {
      bits = _mm256_or_si256(bits, _mm256_cmpeq_epi32(codes, broadcast_32(static_cast<int>(special.nan))));
    }
  }
  return _mm256_castsi256_ps(_mm256_or_si256(bits, sign));
}

}  // namespace

}  // namespace touchstone::optimized
