// Characters of which nothing is seen, or that let a text be seen as another one.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace touchstone::conformance {

/// Characters by their UTF-8. Those of one length sort as the code points do.
struct CharacterRange {
  std::string_view first;
  std::string_view last;

  constexpr bool has(std::string_view character) const {
    return character.size() == first.size() && first <= character && character <= last;
  }
};

inline constexpr std::array hidden_characters{
    CharacterRange{std::string_view("\0", 1), "\x1F"},       // C0 controls
    CharacterRange{"\x7F", "\x7F"},                          // delete
    CharacterRange{"\xC2\x80", "\xC2\x9F"},                  // C1 controls: some terminals obey them
    CharacterRange{"\xC2\xAD", "\xC2\xAD"},                  // U+00AD: soft hyphen
    CharacterRange{"\xD8\x9C", "\xD8\x9C"},                  // U+061C: Arabic letter mark
    CharacterRange{"\xE1\xA0\x8E", "\xE1\xA0\x8E"},          // U+180E: Mongolian vowel separator
    CharacterRange{"\xE2\x80\x8B", "\xE2\x80\x8F"},          // U+200B to U+200F: zero width, marks of direction
    CharacterRange{"\xE2\x80\xA8", "\xE2\x80\xAE"},          // U+2028 to U+202E: separators, embeddings and overrides
    CharacterRange{"\xE2\x81\xA0", "\xE2\x81\xAF"},          // U+2060 to U+206F: invisible operators, isolates
    CharacterRange{"\xEF\xBB\xBF", "\xEF\xBB\xBF"},          // U+FEFF: byte order mark
    CharacterRange{"\xEF\xBF\xB9", "\xEF\xBF\xBB"},          // U+FFF9 to U+FFFB: annotations
    CharacterRange{"\xF3\xA0\x80\x80", "\xF3\xA0\x81\xBF"},  // U+E0000 to U+E007F: tags
};

constexpr bool is_hidden(std::string_view character) {
  return std::any_of(hidden_characters.begin(), hidden_characters.end(),
                     [=](const CharacterRange& range) { return range.has(character); });
}

}  // namespace touchstone::conformance
