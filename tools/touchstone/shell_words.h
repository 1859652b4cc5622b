// Splits a command into words as a shell does, without starting a shell or expanding anything.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::tools {

/// Implements POSIX.1-2017, Shell Command Language, 2.2 (quoting) and 2.3 (token recognition): single and double
/// quotes, backslashes, continued lines and comments. Does not interpret anything else in an unquoted word: $, `, *, ~,
/// ;, & and the like are ordinary characters, and a line feed ends a word.
/// Throws std::invalid_argument for an unclosed quote, a backslash at the end, or a zero byte.
std::vector<std::string> shell_words(std::string_view command);

}  // namespace touchstone::tools
