// touchstone completion: scripts that complete the subcommands, the options and their values in a shell.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/report/replay_line.h"
#include "tools/touchstone/command.h"

namespace touchstone::tools {

using conformance::shell_quoted;

namespace {

using Words = std::vector<std::string>;

struct OptionRow {
  Words names;  ///< with dashes
  std::string description;
  bool takes_value;
  Words values;  ///< all that are possible; empty if it is any text, such as a path
};

struct CommandRow {
  std::string name;
  std::string description;
  Words inner;  ///< its subcommands, or the values of its argument
  std::vector<OptionRow> options;
};

/// The first words of a description, in a line.
std::string first_words(const std::string& description) {
  const std::size_t end = std::min({description.find('\n'), description.find(". "), description.find("; "),
                                    description.find(": "), description.size()});
  return description.substr(0, end);
}

/// From the description of one_of or CLI::IsMember: "TEXT:{text,json}".
Words values_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t start = type.find('{');
  const std::size_t end = type.find('}', std::min(start, type.size()));
  return end == std::string::npos ? Words{} : CLI::detail::split(type.substr(start + 1, end - start - 1), ',');
}

CommandRow row_of(const CLI::App& command) {
  CommandRow row{command.get_name(), first_words(command.get_description()), {}, {}};
  for (const CLI::App* inner : command.get_subcommands({})) row.inner.push_back(inner->get_name());
  for (const CLI::Option* option : command.get_options()) {
    Words values = values_of(*option);
    if (!option->nonpositional()) {
      row.inner.insert(row.inner.end(), values.begin(), values.end());
      continue;
    }
    OptionRow added{
        {}, first_words(option->get_description()), option->get_items_expected_max() > 0, std::move(values)};
    for (const std::string& name : option->get_snames()) added.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) added.names.push_back("--" + name);
    row.options.push_back(std::move(added));
  }
  return row;
}

/// The program itself comes first. The options of a subcommand of a subcommand count as those of the latter.
std::vector<CommandRow> rows_of(const CLI::App& app) {
  std::vector<CommandRow> rows{row_of(app)};
  for (const CLI::App* command : app.get_subcommands({})) {
    rows.push_back(row_of(*command));
    for (const CLI::App* inner : command->get_subcommands({}))
      for (OptionRow& option : row_of(*inner).options)
        if (option.names.back() != "--help") rows.back().options.push_back(std::move(option));
  }
  return rows;
}

Words names_of_commands(const std::vector<CommandRow>& rows) {
  Words names;
  for (const CommandRow& row : rows) names.push_back(row.name);
  names.erase(names.begin());
  return names;
}

std::string bash_script(const std::vector<CommandRow>& rows) {
  std::string values;
  std::string words;
  for (const CommandRow& row : rows) {
    const bool is_program = &row == &rows.front();
    Words all = is_program ? names_of_commands(rows) : row.inner;
    for (const OptionRow& option : row.options) {
      all.insert(all.end(), option.names.begin(), option.names.end());
      if (!option.takes_value) continue;
      Words places;
      for (const std::string& name : option.names) places.push_back(fmt::format("'{} {}'", row.name, name));
      values += fmt::format("    {}) words='{}' ;;\n", fmt::join(places, " | "), fmt::join(option.values, " "));
    }
    words += fmt::format("        {}) words='{}' ;;\n", is_program ? "''" : row.name, fmt::join(all, " "));
  }
  return fmt::format(R"(# Completes touchstone in bash: source <(touchstone completion bash)
_touchstone() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command='' words=''
  if ((COMP_CWORD > 1)); then command=${{COMP_WORDS[1]}}; fi
  case "$command $before" in
{}    'help '*) words='{}' ;;
    *)
      case $command in
{}      esac
      ;;
  esac
  # Without a word that fits, bash completes the names of files.
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}}
complete -o default -F _touchstone touchstone
)",
                     values, fmt::join(names_of_commands(rows), " "), words);
}

/// In a word between brackets.
std::string zsh_text(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    if (std::string_view("[]:\\").find(letter) != std::string_view::npos) escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

std::string zsh_script(const std::vector<CommandRow>& rows) {
  const auto options = [](const CommandRow& row) {
    std::string text = "_arguments";
    for (const OptionRow& option : row.options) {
      std::string value;
      if (option.takes_value)
        value = option.values.empty() ? ":value:_files" : fmt::format(":value:({})", fmt::join(option.values, " "));
      for (const std::string& name : option.names)
        text += " \\\n        " + shell_quoted(fmt::format("*{}[{}]{}", name, zsh_text(option.description), value));
    }
    return text;
  };
  std::string commands;
  std::string cases;
  for (const CommandRow& row : rows) {
    if (&row == &rows.front()) continue;
    commands += "    " + shell_quoted(fmt::format("{}:{}", row.name, row.description)) + '\n';
    const std::string rest = row.name == "help" ? "'*:subcommand:->commands'"
                             : !row.inner.empty()
                                 ? fmt::format("'1:argument:({})' '*:file:_files'", fmt::join(row.inner, " "))
                                 : "'*:file:_files'";
    cases += fmt::format("    {})\n      {} \\\n        {}\n      ;;\n", row.name, options(row), rest);
  }
  return fmt::format(R"(#compdef touchstone
# Completes touchstone in zsh: source <(touchstone completion zsh)
_touchstone() {{
  local state
  local -a commands=(
{}  )
  if ((CURRENT == 2)); then
    if [[ $words[2] != -* ]]; then
      _describe subcommand commands
      return
    fi
    {}
    return
  fi
  local command=$words[2]
  shift words
  ((--CURRENT))
  case $command in
{}  esac
  if [[ $state == commands ]]; then _describe subcommand commands; fi
}}
if [[ $funcstack[1] == _touchstone ]]; then
  _touchstone "$@"
else
  compdef _touchstone touchstone
fi
)",
                     commands, options(rows.front()), cases);
}

std::string fish_script(const std::vector<CommandRow>& rows) {
  std::string text = "# Completes touchstone in fish: touchstone completion fish | source\n";
  for (const CommandRow& row : rows) {
    const bool is_program = &row == &rows.front();
    const std::string where =
        is_program ? "__fish_use_subcommand" : fmt::format("'__fish_seen_subcommand_from {}'", row.name);
    if (!is_program)
      text += fmt::format("complete -c touchstone -n __fish_use_subcommand -f -a {} -d {}\n", row.name,
                          shell_quoted(row.description));
    const Words inner = row.name == "help" ? names_of_commands(rows) : row.inner;
    if (!inner.empty()) text += fmt::format("complete -c touchstone -n {} -f -a '{}'\n", where, fmt::join(inner, " "));
    for (const OptionRow& option : row.options) {
      text += fmt::format("complete -c touchstone -n {}", where);
      for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (option.takes_value)
        text += option.values.empty() ? " -r" : fmt::format(" -x -a '{}'", fmt::join(option.values, " "));
      text += fmt::format(" -d {}\n", shell_quoted(option.description));
    }
  }
  return text;
}

const std::map<std::string, std::string (*)(const std::vector<CommandRow>&)> shells{
    {"bash", bash_script}, {"fish", fish_script}, {"zsh", zsh_script}};

}  // namespace

void add_completion_command(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "Print a script that completes the arguments in a shell");
  Words names;
  for (const auto& [name, script] : shells) names.push_back(name);
  command->add_option("SHELL", *shell, "bash, fish or zsh")->check(one_of(names))->required();
  command->footer(
      "Examples:\n"
      "  source <(touchstone completion bash)      # in ~/.bashrc\n"
      "  source <(touchstone completion zsh)       # in ~/.zshrc, after compinit\n"
      "  touchstone completion fish | source       # in ~/.config/fish/config.fish\n");
  command->callback([&app, shell] { fmt::print("{}", shells.at(*shell)(rows_of(app))); });
}

}  // namespace touchstone::tools
