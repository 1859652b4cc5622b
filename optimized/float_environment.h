// The floating-point environment that kernels rely on.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#else
#include <cfenv>
#endif

namespace touchstone::optimized {

/// While an object lives, the environment rounds to nearest even, keeps subnormals and has no traps. The destructor
/// restores the caller's environment, including its exception flags. The compiler does not know that arithmetic depends
/// on it and may move arithmetic across, so use it only around calls of separately compiled functions.
class FloatEnvironment {
 public:
#if defined(__SSE2__)
  FloatEnvironment() noexcept : saved_(_mm_getcsr()) { _mm_setcsr(all_traps_masked); }
  ~FloatEnvironment() { _mm_setcsr(saved_); }
#else
  FloatEnvironment() noexcept {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FloatEnvironment() { std::fesetenv(&saved_); }
#endif
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
#if defined(__SSE2__)
  // The rounding mode (bits 13 and 14 of MXCSR) and the two bits that flush subnormals (6 and 15) are 0.
  static constexpr unsigned all_traps_masked = 0x1F80;
  unsigned saved_;
#else
  std::fenv_t saved_;
#endif
};

}  // namespace touchstone::optimized
