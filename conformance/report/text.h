// Text from models, files and backends, as it may stand in a report.
#pragma once

#include <string>
#include <string_view>

namespace touchstone::conformance {

/// As journals keep it: what is no UTF-8 is replaced.
std::string valid_utf8(const std::string& text);

/// Valid UTF-8 without characters that steer a terminal, that XML forbids, or that let a text read as another one: what
/// has a picture is shown by it ("␛" for ESC), the rest is replaced. Line feeds and tabs stay. Not printable() of
/// files/file_error.h, which is for messages: short, and exact to the byte. A report is read by people who know no
/// bytes, has pages and formats of its own, and cuts nothing.
std::string displayed(const std::string& text);

/// The same, with line feeds and tabs as pictures too.
std::string displayed_line(const std::string& text);

/// Every line of it behind the indent, and ended: a text of several is not to be taken for what the program itself
/// says.
std::string indented(std::string_view text, std::string_view indent);

}  // namespace touchstone::conformance
