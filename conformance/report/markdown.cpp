#include "conformance/report/markdown.h"

#include <fmt/format.h>

#include "conformance/files/text.h"

namespace touchstone::conformance {

namespace {

/// The position of the character that makes the line a list item, a heading or a rule.
std::size_t place_of_block_mark(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(' ');
  if (begin == std::string_view::npos) return begin;
  if (std::string_view("-+=:").find(line[begin]) != std::string_view::npos) return begin;
  const std::size_t end = line.find_first_not_of("0123456789", begin);
  return end != std::string_view::npos && end > begin && line[end] == '.' ? end : std::string_view::npos;
}

}  // namespace

std::string escaped(const std::string& text, Mentions mentions) {
  constexpr std::string_view special = "\\`*_{}[]()#|~!$";
  const std::string line = displayed_line(text);
  const std::size_t block_mark = place_of_block_mark(line);
  std::string result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char character = line[i];
    if (character == '<') {
      result += "&lt;";
    } else if (character == '>') {
      result += "&gt;";
    } else if (character == '&') {
      result += "&amp;";
    } else if (character == '@' && mentions == Mentions::inactive) {
      result += "@&#8203;";
    } else {
      const bool makes_link = std::string_view(line).substr(i).starts_with("://") ||
                              std::string_view(line).substr(0, i + 1).ends_with("www.");
      if (special.find(character) != std::string_view::npos || i == block_mark || makes_link) result += '\\';
      result += character;
    }
  }
  return result;
}

std::string code(const std::string& text) { return fmt::format("<code>{}</code>", escaped(text, Mentions::unchanged)); }

std::string table_row(const std::vector<std::string>& fields) {
  std::string row = "|";
  for (const std::string& field : fields) row += fmt::format(" {} |", field);
  return row + '\n';
}

std::string table_head(const std::vector<std::string>& headings) {
  std::string rule = "|:---|";
  for (std::size_t i = 1; i < headings.size(); ++i) rule += "---:|";
  return table_row(headings) + rule + '\n';
}

std::string render_markdown(const Table& table) {
  std::vector<std::string> texts;
  for (const Table::Column& column : table.columns) texts.push_back(column.heading);
  std::string text = table_head(texts);
  for (const auto& row : table.rows) {
    texts.clear();
    for (const Table::Field& field : row)
      texts.push_back(field.tone == Tone::wrong ? fmt::format("**{}**", field.text) : field.text);
    text += table_row(texts);
  }
  return text + '\n';
}

}  // namespace touchstone::conformance
