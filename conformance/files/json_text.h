// JSON as text: writes one line, and checks limits before parsing.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace touchstone::conformance {

/// Keeps the order of members.
using Json = nlohmann::ordered_json;

/// One line, in UTF-8. Replaces invalid UTF-8 in strings.
std::string to_line(const Json& json);

/// Checks that JSON text is not nested deeper than Limits::nesting, has no object with more members than
/// Limits::members_per_object, and has no more values than Limits::json_values: the JSON library recurses for each
/// level, an object that keeps the order of its members searches all of them for each, and a value takes more memory
/// than text. Throws std::runtime_error.
void check_json_limits(std::string_view text);

/// The value of a text within these limits. Throws std::runtime_error also if it is not JSON, or an object has two
/// members of the same name, of which the library would silently take the last.
Json parse_json(std::string_view text);

}  // namespace touchstone::conformance
