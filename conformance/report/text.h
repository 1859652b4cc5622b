// Text from models, files and backends, as it may stand in a report.
#pragma once

#include <string>

namespace touchstone::conformance {

/// Valid UTF-8 without characters that steer a terminal, that XML forbids, or that let a text read as another one: what
/// has a picture is shown by it ("␛" for ESC), the rest is replaced. Line feeds and tabs stay.
std::string printable(const std::string& text);

/// The same, with line feeds and tabs as pictures too.
std::string printable_line(const std::string& text);

}  // namespace touchstone::conformance
