// The texts for --help and for mistakes in the arguments.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace touchstone::tools {

/// Breaks descriptions and footers into lines of at most `width` characters. An indented line of a footer, such as an
/// example, stays as it is. Subcommands take the formatter that the program has when they are added.
std::shared_ptr<CLI::FormatterBase> help_formatter(std::size_t width);

/// For ->check: a value that is one of these names. The message for another one suggests similar names.
CLI::Validator one_of(const std::vector<std::string>& names);

/// "touchstone backend install".
std::string path_of(const CLI::App& command);

/// The subcommand that the words name, such as "backend install"; `app` without words. Throws Exit, with similar names.
const CLI::App& find_subcommand(const CLI::App& app, const std::vector<std::string>& words);

/// Describes what is wrong with the arguments, and suggests similar options.
std::string message_of(const CLI::App& app, const CLI::ParseError& error);

}  // namespace touchstone::tools
