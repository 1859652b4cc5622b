#include "optimized/isa.h"

#include <cstdlib>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace touchstone::optimized {

namespace {

#if defined(__x86_64__)
/// The compiler's CPUID test also asks whether the operating system saves the registers. Not every compiler has a name
/// for F16C, so that bit is read here.
bool cpu_has_avx2() noexcept {
  __builtin_cpu_init();
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  const bool has_f16c = __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
  return has_f16c && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#else
bool cpu_has_avx2() noexcept { return false; }
#endif

Isa choose_default() noexcept {
  const Isa best = is_available(Isa::avx2) ? Isa::avx2 : Isa::portable;
  const std::optional<Isa> isa = isa_from_name(isa_of_environment());
  return isa && is_available(*isa) ? *isa : best;
}

}  // namespace

bool is_available(Isa isa) noexcept {
  static const bool has_avx2 = cpu_has_avx2();
  return isa == Isa::portable || (isa == Isa::avx2 && has_avx2);
}

std::string_view isa_of_environment() noexcept {
  const char* text = std::getenv("TOUCHSTONE_ISA");
  return text == nullptr ? std::string_view() : text;
}

Isa default_isa() noexcept {
  static const Isa isa = choose_default();
  return isa;
}

}  // namespace touchstone::optimized
