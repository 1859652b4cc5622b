#include "conformance/files/file_error.h"

namespace touchstone::conformance {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 100;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result = "\"";
  for (const char character : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte >= 0x20 && byte < 0x7F) {
      result += character;
    } else {
      result += "\\x";
      result += digits[byte >> 4];
      result += digits[byte & 0xF];
    }
  }
  return result + (text.size() > longest ? "...\"" : "\"");
}

}  // namespace touchstone::conformance
