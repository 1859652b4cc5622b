#include "conformance/files/file_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "conformance/files/utf8.h"

namespace touchstone::conformance {

namespace {

/// Characters, by their UTF-8, of which a terminal shows nothing, or something else than what stands there. Bytes of
/// one length sort as the code points do.
struct Range {
  std::string_view first;
  std::string_view last;
};

constexpr std::array hidden{
    Range{std::string_view("\0", 1), "\x1F"},  // C0 controls
    Range{"\x7F", "\x7F"},                     // delete
    Range{"\xC2\x80", "\xC2\x9F"},             // C1 controls: some terminals obey them
    Range{"\xE2\x80\x8B", "\xE2\x80\x8F"},     // U+200B to U+200F: zero width, marks of direction
    Range{"\xE2\x80\xA8", "\xE2\x80\xAE"},     // U+2028 to U+202E: separators, embeddings and overrides
    Range{"\xE2\x81\xA0", "\xE2\x81\xAF"},     // U+2060 to U+206F: invisible operators, isolates
    Range{"\xEF\xBB\xBF", "\xEF\xBB\xBF"},     // U+FEFF: byte order mark
};

bool is_hidden(std::string_view character) {
  return std::any_of(hidden.begin(), hidden.end(), [=](const Range& range) {
    return range.first.size() == character.size() && range.first <= character && character <= range.last;
  });
}

}  // namespace

std::string printable(std::string_view text, std::size_t limit) {
  constexpr std::string_view ellipsis = "...";
  std::string result;
  std::size_t with_ellipsis = 0;  // how much of the result leaves room for it
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(utf8_length(text), 1);
    const std::string_view character = text.substr(0, length);
    if (utf8_length(text) > 0 && !is_hidden(character))
      result += character;
    else
      for (const char byte : character) result += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    if (result.size() > limit) return result.substr(0, with_ellipsis).append(ellipsis.substr(0, limit));
    if (result.size() + ellipsis.size() <= limit) with_ellipsis = result.size();
    text.remove_prefix(length);
  }
  return result;
}

std::string in_quotes(std::string_view text) { return "\"" + printable(text, 100) + "\""; }

}  // namespace touchstone::conformance
