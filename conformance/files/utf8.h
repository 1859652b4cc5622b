// UTF-8, as the Unicode standard defines it.
#pragma once

#include <cstddef>
#include <string_view>

namespace touchstone::conformance {

/// The length in bytes of the first character; 0 if it is not well-formed as in table 3-7 of the Unicode standard (no
/// overlong forms, no surrogates, at most U+10FFFF).
constexpr std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto within = [](unsigned value, unsigned low, unsigned high) { return low <= value && value <= high; };
  if (text.empty()) return 0;
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0x80 ? 1 : within(lead, 0xC2, 0xDF) ? 2 : within(lead, 0xE0, 0xEF) ? 3 : 4;
  if (length == 4 && !within(lead, 0xF0, 0xF4)) return 0;
  const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (length > 1 && !within(byte(1), low, high)) return 0;
  for (std::size_t k = 2; k < length; ++k)
    if (!within(byte(k), 0x80, 0xBF)) return 0;
  return length;
}

}  // namespace touchstone::conformance
