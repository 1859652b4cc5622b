// The floating-point environment that kernels rely on.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#else
#include <cfenv>
#endif

namespace touchstone::optimized {

/// While it lives: round to nearest even, subnormals kept, no traps. Afterwards the caller's environment is back, its
/// exception flags included. The compiler does not know that arithmetic depends on it, and may move arithmetic across;
/// so it belongs around calls of functions that are compiled apart.
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
  // MXCSR: the rounding mode (bits 13 and 14) and the two that flush subnormals (6 and 15) are 0.
  static constexpr unsigned all_traps_masked = 0x1F80;
  unsigned saved_;
#else
  std::fenv_t saved_;
#endif
};

}  // namespace touchstone::optimized
