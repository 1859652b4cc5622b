#include "tools/touchstone/shell_words.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace touchstone::tools {

namespace {

constexpr std::string_view blanks = " \t\n";
/// The characters that a backslash quotes between double quotes; before others it is an ordinary character.
constexpr std::string_view special_in_double_quotes = "$`\"\\\n";

class Splitter {
 public:
  explicit Splitter(std::string_view command) : rest_(command) {}

  std::vector<std::string> split() {
    while (!rest_.empty()) {
      const char next = take();
      if (blanks.find(next) != std::string_view::npos)
        in_word_ = false;
      else if (next == '#' && !in_word_)
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      else if (next == '\'')
        take_single_quoted();
      else if (next == '"')
        take_double_quoted();
      else if (next == '\\')
        take_escaped();
      else
        add(next);
    }
    return std::move(words_);
  }

 private:
  char take() {
    const char next = rest_.front();
    rest_.remove_prefix(1);
    return next;
  }

  /// The current word. Quotes start a word even if nothing is between them: '' is an empty word.
  std::string& word() { return std::exchange(in_word_, true) ? words_.back() : words_.emplace_back(); }
  void add(char character) { word() += character; }

  void take_single_quoted() {
    const std::size_t end = rest_.find('\'');
    if (end == std::string_view::npos) throw std::invalid_argument("a single quote is not closed");
    word() += rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
  }

  void take_double_quoted() {
    for (word(); !rest_.empty();) {
      char next = take();
      if (next == '"') return;
      if (next == '\\' && !rest_.empty() && special_in_double_quotes.find(rest_.front()) != std::string_view::npos) {
        next = take();
        if (next == '\n') continue;
      }
      add(next);
    }
    throw std::invalid_argument("a double quote is not closed");
  }

  void take_escaped() {
    if (rest_.empty()) throw std::invalid_argument("it ends in a backslash that quotes nothing");
    if (const char next = take(); next != '\n') add(next);
  }

  std::string_view rest_;
  std::vector<std::string> words_;
  bool in_word_ = false;  ///< the last word is not complete
};

}  // namespace

std::vector<std::string> shell_words(std::string_view command) {
  if (command.find('\0') != std::string_view::npos) throw std::invalid_argument("it has a zero byte");
  return Splitter(command).split();
}

}  // namespace touchstone::tools
