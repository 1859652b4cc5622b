// The instruction sets of the kernels, and how one is chosen.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace touchstone::optimized {

enum class Isa : std::uint8_t {
  portable,  ///< standard C++, compiled for the oldest CPU that the compiler targets
  avx2,      ///< AVX2, FMA and F16C
};

constexpr std::string_view name(Isa isa) { return isa == Isa::avx2 ? "avx2" : "portable"; }

/// The instruction set with that name; std::nullopt if there is none.
constexpr std::optional<Isa> isa_from_name(std::string_view text) {
  for (const Isa isa : {Isa::portable, Isa::avx2})
    if (text == name(isa)) return isa;
  return std::nullopt;
}

/// Whether this build has kernels for the instruction set, and this CPU and operating system can run them.
bool is_available(Isa isa) noexcept;

/// The current value of the environment variable TOUCHSTONE_ISA; empty if it is not set.
std::string_view isa_of_environment() noexcept;

/// The instruction set for calls that do not specify one: the value of TOUCHSTONE_ISA if it is available, otherwise the
/// best available one. The variable is read once, on first use.
Isa default_isa() noexcept;

}  // namespace touchstone::optimized
