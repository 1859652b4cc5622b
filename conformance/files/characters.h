// Characters in UTF-8 as the Unicode standard defines it, and the characters that are invisible or that make a text
// look like another one.
#pragma once

#include <algorithm>
#include <array>
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

/// A range of characters in UTF-8. Characters of the same length sort like their code points.
struct CharacterRange {
  std::string_view first;
  std::string_view last;

  constexpr bool has(std::string_view character) const {
    return character.size() == first.size() && first <= character && character <= last;
  }
};

/// Controls; the characters that Unicode calls default ignorable (DerivedCoreProperties.txt), including unassigned
/// ones; and characters that are blank or separate lines but are not spaces.
inline constexpr std::array hidden_characters{
    CharacterRange{std::string_view("\0", 1), "\x1F"},       // C0 controls
    CharacterRange{"\x7F", "\x7F"},                          // delete
    CharacterRange{"\xC2\x80", "\xC2\x9F"},                  // C1 controls: some terminals interpret them
    CharacterRange{"\xC2\xAD", "\xC2\xAD"},                  // U+00AD: soft hyphen
    CharacterRange{"\xCD\x8F", "\xCD\x8F"},                  // U+034F: combining grapheme joiner
    CharacterRange{"\xD8\x9C", "\xD8\x9C"},                  // U+061C: Arabic letter mark
    CharacterRange{"\xE1\x85\x9F", "\xE1\x85\xA0"},          // U+115F to U+1160: Hangul fillers
    CharacterRange{"\xE1\x9E\xB4", "\xE1\x9E\xB5"},          // U+17B4 to U+17B5: Khmer vowels that are not written
    CharacterRange{"\xE1\xA0\x8B", "\xE1\xA0\x8F"},          // U+180B to U+180F: Mongolian selectors and separator
    CharacterRange{"\xE2\x80\x8B", "\xE2\x80\x8F"},          // U+200B to U+200F: zero width, direction marks
    CharacterRange{"\xE2\x80\xA8", "\xE2\x80\xAE"},          // U+2028 to U+202E: separators, embeddings and overrides
    CharacterRange{"\xE2\x81\xA0", "\xE2\x81\xAF"},          // U+2060 to U+206F: invisible operators, isolates
    CharacterRange{"\xE2\xA0\x80", "\xE2\xA0\x80"},          // U+2800: Braille blank
    CharacterRange{"\xE3\x85\xA4", "\xE3\x85\xA4"},          // U+3164: Hangul filler
    CharacterRange{"\xEF\xB8\x80", "\xEF\xB8\x8F"},          // U+FE00 to U+FE0F: variation selectors
    CharacterRange{"\xEF\xBB\xBF", "\xEF\xBB\xBF"},          // U+FEFF: byte order mark
    CharacterRange{"\xEF\xBE\xA0", "\xEF\xBE\xA0"},          // U+FFA0: halfwidth Hangul filler
    CharacterRange{"\xEF\xBF\xB0", "\xEF\xBF\xBB"},          // U+FFF0 to U+FFFB: annotations
    CharacterRange{"\xF0\x9B\xB2\xA0", "\xF0\x9B\xB2\xA3"},  // U+1BCA0 to U+1BCA3: shorthand format controls
    CharacterRange{"\xF0\x9D\x85\xB3", "\xF0\x9D\x85\xBA"},  // U+1D173 to U+1D17A: musical format controls
    CharacterRange{"\xF3\xA0\x80\x80", "\xF3\xA0\xBF\xBF"},  // U+E0000 to U+E0FFF: tags, variation selectors
};

constexpr bool is_hidden(std::string_view character) {
  return std::any_of(hidden_characters.begin(), hidden_characters.end(),
                     [=](const CharacterRange& range) { return range.has(character); });
}

}  // namespace touchstone::conformance
