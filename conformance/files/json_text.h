// JSON as text: writes one line, and checks limits before parsing.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace touchstone::conformance {

/// Keeps the order of members.
using Json = nlohmann::ordered_json;

/// One line, in UTF-8. Replaces invalid UTF-8 in strings.
std::string to_line(const Json& json);

/// Checks that JSON text is not nested deeper than Limits::nesting, has no object with more members than
/// Limits::members_per_object, and has no more values than Limits::json_values. The JSON library recurses for each
/// level, searches all members of an ordered object when it adds one, and needs more memory for a value than its text.
/// `most_members` replaces Limits::members_per_object for a text that is short. Throws std::runtime_error.
void check_json_limits(std::string_view text, std::optional<std::uint64_t> most_members = std::nullopt);

/// The value of a text within these limits. Throws std::runtime_error also if the text is not JSON, or if an object has
/// two members with the same name; the library would silently keep the last one.
Json parse_json(std::string_view text, std::optional<std::uint64_t> most_members = std::nullopt);

}  // namespace touchstone::conformance
