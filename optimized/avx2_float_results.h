// From quotients to float8, float6 and float4: add the zero point, round to nearest even, saturate, store. Only for
// files that are compiled for AVX2, as avx2_vectors.h.
#pragma once

#include <cstdint>

#include "optimized/avx2_vectors.h"
#include "optimized/quantize_linear.h"
#include "optimized/small_floats.h"

namespace touchstone::optimized {

namespace {  // NOLINT: see avx2_vectors.h

struct FloatTarget {
  bool has_zero_point;
  bool saturate;
  FnuzInfinity fnuz_infinity;
};

/// Sums are rounded to `precision`.
template <ElementType type, ElementType precision>
class FloatResults {
 public:
  /// With one zero point.
  FloatResults(const FloatTarget& target, float zero_point) : FloatResults(target, zero_point, nullptr) {}
  /// With a zero point for each element.
  FloatResults(const FloatTarget& target, const float* zero_points) : FloatResults(target, 0, zero_points) {}

  TOUCHSTONE_INLINE void store(const Floats& quotients, std::int64_t first, std::byte* place) const {
    Floats values = quotients;
    if (has_zero_point_) {
      const Floats zero_points = zero_points_ == nullptr ? Floats{{zero_point_, zero_point_, zero_point_, zero_point_}}
                                                         : load_floats(zero_points_ + first);
      // Rounding the sum of two float16 or bfloat16 numbers twice is innocuous: see portable_rounding.h.
      for (std::size_t i = 0; i < 4; ++i)
        values.part[i] = rounded_to<precision>(_mm256_add_ps(values.part[i], zero_points.part[i]));
    }
    Codes codes;
    for (std::size_t i = 0; i < 4; ++i) codes.part[i] = encode(values.part[i]);
    const __m256i low = _mm256_packus_epi32(codes.part[0], codes.part[1]);
    const __m256i high = _mm256_packus_epi32(codes.part[2], codes.part[3]);
    store_bytes<spec::info(type).bits>(in_order_8(_mm256_packus_epi16(low, high)), place);
  }

 private:
  static constexpr spec::FloatFormat format = spec::format_of(type);
  static constexpr SmallFloatCodes code = small_float_codes(type);
  static constexpr bool is_fnuz = format.special_codes == spec::SpecialCodes::fnuz;
  static constexpr int dropped = 23 - format.fraction_bits;
  static constexpr int sign_place = format.exponent_bits + format.fraction_bits;
  static constexpr int infinity = 0x7F800000;

  FloatResults(const FloatTarget& target, float zero_point, const float* zero_points)
      : has_zero_point_(target.has_zero_point),
        zero_point_(_mm256_set1_ps(zero_point)),
        zero_points_(zero_points),
        overflow_(
            broadcast_32(static_cast<int>(target.saturate || !spec::is_float8(type) ? code.largest : code.infinity))),
        largest_that_is_no_nan_(
            broadcast_32(is_fnuz && target.fnuz_infinity == FnuzInfinity::is_nan ? infinity - 1 : infinity)) {}

  /// Codes of magnitudes ascend with them, as if exponents had no upper end.
  TOUCHSTONE_INLINE static __m256i magnitude_codes(__m256i magnitude) {
    // Normal numbers: round the fraction in place, a carry going into the exponent; then change the bias.
    const __m256i is_odd = _mm256_and_si256(_mm256_srli_epi32(magnitude, dropped), broadcast_32(1));
    const __m256i below_half = broadcast_32((1 << (dropped - 1)) - 1);
    const __m256i rounded = _mm256_add_epi32(_mm256_add_epi32(magnitude, below_half), is_odd);
    const __m256i normal = _mm256_sub_epi32(_mm256_srli_epi32(rounded, dropped),
                                            broadcast_32((127 - format.exponent_bias) << format.fraction_bits));
    // Subnormal numbers: beside 2^23 of their unit, the addition rounds to multiples of it.
    constexpr int unit = 1 - format.exponent_bias - format.fraction_bits;
    const __m256i beside = broadcast_32((unit + 23 + 127) << 23);
    const __m256 shifted = _mm256_add_ps(_mm256_castsi256_ps(magnitude), _mm256_castsi256_ps(beside));
    const __m256i subnormal = _mm256_sub_epi32(_mm256_castps_si256(shifted), beside);

    constexpr int smallest_normal = (1 - format.exponent_bias + 127) << 23;
    return _mm256_blendv_epi8(normal, subnormal, _mm256_cmpgt_epi32(broadcast_32(smallest_normal), magnitude));
  }

  TOUCHSTONE_INLINE __m256i encode(__m256 value) const {
    const __m256i bits = _mm256_castps_si256(value);
    const __m256i magnitude = _mm256_and_si256(bits, broadcast_32(0x7FFFFFFF));
    __m256i codes = magnitude_codes(magnitude);
    codes =
        _mm256_blendv_epi8(codes, overflow_, _mm256_cmpgt_epi32(codes, broadcast_32(static_cast<int>(code.largest))));
    const __m256i is_nan = _mm256_cmpgt_epi32(magnitude, largest_that_is_no_nan_);
    codes = _mm256_blendv_epi8(codes, broadcast_32(static_cast<int>(code.nan)), is_nan);

    __m256i sign = _mm256_slli_epi32(_mm256_srli_epi32(bits, 31), sign_place);
    sign = _mm256_andnot_si256(is_nan, sign);
    if (is_fnuz) sign = _mm256_andnot_si256(_mm256_cmpeq_epi32(codes, _mm256_setzero_si256()), sign);
    return _mm256_or_si256(codes, sign);
  }

  bool has_zero_point_;
  __m256 zero_point_;
  const float* zero_points_;
  __m256i overflow_;
  __m256i largest_that_is_no_nan_;  // of magnitudes as float32
};

}  // namespace

}  // namespace touchstone::optimized
