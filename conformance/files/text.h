// Text from models, files and backends, made safe for reports.
#pragma once

#include <string>
#include <string_view>

namespace touchstone::conformance {

/// The text as in journals, with invalid UTF-8 replaced.
std::string valid_utf8(const std::string& text);

/// Valid UTF-8 without characters that control a terminal, that XML forbids, or that make a text look like another one.
/// Control characters with a symbol are shown as that symbol ("␛" for ESC); others are replaced. Line feeds and tabs
/// stay. This is not printable() of files/file_error.h, which is for messages, and so is short and exact to the byte.
/// Reports have their own formats and truncate nothing.
std::string displayed(const std::string& text);

/// The same, with line feeds and tabs as pictures too.
std::string displayed_line(const std::string& text);

/// Every line of it behind the indent, and ended: a text of several is not to be taken for what the program itself
/// says.
std::string indented(std::string_view text, std::string_view indent);

}  // namespace touchstone::conformance
