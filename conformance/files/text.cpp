#include "conformance/files/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "conformance/files/characters.h"
#include "conformance/files/json_text.h"

namespace touchstone::conformance {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

constexpr CharacterRange not_in_xml{"\xEF\xBF\xBE", "\xEF\xBF\xBF"};  // U+FFFE and U+FFFF

/// U+2400 + n is the picture of the control character n; that of DEL is U+2421.
std::string picture(char control) {
  const int code = control == '\x7F' ? 0x21 : control;
  return {'\xE2', '\x90', static_cast<char>(0x80 + code)};
}

bool is_control(char character) { return static_cast<unsigned char>(character) < 0x20 || character == '\x7F'; }

std::string displayed_but(const std::string& text, std::string_view kept) {
  const std::string valid = valid_utf8(text);
  std::string result;
  for (std::string_view rest = valid; !rest.empty();) {
    const std::string_view character = rest.substr(0, utf8_length(rest));
    if (is_control(character[0]))
      result += kept.find(character[0]) == std::string_view::npos ? picture(character[0]) : std::string(character);
    else
      result += is_hidden(character) || not_in_xml.has(character) ? replacement : character;
    rest.remove_prefix(character.size());
  }
  return result;
}

}  // namespace

std::string valid_utf8(const std::string& text) { return Json::parse(to_line(Json(text))).get<std::string>(); }

std::string displayed(const std::string& text) { return displayed_but(text, "\n\t"); }

std::string displayed_line(const std::string& text) { return displayed_but(text, ""); }

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    lines.push_back(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(lines.back().size() + 1, text.size()));
  }
  return lines;
}

std::string indented(std::string_view text, std::string_view indent) {
  std::string lines;
  do {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines += fmt::format("{}{}\n", indent, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  } while (!text.empty());
  return lines;
}

}  // namespace touchstone::conformance
