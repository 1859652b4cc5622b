#include "conformance/causes/messages.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "conformance/judge/mismatch.h"

namespace touchstone::conformance {

namespace {

/// Messages of at least this many words are similar if they differ in one.
constexpr std::size_t long_message = 8;

bool is_word(char character) { return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_'; }

/// Whether a word means an element type, in the spelling of any framework: float16, UINT8, bfloat16, FLOAT8E4M3FN, f32.
bool is_type_name(std::string_view word) {
  std::string lower;
  std::ranges::transform(word, std::back_inserter(lower), [](unsigned char c) { return std::tolower(c); });
  for (const std::string_view start : {"bfloat", "float", "uint", "int", "bf", "f", "i", "u", "double", "half"})
    if (lower.starts_with(start)) {
      std::string_view rest = std::string_view(lower).substr(start.size());
      return start.size() > 2 ? rest.empty() || std::isdigit(static_cast<unsigned char>(rest.front())) != 0
                              : !rest.empty() && rest.find_first_not_of("0123456789") == rest.npos;
    }
  return false;
}

/// A message that is built word by word.
class NormalizedMessage {
 public:
  const std::string& text() const { return text_; }

  void add_word(std::string_view word) {
    const bool has_digit = std::ranges::any_of(word, [](unsigned char c) { return std::isdigit(c) != 0; });
    if (is_type_name(word))
      add_detail("TYPE");
    else if (std::isdigit(static_cast<unsigned char>(word.front())) != 0)
      add_number();
    else if (has_digit)
      add_detail("NAME");
    else
      text_ += word;
  }

  /// What messages of the same kind may differ in.
  void add_detail(std::string_view detail) {
    text_ += detail;
    if (!open_.empty()) open_.back().has_detail = true;
  }

  /// What brackets enclose is a detail if it contains one: lists of operands, attributes and lengths.
  void add_sign(char sign) {
    text_ += sign;
    if (const std::size_t kind = opening.find(sign); kind != opening.npos && open_.size() < most_brackets)
      open_.push_back({closing[kind], text_.size(), false});
    const auto last = std::ranges::find(open_.rbegin(), open_.rend(), sign, &Bracket::closing);
    if (last == open_.rend()) return;
    const std::size_t start = last->start;
    const bool has_detail = std::any_of(open_.rbegin(), std::next(last), std::mem_fn(&Bracket::has_detail));
    open_.erase(std::prev(last.base()), open_.end());
    if (!has_detail) return;
    text_.resize(start);
    add_detail("...");
    text_ += sign;
  }

 private:
  struct Bracket {
    char closing;
    std::size_t start;  ///< of what it encloses
    bool has_detail;
  };

  static constexpr std::string_view opening = "([{<";
  static constexpr std::string_view closing = ")]}>";
  static constexpr std::size_t most_brackets = 16;

  /// "N, N" is the same as "N".
  void add_number() {
    const std::size_t last = text_.find_last_not_of(" ,");
    if (last != text_.npos && last + 1 < text_.size() && text_[last] == 'N')
      text_.resize(last + 1);
    else
      add_detail("N");
  }

  std::string text_;
  std::vector<Bracket> open_;  ///< that are not closed yet
};

}  // namespace

std::string_view message_with_size(const CaseRecord& record) {
  std::string_view text = *record.reason;
  text = text.substr(0, text.find("; the backend "));
  if (text.starts_with("data set "))
    if (const std::size_t colon = text.find(": "); colon != text.npos) text.remove_prefix(colon + 2);
  return text;
}

std::string_view message_of(const CaseRecord& record) {
  const std::string_view text = message_with_size(record);
  return record.verdict == Verdict::fail ? text.substr(0, text.find(size_mark)) : text;
}

std::string normalized_message(std::string_view message) {
  NormalizedMessage normalized;
  for (std::size_t i = 0; i < message.size();) {
    const char character = message[i];
    const std::size_t quoted = character == '\'' || character == '"' ? message.find(character, i + 1) : message.npos;
    if (quoted != message.npos) {
      normalized.add_detail("'...'");
      i = quoted + 1;
    } else if (is_word(character)) {
      std::size_t end = i;
      while (end < message.size() && is_word(message[end])) ++end;
      normalized.add_word(message.substr(i, end - i));
      i = end;
    } else {
      normalized.add_sign(character);
      ++i;
    }
  }
  return normalized.text();
}

bool are_similar(std::string_view one, std::string_view other) {
  auto left = std::views::split(one, ' ');
  auto right = std::views::split(other, ' ');
  std::size_t words = 0;
  std::size_t differing = 0;
  auto a = left.begin();
  auto b = right.begin();
  for (; a != left.end() && b != right.end() && differing < 2; ++a, ++b, ++words)
    differing += std::ranges::equal(*a, *b) ? 0 : 1;
  return a == left.end() && b == right.end() && differing < 2 && words >= long_message;
}

void Messages::add(const CaseRecord& record) {
  const std::string_view message = message_of(record);
  std::string text = normalized_message(message);
  auto found = groups_.find(text);
  if (found == groups_.end())
    found = groups_.try_emplace(text == message ? message : texts_.emplace_back(std::move(text))).first;
  if (found->second.count++ == 0) found->second.first = message;
}

std::string_view Messages::normalized(const CaseRecord& record) const {
  return groups_.find(normalized_message(message_of(record)))->first;
}

MessageGroups Messages::groups_of(std::span<const CaseRecord> records, const std::vector<std::size_t>& cases) const {
  MessageGroups groups;
  for (const std::size_t place : cases) {
    MessageGroup& group = groups[normalized(records[place])];
    if (group.count++ == 0) group.first = message_of(records[place]);
  }
  return groups;
}

}  // namespace touchstone::conformance
