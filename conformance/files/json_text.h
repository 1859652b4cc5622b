// JSON as text: limits on what is read, and what is written.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace touchstone::conformance {

/// Keeps the order in which members are written.
using Json = nlohmann::ordered_json;

/// One line, in UTF-8. Replaces invalid UTF-8 in strings.
std::string to_line(const Json& json);

/// That the text, if it is JSON, is nested no deeper than Limits::nesting, and no object has more members than
/// Limits::members_per_object: what copies or prints a value calls itself for each level of it, and an object that
/// keeps the order of its members looks through all of them for each. Throws std::runtime_error.
void check_json_limits(std::string_view text);

/// The value of a text within these limits. Throws std::runtime_error also if it is not JSON, or an object has two
/// members of the same name, of which the library would silently take the last.
Json parse_json(std::string_view text);

}  // namespace touchstone::conformance
