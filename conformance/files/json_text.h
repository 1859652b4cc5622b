// JSON from outside, looked at before anything is built of it.
#pragma once

#include <string_view>

namespace touchstone::conformance {

/// That the text, if it is JSON, is nested no deeper than Limits::nesting, and no object has more members than
/// Limits::members_per_object: what copies or prints a value calls itself for each level of it, and an object that
/// keeps the order of its members looks through all of them for each. Throws std::runtime_error.
void check_json_limits(std::string_view text);

}  // namespace touchstone::conformance
