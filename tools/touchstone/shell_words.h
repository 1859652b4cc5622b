// Splits a command into its words as a shell does it, and no more: no shell is started, and nothing is expanded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::tools {

/// By POSIX.1-2017, Shell Command Language, 2.2 (quoting) and 2.3 (token recognition): single and double quotes,
/// backslashes, continued lines and comments. What a shell would do further with an unquoted word is not done: $, `, *,
/// ~, ;, & and the like stand for themselves, and so does a line feed for the end of a word.
/// Throws std::invalid_argument: a quote that is not closed, a backslash at the end, or a zero byte.
std::vector<std::string> shell_words(std::string_view command);

}  // namespace touchstone::tools
