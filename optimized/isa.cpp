#include "optimized/isa.h"

#include <cstdlib>

namespace touchstone::optimized {

namespace {

// The compiler's own test of CPUID, which also asks the operating system whether it saves the registers.
bool cpu_has_avx2() noexcept {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
#else
  return false;
#endif
}

Isa choose_default() noexcept {
  const Isa best = is_available(Isa::avx2) ? Isa::avx2 : Isa::portable;
  const char* named = std::getenv("TOUCHSTONE_ISA");
  if (named == nullptr) return best;
  const std::optional<Isa> isa = isa_from_name(named);
  return isa && is_available(*isa) ? *isa : best;
}

}  // namespace

bool is_available(Isa isa) noexcept {
  static const bool has_avx2 = cpu_has_avx2();
  return isa == Isa::portable || has_avx2;
}

Isa default_isa() noexcept {
  static const Isa isa = choose_default();
  return isa;
}

}  // namespace touchstone::optimized
