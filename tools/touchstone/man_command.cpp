// touchstone man: the manual page, from the subcommands and options of the program.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "conformance/files/text.h"
#include "conformance/version.h"
#include "tools/touchstone/command.h"

namespace touchstone::tools {

namespace {

/// A line of text in the language of man pages.
std::string roff(std::string_view line) {
  std::string text;
  if (line.starts_with('.') || line.starts_with('\'')) text += "\\&";  // or it would be a request
  for (const char letter : line) {
    if (letter == '\\')
      text += "\\e";
    else if (letter == '-' || letter == '\'' || letter == '`' || letter == '^' || letter == '~')
      text += std::string_view(letter == '-'    ? "\\-"
                               : letter == '\'' ? "\\(aq"
                               : letter == '`'  ? "\\(ga"
                               : letter == '^'  ? "\\(ha"
                                                : "\\(ti");
    else
      text += letter;
  }
  return text;
}

/// Lines as in --help: an indented one stays as it is. `begins` says whether a heading or an option is before them.
std::string roff_lines(std::string_view lines, bool begins) {
  std::string text;
  bool is_verbatim = false;
  bool is_first = begins;
  for (const std::string_view line : conformance::lines_of(lines)) {
    if (line.starts_with(' ') != is_verbatim && !line.empty()) {
      is_verbatim = !is_verbatim;
      text += is_verbatim ? ".nf\n" : ".fi\n";
    }
    if (line.empty()) continue;
    if (!is_first && !is_verbatim) text += ".PP\n";
    is_first = false;
    text += roff(line) + '\n';
  }
  return is_verbatim ? text + ".fi\n" : text;
}

std::string options_of(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    const bool takes_value = option->get_items_expected_max() > 0;
    const std::string name = option->get_name(!option->nonpositional(), true);
    text += fmt::format(".TP\n.B {}\n", roff(name));
    if (takes_value && option->nonpositional()) {
      text.pop_back();
      text += fmt::format(" \\fI{}\\fR\n", roff(option->get_type_name()));
    }
    const std::string description = option->get_description();
    bool is_first = true;
    for (const std::string_view line : conformance::lines_of(description)) {
      if (!is_first) text += ".br\n";
      is_first = false;
      text += roff(line.substr(std::min(line.find_first_not_of(' '), line.size()))) + '\n';
    }
  }
  return text;
}

std::string section_of(const CLI::App& command) {
  if (const auto inner = command.get_subcommands({}); !inner.empty()) {
    std::string text;
    for (const CLI::App* one : inner) text += section_of(*one);
    return text;
  }
  return fmt::format(".SS {}\n", roff(path_of(command))) + roff_lines(command.get_description(), true) +
         options_of(command) + roff_lines(command.get_footer(), false);
}

std::string page(const CLI::App& app) {
  std::string text = fmt::format(
      ".TH TOUCHSTONE 1 \"\" \"touchstone {}\"\n.SH NAME\ntouchstone \\- {}\n"
      ".SH SYNOPSIS\n.B touchstone\n.I SUBCOMMAND\n[\\fIOPTION\\fR...]\n.SH DESCRIPTION\n",
      conformance::touchstone_version, "test ONNX quantization operators for conformance");
  text += roff_lines(app.get_description(), true) + ".SH OPTIONS\n" + options_of(app) + ".SH SUBCOMMANDS\n";
  for (const CLI::App* command : app.get_subcommands({})) text += section_of(*command);
  return text + ".SH EXIT STATUS AND EXAMPLES\n" + roff_lines(app.get_footer(), true);
}

}  // namespace

void add_man_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("man", "Print the manual page: touchstone man | man -l -");
  command->callback([&app] { fmt::print("{}", page(app)); });
}

}  // namespace touchstone::tools
