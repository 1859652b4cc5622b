#include "conformance/report/text.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "conformance/run/record_json.h"

namespace touchstone::conformance {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Characters from `first` to `last`: the order of UTF-8 is that of its bytes.
struct CharacterRange {
  std::string_view first;
  std::string_view last;
};

constexpr std::array forbidden{
    CharacterRange{"\xC2\x80", "\xC2\x9F"},          // U+0080 to U+009F: among them one that is ESC [ for a terminal
    CharacterRange{"\xE2\x80\xA8", "\xE2\x80\xAE"},  // U+2028 to U+202E: end lines, turn the direction of the text
    CharacterRange{"\xE2\x81\xA6", "\xE2\x81\xA9"},  // U+2066 to U+2069: turn it, too
    CharacterRange{"\xEF\xBF\xBE", "\xEF\xBF\xBF"},  // U+FFFE and U+FFFF: not in XML
};

bool is_forbidden(std::string_view character) {
  return std::any_of(forbidden.begin(), forbidden.end(), [&](const CharacterRange& range) {
    return character.size() == range.first.size() && range.first <= character && character <= range.last;
  });
}

std::size_t length_of_character(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

/// U+2400 + n is the picture of the control character n; that of DEL is U+2421.
std::string picture(char control) {
  const int code = control == '\x7F' ? 0x21 : control;
  return {'\xE2', '\x90', static_cast<char>(0x80 + code)};
}

bool is_control(char character) { return static_cast<unsigned char>(character) < 0x20 || character == '\x7F'; }

std::string displayed_but(const std::string& text, std::string_view kept) {
  const std::string valid = valid_utf8(text);
  std::string result;
  for (std::size_t i = 0; i < valid.size();) {
    const std::string_view character = std::string_view(valid).substr(i, length_of_character(valid[i]));
    if (is_control(character[0]) && kept.find(character[0]) == std::string_view::npos)
      result += picture(character[0]);
    else
      result += is_forbidden(character) ? replacement : character;
    i += character.size();
  }
  return result;
}

}  // namespace

std::string valid_utf8(const std::string& text) { return Json::parse(to_line(Json(text))).get<std::string>(); }

std::string displayed(const std::string& text) { return displayed_but(text, "\n\t"); }

std::string displayed_line(const std::string& text) { return displayed_but(text, ""); }

}  // namespace touchstone::conformance
