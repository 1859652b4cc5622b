// Splits any text into words as a shell does. Either std::invalid_argument describes the fault, or the words, quoted,
// are split into the same words again.
#include "tools/touchstone/shell_words.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/law.h"

using touchstone::tools::shell_words;

namespace {

std::string quoted(std::string_view word) {
  std::string text = "'";
  for (const char character : word)
    if (character == '\'')
      text += R"('\'')";
    else
      text += character;
  return text + '\'';
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::vector<std::string> words = shell_words({reinterpret_cast<const char*>(data), size});
    std::string again;
    for (const std::string& word : words) again += quoted(word) + " \t";
    touchstone::fuzz::require(shell_words(again) == words, "quoted words are split into the same words");
  } catch (const std::invalid_argument&) {
    return 0;
  }
  return 0;
}
