// Text from models, files and backends, made safe for reports.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::conformance {

/// The text with invalid UTF-8 replaced, as journals store it.
std::string valid_utf8(const std::string& text);

/// Valid UTF-8 without characters that control a terminal, that XML forbids, or that make a text look like another one.
/// Control characters with a symbol are shown as that symbol ("␛" for ESC); others are replaced. Line feeds and tabs
/// remain. This differs from printable() in files/file_error.h, which is for messages: printable() shows exact bytes
/// and truncates.
std::string displayed(const std::string& text);

/// The same, with symbols for line feeds and tabs, too.
std::string displayed_line(const std::string& text);

/// The lines without their line feeds. A line feed at the end begins no line.
std::vector<std::string_view> lines_of(std::string_view text);

/// Indents every line and ends the last one, so that foreign text cannot be mistaken for the program's own messages.
std::string indented(std::string_view text, std::string_view indent);

}  // namespace touchstone::conformance
