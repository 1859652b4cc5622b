// Quotients of float32 numbers in vectors. Only for files that are compiled for AVX2, as avx2/vectors.h.
#pragma once

#include <cstdint>

#include "optimized/avx2/parameters.h"
#include "optimized/avx2/vectors.h"

namespace touchstone::optimized {

namespace {  // NOLINT: see avx2/vectors.h

/// A quotient this large, a power of two, saturates in the type: of integers whatever the zero point, of floating-point
/// numbers if it is 0.
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

/// Scales prepared for the division x / s by multiplication and fused multiply-add.
///
/// Quotients are rounded to integers, or to small floating-point numbers, afterwards: what matters is that a quotient
/// is on the right side of every tie, or is one. It is said below, of each way, why this is so for scales with 2^-70
/// <= s <= 2^60. x is limited to s * saturating_quotient, so nothing overflows. Of integers only from above: a
/// negative x that is too low gives a quotient that is too low, or NaN; both become the lowest integer, as NaN does.
///
/// Without loss of generality 1 <= x < 2 and 1 < s < 2 (for s = 1 all is exact); let r = RN(1 / s), which is off by at
/// most 2^-25; u the distance of float32 numbers around x / s; and m a midpoint of two of them. A quotient is never a
/// midpoint: m is an odd number of 25 bits times a power of two, which cannot divide x. So x - m s is not 0, and being
/// a multiple of 2^-24 u, D = |x/s - m| >= 2^-24 u / s. We have u = 2^-23 if x >= s (A), and u = 2^-24 if x < s (B).
///
/// Two words, for types of at most 8 bits (N. Brisebarre, J.-M. Muller, S. K. Raina, "Accelerating correctly rounded
/// floating-point division when the divisor is known in advance", IEEE Trans. Computers 53 (8), 2004):
///
///   l = RN((1 - r s) / s),  q = RN(x r + RN(x l))
///
/// 1 - r s is exact. |l| <= 2^-25, so l is off from 1/s - r by at most 2^-50, and |x l| < 2^-24 is rounded by at most
/// 2^-49: q is a number rounded once that is off from x / s by less than 2 * 2^-50 + 2^-49 = 2^-48.
/// A) D >= 2^-47 / s > 2^-48: no midpoint is in between, and q = RN(x / s).
/// B) If a midpoint m is in between, q is the one of its two neighbours that RN(x / s) is not. That is harmless unless
/// one of them is a tie t, which has at most 9 significant bits (k + 1/2 < 2^8; of small floating-point types 5). Then
/// m = t -+ 2^-25, and x - m s = (x - t s) +- 2^-25 s is the sum of a multiple of 2^-32 and 2^-32 (2^7 s), where 2^7 s
/// is a multiple of 2^-16. If 2^7 s is an integer, or further than 2^-16 from one, then |x - m s| >= 2^-47, and so
/// D > 2^-48 as in A. There remain the scales at just 2^-16, whose significands end in 15 zeros and a one or in 16
/// ones: 256 of them, with 257 ties. A test tries them all (division_test.cpp, OfTheScalesThatTheProofLeavesOut).
/// Exponents: q matters from the smallest tie, 2^-18, on. There x >= 2^-88; and 1 - r s is 0, or a multiple of 2^-48,
/// so l >= 2^-108 and x l >= 2^-66: all are normal numbers. A smaller quotient is off by a small fraction. Sums with a
/// zero point are rounded again, so of floating-point types it has to be +0. That makes +0 of -0, and so it matters
/// which quotients are 0: those up to 2^-150. For s < 2 none is but that of x = 0, and x r > 2^-150 as well; other
/// scales, and that zero point, are left to the division. If float16 or bfloat16 is the type of the division, then that
/// of x and s, and q is rounded to it: see ByDivision. Since x / s is 2^-23 of itself or more away from any of its
/// midpoints, it does not matter which neighbour q is.
///
/// With a remainder, for types of 16 bits:
///
///   p = RN(x r),  e = RN(x - p s),  q = RN(p + e r)
///
/// That q = RN(x / s) is P. Markstein's theorem ("Computation of elementary functions on the IBM RISC System/6000
/// processor", IBM J. Res. Dev. 34 (1), 1990) if p is one of the two float32 numbers around x / s. It is not always so
/// here, hence the whole proof. Let d = r - 1/s. Then x r = x/s + x d.
/// A) |x d| < 2^-24 = u/2, so |p - x/s| < u.
/// B) |x d| < u, so |p - x/s| < 3u/2.
/// What is rounded last is p + e r = x/s + e d, if e is exact. Only if x / s is close to a midpoint m can e d matter.
/// If p is next to m, then |e| <= s (u/2 + D), and e is exact: a multiple of 2^-23 u, and fewer than 2^24 of them. And
/// |e d| <= s (u/2 + D) 2^-25, which is less than D because s^2 < 4 (1 - s 2^-25) for every s < 2. So p + e r lies on
/// the same side of m as x / s.
/// If p is the number after next, which B alone allows, then |x r - m| >= u, hence D >= u - |x d|. Here |e d| is at
/// most 3/2 * 2^-48, and the error of e, if it is inexact, contributes at most as much: that needs s (1 + x) > 4, so r
/// < 3/4. For the sum to matter, D < 3 * 2^-48, so |x d| > u - 3 * 2^-48 and x > 2 - 3 * 2^-23. With x < s < 2 that
/// leaves only x = 2 - 2^-22 and s = 2 - 2^-23, whose quotient is 1 - 2^-24 but for 2^-47: close to a float32 number,
/// not to a midpoint. Exponents: for x/s >= 1/4, e is a multiple of 2^-3 2^-23 s 2^-23 >= 2^-119, and so still exact.
/// For x/s < 1/4, p and e r are each off by a small fraction of 1/4.
///
/// So no subnormal number decides an output that is an integer, and all of this holds with FlushedSubnormals, too.
template <ElementType type>
class Reciprocals {
 public:
  /// For the first `count` parameters, at most parameters_of_row. `has_zero_point`: the zero points are added.
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

  /// Whether quotients are right, of all of these scales.
  bool are_proven() const { return are_proven_; }

  /// Of a vector of x, and vectors of what belongs to their scales. To floating-point types, that of the magnitude.
  TOUCHSTONE_INLINE static __m256 quotient(__m256 x, __m256 limit, __m256 reciprocal, __m256 second) {
    if constexpr (!spec::is_integer(type)) x = _mm256_andnot_ps(_mm256_set1_ps(-0.0F), x);
    const __m256 limited = _mm256_min_ps(limit, x);  // NaN stays, being the second operand
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
  alignas(32) float seconds_[parameters_of_row];  // l, or s
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

/// The same with a scale for each element.
template <ElementType type, ElementType precision>
class ByReciprocalInTile {
 public:
  explicit ByReciprocalInTile(const Reciprocals<type>& scales)
      : limits_(scales.limits()), reciprocals_(scales.reciprocals()), seconds_(scales.seconds()) {}

  TOUCHSTONE_INLINE Floats operator()(const Floats& x, std::int64_t first) const {
    Floats q;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::int64_t place = first + static_cast<std::int64_t>(8 * i);
      q.part[i] = rounded_to<precision>(Reciprocals<type>::quotient(x.part[i], _mm256_loadu_ps(limits_ + place),
                                                                    _mm256_loadu_ps(reciprocals_ + place),
                                                                    _mm256_loadu_ps(seconds_ + place)));
    }
    return q;
  }

 private:
  const float* limits_;
  const float* reciprocals_;
  const float* seconds_;
};

/// The division of IEEE 754 by a scale for each element, then rounded to `precision`. For float16 and bfloat16 the
/// second rounding is innocuous: float32 has 24 >= 2 * 11 + 2 bits; and no quotient of bfloat16 numbers lies as close
/// as 2^-142 to a midpoint of subnormal ones, though not on it, while the spacing of float32 numbers there is 2^-149
/// (see portable/rounding.h).
template <ElementType precision>
class ByDivision {
 public:
  explicit ByDivision(const float* scales) : scales_(scales) {}

  TOUCHSTONE_INLINE Floats operator()(const Floats& x, std::int64_t first) const {
    const Floats scales = load_floats(scales_ + first);
    Floats q;
    for (std::size_t i = 0; i < 4; ++i) q.part[i] = rounded_to<precision>(_mm256_div_ps(x.part[i], scales.part[i]));
    return q;
  }

 private:
  const float* scales_;
};

}  // namespace

}  // namespace touchstone::optimized
