// Quotients of float32 numbers in vectors. Include only from files compiled for AVX2 (see avx2/vectors.h).
#pragma once

#include <cstdint>

#include "optimized/avx2/parameters.h"
#include "optimized/avx2/vectors.h"

namespace touchstone::optimized {

namespace {  // NOLINT: see avx2/vectors.h

/// A power of two. A quotient this large saturates: in integer types with any zero point, in floating-point types with
/// zero point 0.
template <ElementType type>
constexpr float saturating_quotient() {
  if constexpr (spec::is_integer(type)) {
    return spec::info(type).bits == 16 ? 0x1p18F : 0x1p10F;
  } else {
    constexpr spec::FloatFormat format = spec::format_of(type);
    constexpr int largest_field = static_cast<int>(small_float_codes(type).largest) >> format.fraction_bits;
    return static_cast<float>(1U << (largest_field - format.exponent_bias + 1));
  }
}

/// Scales prepared for computing x / s by multiplication and fused multiply-add.
///
/// The quotient is then rounded to an integer or to a small floating-point number. It therefore only has to lie on the
/// right side of every tie, or on the tie if x / s does. The proofs below show this for both methods and all scales
/// with 2^-70 <= s <= 2^60. x is limited to s * saturating_quotient, so nothing overflows. For integers the limit
/// applies only from above: a negative x below the range gives a quotient that is too low, or NaN. Both become the
/// lowest integer, as NaN does anyway.
///
/// Without loss of generality, 1 <= x < 2 and 1 < s < 2 (for s = 1 everything is exact). Let r = RN(1 / s), whose error
/// is at most 2^-25. Let u be the spacing of float32 numbers around x / s, and m a midpoint of two adjacent ones. A
/// quotient is never a midpoint: m is an odd 25-bit number times a power of two, and so cannot divide x. So x - m s is
/// not 0. It is a multiple of 2^-24 u, and therefore D = |x/s - m| >= 2^-24 u / s. We have u = 2^-23 if x >= s (A), and
/// u = 2^-24 if x < s (B).
///
/// Method 1, two words, for types of at most 8 bits (N. Brisebarre, J.-M. Muller, S. K. Raina, "Accelerating correctly
/// rounded floating-point division when the divisor is known in advance", IEEE Trans. Computers 53 (8), 2004):
///
///   l = RN((1 - r s) / s),  q = RN(x r + RN(x l))
///
/// 1 - r s is exact. |l| <= 2^-25, so l differs from 1/s - r by at most 2^-50. |x l| < 2^-24, so its rounding error is
/// at most 2^-49. q is therefore the rounding of a number that differs from x / s by less than 2 * 2^-50 + 2^-49 =
/// 2^-48.
/// A) D >= 2^-47 / s > 2^-48: no midpoint lies in between, and q = RN(x / s).
/// B) If a midpoint m lies in between, q is the other neighbour of m than RN(x / s). This is harmless unless one
/// neighbour is a tie t, which has at most 9 significant bits (k + 1/2 < 2^8), or 5 for small floating-point types.
/// Then m = t -+ 2^-25, and x - m s = (x - t s) +- 2^-25 s is the sum of a multiple of 2^-32 and 2^-32 (2^7 s), where
/// 2^7 s is a multiple of 2^-16. If 2^7 s is an integer, or further than 2^-16 from one, then |x - m s| >= 2^-47, and D
/// > 2^-48 as in A. The remaining scales have 2^7 s at a distance of exactly 2^-16 from an integer: their significands
/// end in 15 zeros and a one, or in 16 ones. There are 256 of them, with 257 ties; division_test.cpp tries them all
/// (DividesCorrectlyNextToTiesOfTheScalesThatTheProofExcludes).
/// Exponents: q matters from the smallest tie, 2^-18, upwards. There x >= 2^-88; and 1 - r s is 0 or a multiple of
/// 2^-48, so l >= 2^-108 and x l >= 2^-66: all are normal numbers. The relative error of a smaller quotient is small.
/// Zero points: the sum with a floating-point zero point is rounded again, so the zero point must be +0. Adding +0
/// turns -0 into +0, so it matters which quotients are 0: those up to 2^-150. For s < 2 only x = 0 has such a quotient,
/// and x r > 2^-150 as well. Other scales with that zero point use the division.
/// If the type of the division is float16 or bfloat16, x and s have that type, and q is rounded to it: see ByDivision.
/// The relative distance from x / s to any of its midpoints is at least 2^-23, so it does not matter which neighbour q
/// is.
///
/// Method 2, with a remainder, for 16-bit types:
///
///   p = RN(x r),  e = RN(x - p s),  q = RN(p + e r)
///
/// P. Markstein's theorem ("Computation of elementary functions on the IBM RISC System/6000 processor", IBM J. Res.
/// Dev. 34 (1), 1990) says that q = RN(x / s) if p is one of the two float32 numbers around x / s. Here this is not
/// always so, hence the full proof. Let d = r - 1/s. Then x r = x/s + x d.
/// A) |x d| < 2^-24 = u/2, so |p - x/s| < u.
/// B) |x d| < u, so |p - x/s| < 3u/2.
/// If e is exact, the last rounding is that of p + e r = x/s + e d. e d can matter only if x / s is close to a midpoint
/// m. If p is next to m, then |e| <= s (u/2 + D), and e is exact: a multiple of 2^-23 u, less than 2^24 times that. And
/// |e d| <= s (u/2 + D) 2^-25, which is less than D because s^2 < 4 (1 - s 2^-25) for every s < 2. So p + e r lies on
/// the same side of m as x / s.
/// Only in B can p be the number after the next one. Then |x r - m| >= u, hence D >= u - |x d|. Here |e d| is at most
/// 3/2 * 2^-48. The error of e, if e is inexact, contributes at most as much: that needs s (1 + x) > 4, so r < 3/4. For
/// the sum to matter, D < 3 * 2^-48, so |x d| > u - 3 * 2^-48 and x > 2 - 3 * 2^-23. With x < s < 2 that leaves only x
/// = 2 - 2^-22 and s = 2 - 2^-23, whose quotient is 1 - 2^-24 up to 2^-47: close to a float32 number, not to a
/// midpoint.
/// Exponents: for x/s >= 1/4, e is a multiple of 2^-3 2^-23 s 2^-23 >= 2^-119, and so still exact. For x/s < 1/4, the
/// relative errors of p and e r are small.
///
/// So no subnormal number decides an integer output, and all of this also holds with FlushedSubnormals.
template <ElementType type>
class Reciprocals {
 public:
  /// Prepares the first `count` parameters, at most parameters_of_row. `has_zero_point`: zero points are added to the
  /// quotients.
  Reciprocals(const PreparedParameters<type>& parameters, std::int64_t count, bool has_zero_point) {
    const float largest = !spec::is_integer(type) && has_zero_point ? 0x1.fffffep0F : 0x1p60F;
    __m256 fit = _mm256_castsi256_ps(broadcast_32(-1));
    const std::int64_t read = (count + group_size - 1) / group_size * group_size;  // kernels read whole groups
    for (std::int64_t i = 0; i < read; i += 8) {
      const __m256 scale = _mm256_loadu_ps(parameters.scales + i);
      const __m256 one = _mm256_set1_ps(1);
      const __m256 reciprocal = _mm256_div_ps(one, scale);
      _mm256_store_ps(reciprocals_ + i, reciprocal);
      _mm256_store_ps(limits_ + i, _mm256_mul_ps(scale, _mm256_set1_ps(saturating_quotient<type>())));
      _mm256_store_ps(seconds_ + i,
                      has_remainder ? scale : _mm256_div_ps(_mm256_fnmadd_ps(reciprocal, scale, one), scale));
      fit = _mm256_and_ps(fit, fits(scale, largest));
      if constexpr (!spec::is_integer(type)) {
        const __m256i zero_points = _mm256_loadu_si256(at256(parameters.zero_points + i));
        fit = _mm256_and_ps(fit, _mm256_castsi256_ps(_mm256_cmpeq_epi32(zero_points, _mm256_setzero_si256())));
      }
    }
    are_proven_ = _mm256_movemask_ps(fit) == 0xFF;
  }

  /// Whether the proof above holds for all of these scales.
  bool are_proven() const { return are_proven_; }

  /// The quotients of a vector x and the limits, reciprocals and seconds() of its scales. For floating-point types, the
  /// magnitudes of the quotients.
  TOUCHSTONE_INLINE static __m256 quotient(__m256 x, __m256 limit, __m256 reciprocal, __m256 second) {
    if constexpr (!spec::is_integer(type)) x = _mm256_andnot_ps(_mm256_set1_ps(-0.0F), x);
    const __m256 limited = _mm256_min_ps(limit, x);  // NaN stays, because it is the second operand
    if constexpr (has_remainder) {
      const __m256 approximate = _mm256_mul_ps(limited, reciprocal);
      return _mm256_fmadd_ps(_mm256_fnmadd_ps(approximate, second, limited), reciprocal, approximate);
    }
    return _mm256_fmadd_ps(limited, reciprocal, _mm256_mul_ps(limited, second));
  }

  const float* limits() const { return limits_; }
  const float* reciprocals() const { return reciprocals_; }
  const float* seconds() const { return seconds_; }

 private:
  static constexpr bool has_remainder = spec::info(type).bits == 16;

  static __m256 fits(__m256 scale, float largest) {
    return _mm256_and_ps(_mm256_cmp_ps(scale, _mm256_set1_ps(0x1p-70F), _CMP_GE_OQ),
                         _mm256_cmp_ps(scale, _mm256_set1_ps(largest), _CMP_LE_OQ));
  }

  bool are_proven_;
  alignas(32) float limits_[parameters_of_row];
  alignas(32) float reciprocals_[parameters_of_row];
  alignas(32) float seconds_[parameters_of_row];  // l (two words) or s (remainder)
};

/// x / scale for one of these scales, rounded to `precision`.
template <ElementType type, ElementType precision>
class ByReciprocal {
 public:
  ByReciprocal(const Reciprocals<type>& scales, std::int64_t parameter)
      : limit_(_mm256_set1_ps(scales.limits()[parameter])),
        reciprocal_(_mm256_set1_ps(scales.reciprocals()[parameter])),
        second_(_mm256_set1_ps(scales.seconds()[parameter])) {}

  TOUCHSTONE_INLINE Floats operator()(const Floats& x, std::int64_t) const {
    Floats q;
    for (std::size_t i = 0; i < 4; ++i)
      q.part[i] = rounded_to<precision>(Reciprocals<type>::quotient(x.part[i], limit_, reciprocal_, second_));
    return q;
  }

 private:
  __m256 limit_;
  __m256 reciprocal_;
  __m256 second_;
};

/// As ByReciprocal, with a scale for each element, at `Places` in a tile.
template <ElementType type, ElementType precision, class Places>
class ByReciprocalInTile {
 public:
  ByReciprocalInTile(const Reciprocals<type>& scales, const Places& places)
      : places_(places), limits_(scales.limits()), reciprocals_(scales.reciprocals()), seconds_(scales.seconds()) {}

  TOUCHSTONE_INLINE Floats operator()(const Floats& x, std::int64_t first) const {
    Floats q;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::int64_t place = places_(first, i);
      q.part[i] = rounded_to<precision>(Reciprocals<type>::quotient(x.part[i], _mm256_loadu_ps(limits_ + place),
                                                                    _mm256_loadu_ps(reciprocals_ + place),
                                                                    _mm256_loadu_ps(seconds_ + place)));
    }
    return q;
  }

 private:
  Places places_;
  const float* limits_;
  const float* reciprocals_;
  const float* seconds_;
};

/// IEEE 754 division with a scale for each element, at `Places` in a tile, then rounded to `precision`. For float16 and
/// bfloat16 the second rounding is innocuous. float32 has 24 >= 2 * 11 + 2 bits. A quotient of bfloat16 numbers that is
/// not a midpoint of subnormal numbers is at least 2^-142 away from one, and the spacing of float32 numbers there is
/// 2^-149 (see portable/rounding.h).
template <ElementType precision, class Places>
class ByDivision {
 public:
  ByDivision(const float* scales, const Places& places) : places_(places), scales_(scales) {}

  TOUCHSTONE_INLINE Floats operator()(const Floats& x, std::int64_t first) const {
    Floats q;
    for (std::size_t i = 0; i < 4; ++i)
      q.part[i] = rounded_to<precision>(_mm256_div_ps(x.part[i], _mm256_loadu_ps(scales_ + places_(first, i))));
    return q;
  }

 private:
  Places places_;
  const float* scales_;
};

}  // namespace

}  // namespace touchstone::optimized
