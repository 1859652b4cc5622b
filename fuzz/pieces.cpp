#include "fuzz/pieces.h"

#include <FuzzedDataProvider.h>

namespace touchstone::fuzz {

// Uses the string encoding of FuzzedDataProvider: a backslash is doubled, and one followed by any other letter ends the
// text.

std::vector<std::string> pieces_of(const std::uint8_t* data, std::size_t size, std::size_t most) {
  FuzzedDataProvider provider(data, size);
  std::vector<std::string> pieces;
  while (pieces.size() < most && provider.remaining_bytes() > 0) pieces.push_back(provider.ConsumeRandomLengthString());
  return pieces;
}

void append_piece(std::string& input, std::string_view text) {
  for (const char letter : text) {
    input += letter;
    if (letter == '\\') input += letter;
  }
  input += "\\.";
}

}  // namespace touchstone::fuzz
