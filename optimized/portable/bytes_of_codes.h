// Packed codes of 2 and 4 bits from and to one byte per code. Compilers vectorize these loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace touchstone::optimized {

/// The codes of one packed byte, a byte each.
template <int bits>
using CodesOfByte = std::conditional_t<bits == 4, std::uint16_t, std::uint32_t>;

/// Writes at least `count` codes, up to the end of the last packed byte.
template <int bits>
void unpack(const std::byte* packed, std::int64_t count, std::byte* codes) {
  using Codes = CodesOfByte<bits>;
  const std::int64_t bytes = (count * bits + 7) / 8;
  for (std::int64_t i = 0; i < bytes; ++i) {
    const std::uint32_t byte = std::to_integer<std::uint32_t>(packed[i]);
    const auto group = bits == 4 ? static_cast<Codes>((byte | byte << 4) & 0x0F0FU)
                                 : static_cast<Codes>((byte | byte << 6 | byte << 12 | byte << 18) & 0x03030303U);
    std::memcpy(codes + i * std::int64_t{sizeof group}, &group, sizeof group);
  }
}

/// Packs codes without bits above their width, up to the end of the last packed byte.
template <int bits>
void pack(const std::byte* codes, std::int64_t count, std::byte* packed) {
  const std::int64_t bytes = (count * bits + 7) / 8;
  for (std::int64_t i = 0; i < bytes; ++i) {
    CodesOfByte<bits> group = 0;
    std::memcpy(&group, codes + i * std::int64_t{sizeof group}, sizeof group);
    const std::uint32_t all = group;
    packed[i] = static_cast<std::byte>(bits == 4 ? all | all >> 4 : all | all >> 6 | all >> 12 | all >> 18);
  }
}

/// `bits` is 2 or 4.
inline void unpack(int bits, const std::byte* packed, std::int64_t count, std::byte* codes) {
  if (bits == 4) return unpack<4>(packed, count, codes);
  unpack<2>(packed, count, codes);
}

/// As above. There must be space for three more codes.
inline void pack(int bits, std::byte* codes, std::int64_t count, std::byte* packed) {
  std::memset(codes + count, 0, 3);
  if (bits == 4) return pack<4>(codes, count, packed);
  pack<2>(codes, count, packed);
}

}  // namespace touchstone::optimized
