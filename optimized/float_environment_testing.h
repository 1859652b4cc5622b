// For tests: floating-point environments that a caller may have set.
#pragma once

#include <cfenv>
#include <cstdint>
#include <vector>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace touchstone::optimized {

/// A floating-point environment that a caller may have set. Results must not depend on it.
struct Environment {
  int rounding = FE_TONEAREST;
  bool flushes = false;  ///< subnormal operands and results
  bool traps = false;    ///< every exception raises a signal

  bool operator==(const Environment&) const = default;
};

inline std::vector<Environment> environments() {
  std::vector<Environment> all;
  for (const int rounding : {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO})
    for (const bool flushes : {false, true})
      for (const bool traps : {false, true}) all.push_back({rounding, flushes, traps});
  return all;
}

/// Runs `call` in an environment. Returns whether the call restored it, including the exception flags.
template <class Call>
bool is_restored_by(const Environment& environment, Call call) {
  std::fenv_t saved;
  std::fegetenv(&saved);
  std::fesetround(environment.rounding);
#if defined(__SSE2__)
  unsigned control = _mm_getcsr() & ~0x3FU;
  if (environment.flushes) control |= 0x8040U;
  if (environment.traps) control &= ~0x1F80U;
  _mm_setcsr(control);
  call();
  const bool restored = _mm_getcsr() == control;
#elif defined(__aarch64__)
  std::uint64_t control = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  if (environment.flushes) control |= std::uint64_t{1} << 24;
  asm volatile("msr fpcr, %0" : : "r"(control));
  call();
  std::uint64_t after = 0;
  asm volatile("mrs %0, fpcr" : "=r"(after));
  const bool restored = after == control;
#else
  call();
  const bool restored = std::fegetround() == environment.rounding;
#endif
  std::fesetenv(&saved);
  return restored;
}

}  // namespace touchstone::optimized
