// Vectors of 8 float32 numbers or int32 codes, and groups of 32 of them. Include only from files compiled for AVX2, FMA
// and F16C. Everything here has internal linkage, so that the linker cannot use this code for other files.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "spec/element_type.h"

/// Forces inlining, so that a loop keeps the callee's constants in registers.
#define TOUCHSTONE_INLINE [[gnu::always_inline]] inline

namespace touchstone::optimized {

namespace {  // NOLINT: see above

using spec::ElementType;

/// The number of elements that are loaded, computed and stored together. It is a multiple of 4, so a group begins and
/// ends at a whole byte.
inline constexpr std::int64_t group_size = 32;

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

/// Prefetches the cache lines of `bytes` bytes, a fixed distance ahead of `place`. The lines may lie outside any
/// object.
template <class T>
TOUCHSTONE_INLINE void prefetch(const T* place, std::size_t bytes) {
  constexpr std::size_t ahead = 2048;
  for (std::size_t line = 0; line < bytes; line += 64)
    _mm_prefetch(reinterpret_cast<const char*>(place) + ahead + line, _MM_HINT_T0);
}

/// While an object lives, subnormal operands and results are 0 if `are_flushed`; arithmetic with subnormals takes a
/// hundred times as long. Arithmetic meanwhile must not depend on the mode, because the compiler may move arithmetic
/// across the switch.
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

/// bfloat16 codes in the upper halves; the lower halves are 0. A carry out of the fraction increments the exponent, and
/// turns the largest finite number into infinity. NaN would overflow and is replaced with the quiet NaN.
TOUCHSTONE_INLINE __m256i bfloat16_codes(__m256 numbers) {
  const __m256i bits = _mm256_castps_si256(numbers);
  const __m256i is_odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), broadcast_32(1));
  const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(bits, broadcast_32(0x7FFF)), is_odd);
  const __m256i rounded = _mm256_and_si256(sum, broadcast_32(static_cast<int>(0xFFFF0000U)));
  const __m256i is_nan = _mm256_castps_si256(_mm256_cmp_ps(numbers, numbers, _CMP_UNORD_Q));
  return _mm256_blendv_epi8(rounded, broadcast_32(0x7FC00000), is_nan);
}

TOUCHSTONE_INLINE __m256 rounded_to_bfloat16(__m256 numbers) { return _mm256_castsi256_ps(bfloat16_codes(numbers)); }

/// Rounds to float16 or bfloat16; float32 stays as it is.
template <ElementType precision>
TOUCHSTONE_INLINE __m256 rounded_to(__m256 numbers) {
  if constexpr (precision == ElementType::float16) return rounded_to_float16(numbers);
  if constexpr (precision == ElementType::bfloat16) return rounded_to_bfloat16(numbers);
  return numbers;
}

TOUCHSTONE_INLINE Floats load_floats(const float* numbers) {
  return {{_mm256_loadu_ps(numbers), _mm256_loadu_ps(numbers + 8), _mm256_loadu_ps(numbers + 16),
           _mm256_loadu_ps(numbers + 24)}};
}

TOUCHSTONE_INLINE Codes load_integers(const std::int32_t* numbers) {
  return {{_mm256_loadu_si256(at256(numbers)), _mm256_loadu_si256(at256(numbers + 8)),
           _mm256_loadu_si256(at256(numbers + 16)), _mm256_loadu_si256(at256(numbers + 24))}};
}

}  // namespace

}  // namespace touchstone::optimized
