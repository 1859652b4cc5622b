// Loads and stores elements in packed bytes, one or many at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "spec/element_type.h"

namespace touchstone::optimized {

static_assert(std::endian::native == std::endian::little, "kernels read and write elements as the host stores them");

/// The number of elements that are handled at a time. A few arrays of this size stay in the first-level cache. It is a
/// multiple of 4, so that a tile begins at a whole byte in every type.
inline constexpr std::int64_t tile_size = 256;

// The functions are static. Otherwise the linker could merge copies from object files compiled for different CPUs.

/// The code of one element.
template <int bits>
static inline std::uint32_t load_code(const std::byte* bytes, std::int64_t index) {
  if constexpr (bits >= 8) {
    std::uint32_t code = 0;
    std::memcpy(&code, bytes + index * (bits / 8), bits / 8);
    return code;
  } else {
    const std::int64_t first_bit = index * bits;
    const int shift = static_cast<int>(first_bit % 8);
    const std::byte* byte = bytes + first_bit / 8;
    std::uint32_t code = std::to_integer<std::uint32_t>(*byte) >> shift;
    if (shift + bits > 8) code |= std::to_integer<std::uint32_t>(byte[1]) << (8 - shift);
    return code & ((1U << bits) - 1);
  }
}

/// Writes codes from element `first` on, which must begin at a whole byte. Bits after the last code, up to the end of
/// its byte, become zero.
template <int bits>
static inline void store_codes(const std::uint32_t* codes, std::int64_t first, std::int64_t count, std::byte* bytes) {
  std::byte* out = bytes + first * bits / 8;
  if constexpr (bits >= 8) {
    for (std::int64_t i = 0; i < count; ++i) std::memcpy(out + i * (bits / 8), &codes[i], bits / 8);
  } else {
    std::uint32_t pending = 0;
    int pending_bits = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      pending |= (codes[i] & ((1U << bits) - 1)) << pending_bits;
      pending_bits += bits;
      if (pending_bits < 8) continue;
      *out++ = static_cast<std::byte>(pending & 0xFF);
      pending >>= 8;
      pending_bits -= 8;
    }
    if (pending_bits > 0) *out = static_cast<std::byte>(pending & 0xFF);
  }
}

}  // namespace touchstone::optimized
