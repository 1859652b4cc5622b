// Vectors of 8 float32 numbers or int32 codes, and groups of 32 elements. Only for files that are compiled for AVX2,
// FMA and F16C: everything here has internal linkage, so that no other file is given this code.
#pragma once

#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "optimized/small_floats.h"
#include "spec/element_type.h"

/// What a loop calls becomes part of it, with its constants in registers.
#define TOUCHSTONE_INLINE [[gnu::always_inline]] inline

namespace touchstone::optimized {

namespace {  // NOLINT: see above

using spec::ElementType;

/// Elements that are loaded, computed and stored together. A group starts at a whole byte, and ends at one: it has a
/// multiple of 4 elements.
constexpr std::int64_t group_size = 32;

struct Floats {
  __m256 part[4];
};

struct Codes {
  __m256i part[4];
};

template <class T>
const __m128i* at128(const T* place) {
  return reinterpret_cast<const __m128i*>(place);
}
template <class T>
const __m256i* at256(const T* place) {
  return reinterpret_cast<const __m256i*>(place);
}

/// Asks for the lines of so many bytes, some way ahead of those that are being read or written. The lines need not
/// belong to anything.
template <class T>
TOUCHSTONE_INLINE void prefetch(const T* place, std::size_t bytes) {
  constexpr std::size_t ahead = 2048;
  for (std::size_t line = 0; line < bytes; line += 64)
    _mm_prefetch(reinterpret_cast<const char*>(place) + ahead + line, _MM_HINT_T0);
}

/// While it lives subnormal operands and results are 0, if they are to be: arithmetic takes a hundred times as long
/// with them. What runs meanwhile may not depend on it, since the compiler may move arithmetic across.
class FlushedSubnormals {
 public:
  explicit FlushedSubnormals(bool are_flushed) : saved_(_mm_getcsr()) {
    if (are_flushed) _mm_setcsr(saved_ | flush_to_zero | denormals_are_zero);
  }
  ~FlushedSubnormals() { _mm_setcsr(saved_); }
  FlushedSubnormals(const FlushedSubnormals&) = delete;
  FlushedSubnormals& operator=(const FlushedSubnormals&) = delete;

 private:
  static constexpr unsigned flush_to_zero = 0x8000;
  static constexpr unsigned denormals_are_zero = 0x0040;
  unsigned saved_;
};

TOUCHSTONE_INLINE __m256i broadcast_32(int number) { return _mm256_set1_epi32(number); }

// ---- rounding to narrower floating-point types, ties to even; the result is float32 again

TOUCHSTONE_INLINE __m256 rounded_to_float16(__m256 numbers) {
  return _mm256_cvtph_ps(_mm256_cvtps_ph(numbers, _MM_FROUND_TO_NEAREST_INT));
}

/// In the upper halves; the lower ones are 0. A carry out of the fraction goes into the exponent, and out of the
/// largest finite number makes infinity. NaN would overflow, and becomes the quiet one.
TOUCHSTONE_INLINE __m256i bfloat16_codes(__m256 numbers) {
  const __m256i bits = _mm256_castps_si256(numbers);
  const __m256i is_odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), broadcast_32(1));
  const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(bits, broadcast_32(0x7FFF)), is_odd);
  const __m256i rounded = _mm256_and_si256(sum, broadcast_32(static_cast<int>(0xFFFF0000U)));
  const __m256i is_nan = _mm256_castps_si256(_mm256_cmp_ps(numbers, numbers, _CMP_UNORD_Q));
  return _mm256_blendv_epi8(rounded, broadcast_32(0x7FC00000), is_nan);
}

TOUCHSTONE_INLINE __m256 rounded_to_bfloat16(__m256 numbers) { return _mm256_castsi256_ps(bfloat16_codes(numbers)); }

/// To float16, bfloat16 or float32, which changes nothing.
template <ElementType precision>
TOUCHSTONE_INLINE __m256 rounded_to(__m256 numbers) {
  if constexpr (precision == ElementType::float16) return rounded_to_float16(numbers);
  if constexpr (precision == ElementType::bfloat16) return rounded_to_bfloat16(numbers);
  return numbers;
}

// ---- wide types to float32

/// 8 elements of float32, float16, bfloat16, int32 (rounded) or float8e8m0.
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
    // 2^-127 is subnormal; 255 is NaN, where the shift makes infinity.
    const __m256i smallest =
        _mm256_blendv_epi8(powers, broadcast_32(0x00400000), _mm256_cmpeq_epi32(codes, _mm256_setzero_si256()));
    return _mm256_castsi256_ps(
        _mm256_blendv_epi8(smallest, broadcast_32(0x7FC00000), _mm256_cmpeq_epi32(codes, broadcast_32(255))));
  } else {
    static_assert(type == ElementType::float32);
    return _mm256_loadu_ps(reinterpret_cast<const float*>(place));
  }
}

/// One element, rounded to `precision`.
template <ElementType precision>
TOUCHSTONE_INLINE float load_one_wide(ElementType type, const std::byte* place) {
  const auto rounded = [](__m256 number) { return _mm256_cvtss_f32(rounded_to<precision>(number)); };
  std::uint32_t code = 0;
  switch (type) {
    case ElementType::float16:
      std::memcpy(&code, place, 2);
      return rounded(_mm256_cvtph_ps(_mm_cvtsi32_si128(static_cast<int>(code))));
    case ElementType::bfloat16:
      std::memcpy(&code, place, 2);
      return rounded(_mm256_castsi256_ps(broadcast_32(static_cast<int>(code << 16))));
    case ElementType::float8e8m0:
      return rounded(_mm256_set1_ps(float_values<ElementType::float8e8m0>[std::to_integer<std::size_t>(*place)]));
    case ElementType::int32:
      std::memcpy(&code, place, 4);
      return rounded(_mm256_cvtepi32_ps(broadcast_32(static_cast<int>(code))));
    default: std::memcpy(&code, place, 4); return rounded(_mm256_castsi256_ps(broadcast_32(static_cast<int>(code))));
  }
}

/// So many elements, rounded to `precision`. Reads no byte beyond them.
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

TOUCHSTONE_INLINE Floats load_floats(const float* numbers) {
  return {{_mm256_loadu_ps(numbers), _mm256_loadu_ps(numbers + 8), _mm256_loadu_ps(numbers + 16),
           _mm256_loadu_ps(numbers + 24)}};
}

TOUCHSTONE_INLINE Codes load_integers(const std::int32_t* numbers) {
  return {{_mm256_loadu_si256(at256(numbers)), _mm256_loadu_si256(at256(numbers + 8)),
           _mm256_loadu_si256(at256(numbers + 16)), _mm256_loadu_si256(at256(numbers + 24))}};
}

// ---- packed types: 32 codes to and from bytes

/// Two vectors of int32 to one of 16 bits, in order, with the saturation of the instruction.
TOUCHSTONE_INLINE __m256i in_order_16(__m256i packed) { return _mm256_permute4x64_epi64(packed, 0xD8); }
/// After two levels of packing.
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
    const __m256i pairs = _mm256_maddubs_epi16(low, _mm256_set1_epi16(0x1001));  // of bytes: times 1, times 16
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

/// 32 codes of 2, 4, 6 or 8 bits as bytes.
template <int bits>
TOUCHSTONE_INLINE __m256i load_bytes(const std::byte* place) {
  if constexpr (bits == 8) {
    return _mm256_loadu_si256(at256(place));
  } else if constexpr (bits == 4) {
    const __m256i words = _mm256_cvtepu8_epi16(_mm_loadu_si128(at128(place)));
    return _mm256_and_si256(_mm256_or_si256(words, _mm256_slli_epi16(words, 4)), _mm256_set1_epi8(0x0F));
  } else {
    // Four codes to a word of 32 bits: each moves up to the byte that has its number.
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

/// 8 bytes of 32, each as int32 with its sign or without.
template <bool is_signed>
TOUCHSTONE_INLINE __m256i widened(__m128i bytes) {
  return is_signed ? _mm256_cvtepi8_epi32(bytes) : _mm256_cvtepu8_epi32(bytes);
}

/// 32 codes of the type: integers as numbers, of floating-point types the codes.
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

/// The numbers that codes of a type of at most 8 bits denote.
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
    constexpr int unit = 1 - format.exponent_bias - m;  // of subnormal numbers
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
