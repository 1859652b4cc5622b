// From quotients to float8, float6 and float4: add the zero point, round to nearest even, saturate, store. Include only
// from files compiled for AVX2 (see avx2/vectors.h).
#pragma once

#include <cstdint>

#include "optimized/avx2/packed_groups.h"
#include "optimized/avx2/parameters.h"
#include "optimized/avx2/vectors.h"
#include "optimized/quantize_linear.h"
#include "optimized/small_floats.h"

namespace touchstone::optimized {

namespace {  // NOLINT: see avx2/vectors.h

struct FloatTarget {
  bool has_zero_point;
  bool saturate;
  FnuzInfinity fnuz_infinity;
};

/// Quotients are rounded to `precision`. If `are_limited`, they come from Reciprocals: they are magnitudes, and the
/// zero point is absent or +0.
template <ElementType type, ElementType precision, bool are_limited, class Places = InOrder>
class FloatResults {
 public:
  /// One zero point per element, at `Places` in a tile. They are not read if quotients are limited.
  FloatResults(const FloatTarget& target, const float* zero_points, const Places& places = {})
      : places_(places),
        has_zero_point_(target.has_zero_point),
        zero_points_(zero_points),
        overflow_(_mm256_set1_epi8(
            static_cast<char>(target.saturate || !spec::is_float8(type) ? code.largest : code.infinity))),
        infinity_factor_(_mm256_set1_ps(target.fnuz_infinity == FnuzInfinity::is_nan ? 0 : 0x1p-100F)) {}

  TOUCHSTONE_INLINE void store(const Floats& x, const Floats& quotients, std::int64_t first, std::byte* place) const {
    Floats values = quotients;
    if (!are_limited && has_zero_point_)
      for (std::size_t i = 0; i < 4; ++i) values.part[i] = sum(values.part[i], first, i);
    __m256i signs = packed_signs(are_limited ? x : values);
    // A zero to which +0 was added is positive. Magnitudes pack to 0 exactly where they are 0.
    if (are_limited && has_zero_point_)
      signs = _mm256_andnot_si256(_mm256_cmpeq_epi8(packed_signs(values), _mm256_setzero_si256()), signs);
    Codes codes;
    for (std::size_t i = 0; i < 4; ++i) codes.part[i] = magnitude_codes(values.part[i]);
    store_bytes<sign_place + 1>(in_order_8(with_signs(packed(codes), signs)), place);
  }

 private:
  static constexpr spec::FloatFormat format = spec::format_of(type);
  static constexpr SmallFloatCodes code = small_float_codes(type);
  static constexpr bool is_fnuz = format.special_codes == spec::SpecialCodes::fnuz;
  static constexpr int sign_place = format.exponent_bits + format.fraction_bits;
  /// Exponent fields of float32: that of the type's smallest normal number, and the first one above the type's range.
  static constexpr int lowest_field = 1 - format.exponent_bias + 127;
  static constexpr int overflow_field =
      (static_cast<int>(code.largest) >> format.fraction_bits) - format.exponent_bias + 1 + 127;

  /// Rounds to odd, as in portable/quantize_linear.cpp, because the next step rounds to at most 4 bits. An error that
  /// is 0, or NaN next to an infinity, changes nothing.
  TOUCHSTONE_INLINE __m256 sum(__m256 value, std::int64_t first, std::size_t part) const {
    const __m256 zero_point = _mm256_loadu_ps(zero_points_ + places_(first, part));
    const __m256 rounded = _mm256_add_ps(value, zero_point);
    const __m256 of_zero_point = _mm256_sub_ps(rounded, value);
    const __m256 error = _mm256_add_ps(_mm256_sub_ps(value, _mm256_sub_ps(rounded, of_zero_point)),
                                       _mm256_sub_ps(zero_point, of_zero_point));
    const __m256i bits = _mm256_castps_si256(rounded);
    const __m256i is_even = _mm256_cmpeq_epi32(_mm256_and_si256(bits, broadcast_32(1)), _mm256_setzero_si256());
    const __m256i is_inexact = _mm256_castps_si256(_mm256_cmp_ps(error, _mm256_setzero_ps(), _CMP_NEQ_OQ));
    // + 1 moves away from zero, where error and sum have the same sign; elsewhere - 1.
    const __m256i differ = _mm256_srai_epi32(_mm256_xor_si256(_mm256_castps_si256(error), bits), 31);
    const __m256i step = _mm256_or_si256(differ, broadcast_32(1));
    return _mm256_castsi256_ps(_mm256_add_epi32(bits, _mm256_and_si256(step, _mm256_and_si256(is_even, is_inexact))));
  }

  /// Codes of the magnitudes, without the type's upper limit but clamped slightly above it. NaN becomes a large number.
  TOUCHSTONE_INLINE __m256i magnitude_codes(__m256 value) const {
    // An infinity times 0 is NaN; a finite number absorbs so small a term.
    if constexpr (is_fnuz && !are_limited) value = _mm256_fmadd_ps(value, infinity_factor_, value);
    __m256 magnitude = are_limited ? value : _mm256_andnot_ps(_mm256_set1_ps(-0.0F), value);
    if constexpr (!are_limited || precision == ElementType::float16)  // whose largest number rounds to an infinity
      magnitude = _mm256_min_ps(_mm256_castsi256_ps(broadcast_32(overflow_field << 23)), magnitude);  // NaN stays
    // Exponents above that of the smallest normal number. All lower ones share its unit.
    const __m256i exponent = _mm256_and_si256(_mm256_castps_si256(magnitude), broadcast_32(0x7F800000));
    const __m256i excess = _mm256_subs_epu16(exponent, broadcast_32(lowest_field << 23));
    // Adding 2^23 of its units rounds the number to a multiple of the unit; the fraction then counts the units.
    const __m256i unit_times_2_23 =
        _mm256_add_epi32(excess, broadcast_32((lowest_field + 23 - format.fraction_bits) << 23));
    const __m256 shifted = _mm256_add_ps(magnitude, _mm256_castsi256_ps(unit_times_2_23));
    const __m256i units = _mm256_and_si256(_mm256_castps_si256(shifted), broadcast_32(0x007FFFFF));
    return _mm256_add_epi32(units, _mm256_srli_epi32(excess, 23 - format.fraction_bits));
  }

  /// Codes as bytes, in the order of the pack instructions. 255 is NaN; no other code reaches it.
  TOUCHSTONE_INLINE static __m256i packed(const Codes& codes) {
    return _mm256_packus_epi16(_mm256_packs_epi32(codes.part[0], codes.part[1]),
                               _mm256_packs_epi32(codes.part[2], codes.part[3]));
  }

  /// Bytes in the same order, with the sign of the number; 0 only where all bits of the number are 0.
  TOUCHSTONE_INLINE static __m256i packed_signs(const Floats& numbers) {
    const auto pack = [](__m256 low, __m256 high) {
      return _mm256_packs_epi32(_mm256_castps_si256(low), _mm256_castps_si256(high));
    };
    return _mm256_packs_epi16(pack(numbers.part[0], numbers.part[1]), pack(numbers.part[2], numbers.part[3]));
  }

  TOUCHSTONE_INLINE __m256i with_signs(__m256i magnitudes, __m256i signs) const {
    __m256i sign = _mm256_srli_epi16(_mm256_and_si256(signs, _mm256_set1_epi8(-128)), 7 - sign_place);
    const __m256i is_nan = _mm256_cmpeq_epi8(magnitudes, _mm256_set1_epi8(-1));
    __m256i codes = _mm256_min_epu8(magnitudes, overflow_);
    codes = _mm256_blendv_epi8(codes, _mm256_set1_epi8(static_cast<char>(code.nan)), is_nan);
    sign = _mm256_andnot_si256(is_nan, sign);
    if (is_fnuz) sign = _mm256_andnot_si256(_mm256_cmpeq_epi8(codes, _mm256_setzero_si256()), sign);
    return _mm256_or_si256(codes, sign);
  }

  Places places_;
  bool has_zero_point_;
  const float* zero_points_;
  __m256i overflow_;
  __m256 infinity_factor_;
};

}  // namespace

}  // namespace touchstone::optimized
