#include "tools/touchstone/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

#include "conformance/files/text.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/suggestion.h"

namespace touchstone::tools {

namespace {

constexpr std::size_t widest_name_column = 34;

/// Breaks a line at spaces. The second and later lines begin with `indent` spaces.
std::vector<std::string> wrapped(std::string_view line, std::size_t width, std::size_t indent) {
  std::vector<std::string> lines;
  std::string current;
  for (std::size_t start = 0; start < line.size();) {
    const std::size_t word = std::min(line.find_first_not_of(' ', start), line.size());
    const std::size_t end = std::min(line.find(' ', word), line.size());
    if (current.find_first_not_of(' ') != std::string::npos && current.size() + (end - start) > width) {
      lines.push_back(current);
      current = std::string(indent, ' ');
      current += line.substr(word, end - word);
    } else {
      current += line.substr(start, end - start);
    }
    start = end;
  }
  lines.push_back(current);
  return lines;
}

class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::size_t width) : width_(width) { column_width(std::min(widest_name_column, width / 3)); }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    return row(make_option_name(option, is_positional) + make_option_opts(option), make_option_desc(option));
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return row(command->get_display_name(true), command->get_description());
  }
  std::string make_description(const CLI::App* app) const override {
    return paragraphs(CLI::Formatter::make_description(app));
  }
  std::string make_footer(const CLI::App* app) const override { return paragraphs(CLI::Formatter::make_footer(app)); }

 private:
  /// A name on the left, and its description on the right, or below if the name is long.
  std::string row(const std::string& name, const std::string& description) const {
    std::string text;
    std::string last;
    for (std::string& line : wrapped("  " + name, width_, 6)) {
      if (!last.empty()) text += last + '\n';
      last = std::move(line);
    }
    if (last.size() >= column_width_) {
      text += last + '\n';
      last.clear();
    }
    for (const std::string_view paragraph : conformance::lines_of(description)) {
      const std::size_t indent = std::min(paragraph.find_first_not_of(' '), paragraph.size());
      for (const std::string& line : wrapped(paragraph, width_ - column_width_, indent > 0 ? indent + 2 : 0)) {
        last.resize(column_width_, ' ');
        text += last + line + '\n';
        last.clear();
      }
    }
    return last.empty() ? text : text + last + '\n';
  }

  std::string paragraphs(const std::string& text) const {
    std::string formatted;
    for (const std::string_view paragraph : conformance::lines_of(text)) {
      if (paragraph.starts_with(' '))
        formatted.append(paragraph) += '\n';
      else
        for (const std::string& line : wrapped(paragraph, width_, 0)) formatted += line + '\n';
    }
    return formatted;
  }

  std::size_t width_;
};

/// The longest chain of subcommands that the arguments named.
const CLI::App& called(const CLI::App& app) {
  const std::vector<CLI::App*> commands = app.get_subcommands();
  return commands.empty() ? app : called(*commands.front());
}

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter(std::size_t width) { return std::make_shared<HelpFormatter>(width); }

CLI::Validator one_of(const std::vector<std::string>& names) {
  const CLI::IsMember check(names);
  const auto check_and_suggest = [names, check](std::string& text) {
    const std::string mistake = check(text);
    return mistake.empty() ? mistake
                           : mistake + did_you_mean(text, std::vector<std::string_view>(names.begin(), names.end()));
  };
  return {check_and_suggest, check.get_description()};
}

const CLI::App& find_subcommand(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* found = &app;
  for (const std::string& word : words) {
    const auto named = found->get_subcommands([&](const CLI::App* inner) { return inner->get_name() == word; });
    if (named.empty()) {
      std::vector<std::string_view> names;
      for (const CLI::App* command : found->get_subcommands({})) names.push_back(command->get_name());
      throw Exit(usage, fmt::format("unknown subcommand '{}'; {} --help lists them{}", word, path_of(*found),
                                    did_you_mean(word, names)));
    }
    found = named.front();
  }
  return *found;
}

void add_help_command(CLI::App& app) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("help", "Describe a subcommand, as its --help does");
  command->add_option("command", *words, "The subcommand; without it, the program is described")->type_name("COMMAND");
  command->callback([&app, words] {
    const CLI::App& described = find_subcommand(app, *words);
    fmt::print("{}", app.get_formatter()->make_help(&described, path_of(described), CLI::AppFormatMode::Normal));
  });
}

std::string path_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : path_of(*parent) + ' ' + command.get_name();
}

std::string message_of(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream unused;
  std::ostringstream message;
  app.exit(error, unused, message);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return message.str();
  std::vector<std::string> names;
  for (const CLI::Option* option : called(app).get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::vector<std::string_view> known(names.begin(), names.end());
  std::string text = message.str();
  while (text.ends_with('\n')) text.pop_back();
  for (const std::string& argument : app.remaining(true))
    if (argument.starts_with("--")) text += did_you_mean(argument.substr(0, argument.find('=')), known);
  return text;
}

}  // namespace touchstone::tools
