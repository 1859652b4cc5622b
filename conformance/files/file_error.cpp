#include "conformance/files/file_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "conformance/files/characters.h"

namespace touchstone::conformance {

bool is_failure_of_device(const std::error_code& error) {
  return error == std::errc::no_space_on_device || error == std::errc::io_error || error.value() == EDQUOT;
}

std::string printable(std::string_view text, std::size_t limit) {
  constexpr std::string_view ellipsis = "...";
  std::string result;
  std::size_t with_ellipsis = 0;  // the length of the result that leaves room for the ellipsis
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
