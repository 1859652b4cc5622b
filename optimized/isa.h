// Which instruction set the kernels use.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace touchstone::optimized {

enum class Isa : std::uint8_t {
  portable,  ///< standard C++, as the compiler makes it for the oldest CPU it targets
  avx2,      ///< AVX2, FMA and F16C
};

constexpr std::string_view name(Isa isa) { return isa == Isa::avx2 ? "avx2" : "portable"; }

/// The instruction set of that name; nothing if there is none.
constexpr std::optional<Isa> isa_from_name(std::string_view text) {
  for (const Isa isa : {Isa::portable, Isa::avx2})
    if (text == name(isa)) return isa;
  return std::nullopt;
}

/// Whether this build has kernels for the instruction set, and this CPU and operating system run them.
bool is_available(Isa isa) noexcept;

/// What the environment variable TOUCHSTONE_ISA says now; empty if it is empty or not set, which is the same.
std::string_view isa_of_environment() noexcept;

/// The one that is used unless a call asks for another: what TOUCHSTONE_ISA names, if it is available, otherwise the
/// best that is. The variable is read once, on first use.
Isa default_isa() noexcept;

}  // namespace touchstone::optimized
