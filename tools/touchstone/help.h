// The texts for --help and for mistakes in the arguments.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <memory>
#include <string>

namespace touchstone::tools {

/// Breaks descriptions and footers into lines of at most `width` characters. An indented line of a footer, such as an
/// example, stays as it is. Subcommands take the formatter that the program has when they are added.
std::shared_ptr<CLI::FormatterBase> help_formatter(std::size_t width);

/// Describes what is wrong with the arguments, and suggests similar options.
std::string message_of(const CLI::App& app, const CLI::ParseError& error);

}  // namespace touchstone::tools
