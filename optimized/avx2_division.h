// Quotients of float32 numbers in vectors. Only for files that are compiled for AVX2, as avx2_vectors.h.
#pragma once

#include <cmath>
#include <cstdint>

#include "optimized/avx2_vectors.h"

namespace touchstone::optimized {

namespace {  // NOLINT: see avx2_vectors.h

/// A quotient this large saturates in every integer type, whatever the zero point.
constexpr float saturating_quotient = 0x1p18F;

/// x / scale for one scale, correctly rounded by one multiplication and two fused multiply-adds, where it is to be
/// rounded to an integer afterwards: quotients whose magnitude is below 1/4 are only known to be below 1/2, and those
/// above saturating_quotient to be above it, or NaN if they are negative, as they are if x is NaN.
///
///   r = RN(1 / s),  q0 = RN(x r),  e = RN(x - q0 s),  q = RN(q0 + e r)
///
/// That q = RN(x / s) is P. Markstein's theorem ("Computation of elementary functions on the IBM RISC System/6000
/// processor", IBM J. Res. Dev. 34 (1), 1990) if q0 is one of the two float32 numbers around x / s. It is not always
/// so here, hence the whole proof. Without loss of generality 1 <= x < 2 and 1 < s < 2 (for s = 1 all is exact); let
/// d = r - 1/s, |d| <= 2^-25, and u the distance of float32 numbers around x / s. Then x r = x/s + x d.
///
/// A) x >= s: u = 2^-23, |x d| < 2^-24 = u/2, so |q0 - x/s| < u.
/// B) x < s: u = 2^-24, |x d| < u, so |q0 - x/s| < 3u/2.
///
/// What is rounded last is q0 + e r = x/s + e d, if e is exact. Only if x / s is close to a midpoint m of two float32
/// numbers can e d matter. A quotient is never a midpoint: m is an odd number of 25 bits times a power of two, which
/// cannot divide x. So the multiple x - m s of 2^-24 u is not 0, and D = |x/s - m| >= 2^-24 u / s.
///
/// If q0 is next to m, then |e| <= s (u/2 + D), and e is exact: a multiple of 2^-23 u, and fewer than 2^24 of them. And
/// |e d| <= s (u/2 + D) 2^-25, which is less than D because s^2 < 4 (1 - s 2^-25) for every s < 2. So q0 + e r lies on
/// the same side of m as x / s.
///
/// If q0 is the number after next, which B alone allows, then |x r - m| >= u, hence D >= u - |x d|. Here |e d| is at
/// most 3/2 * 2^-48, and the error of e, if it is inexact, contributes at most as much: that needs s (1 + x) > 4, so
/// r < 3/4. For the sum to matter, D < 3 * 2^-48, so |x d| > u - 3 * 2^-48 and x > 2 - 3 * 2^-23. With x < s < 2 that
/// leaves only x = 2 - 2^-22 and s = 2 - 2^-23, whose quotient is 1 - 2^-24 but for 2^-47: close to a float32 number,
/// not to a midpoint.
///
/// Without that generality, exponents matter: with 2^-100 <= |s| <= 2^100, r is normal. For |x/s| >= 1/4, e is a
/// multiple of 2^-3 2^-23 |s| 2^-23 >= 2^-149 and so still exact; x is at most s * saturating_quotient, so nothing
/// overflows. For |x/s| < 1/4, q0 and e r are each off by a small fraction of 1/4.
class ByReciprocal {
 public:
  static bool is_proven_for(float scale) { return 0x1p-100F <= std::fabs(scale) && std::fabs(scale) <= 0x1p100F; }

  /// x / scale is -x / -scale: the quotient is taken for a positive scale.
  explicit ByReciprocal(float scale)
      : sign_(_mm256_and_ps(_mm256_set1_ps(scale), _mm256_set1_ps(-0.0F))),
        scale_(_mm256_set1_ps(std::fabs(scale))),
        reciprocal_(_mm256_set1_ps(1.0F / std::fabs(scale))),
        limit_(_mm256_set1_ps(std::fabs(scale) * saturating_quotient)) {}

  TOUCHSTONE_INLINE Floats operator()(const Floats& x, std::int64_t) const {
    Floats q;
    for (std::size_t i = 0; i < 4; ++i) {
      // NaN stays, being the second operand. A negative x needs no limit: what overflows becomes the lowest integer.
      const __m256 limited = _mm256_min_ps(limit_, _mm256_xor_ps(x.part[i], sign_));
      const __m256 approximate = _mm256_mul_ps(limited, reciprocal_);
      const __m256 rest = _mm256_fnmadd_ps(approximate, scale_, limited);
      q.part[i] = _mm256_fmadd_ps(rest, reciprocal_, approximate);
    }
    return q;
  }

 private:
  __m256 sign_;
  __m256 scale_;
  __m256 reciprocal_;
  __m256 limit_;
};

/// The division of IEEE 754, then rounded to `precision`. For float16 and bfloat16 the second rounding is innocuous:
/// float32 has 24 >= 2 * 11 + 2 bits; and no quotient of bfloat16 numbers lies as close as 2^-142 to a midpoint of
/// subnormal ones, though not on it, while the spacing of float32 numbers there is 2^-149 (see portable_rounding.h).
template <ElementType precision>
class ByDivision {
 public:
  explicit ByDivision(float scale) : scale_(_mm256_set1_ps(scale)) {}

  TOUCHSTONE_INLINE Floats operator()(const Floats& x, std::int64_t) const {
    Floats q;
    for (std::size_t i = 0; i < 4; ++i) q.part[i] = rounded_to<precision>(_mm256_div_ps(x.part[i], scale_));
    return q;
  }

 private:
  __m256 scale_;
};

/// The same with a scale for each element.
template <ElementType precision>
class ByDivisionInTile {
 public:
  explicit ByDivisionInTile(const float* scales) : scales_(scales) {}

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
