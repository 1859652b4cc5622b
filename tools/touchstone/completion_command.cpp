// touchstone completion: what completes the subcommands, the options and their values in a shell.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/touchstone/command.h"
#include "tools/touchstone/help.h"

namespace touchstone::tools {

namespace {

using Words = std::vector<std::string>;

struct Candidate {
  std::string word;
  std::string description = {};
};

// The scripts call this program with the words so far.

constexpr std::string_view bash_script = R"(# Completes touchstone in bash: source <(touchstone completion bash)
_touchstone() {
  # Without a word that fits, bash completes the names of files.
  mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" completion bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _touchstone touchstone
)";

constexpr std::string_view fish_script = R"(# Completes touchstone in fish: touchstone completion fish | source
function __touchstone_complete
  set -l words (commandline -opc)
  set -l last (commandline -ct)
  set -l found ($words[1] completion fish -- $words[2..] "$last" 2>/dev/null)
  if set -q found[1]
    printf '%s\n' $found
  else
    __fish_complete_path "$last"
  end
end
complete -c touchstone -f -a '(__touchstone_complete)'
)";

constexpr std::string_view zsh_script = R"(#compdef touchstone
# Completes touchstone in zsh: source <(touchstone completion zsh)
_touchstone() {
  local -a found=("${(@f)$($words[1] completion zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n $found ]]; then _describe argument found; else _files; fi
}
if [[ $funcstack[1] == _touchstone ]]; then
  _touchstone "$@"
else
  compdef _touchstone touchstone
fi
)";

struct Shell {
  std::string_view name;
  std::string_view script;
  std::string_view separator;  ///< between a candidate and its description; empty: it shows no descriptions
};

constexpr std::array shells{Shell{"bash", bash_script, ""}, Shell{"fish", fish_script, "\t"},
                            Shell{"zsh", zsh_script, ":"}};

/// The first words of a description, in a line.
std::string first_words(const std::string& description) {
  const std::size_t end = std::min({description.find('\n'), description.find(". "), description.find("; "),
                                    description.find(": "), description.size()});
  return description.substr(0, end);
}

/// From the description of one_of or CLI::IsMember: "TEXT:{text,json}".
void add_values(const CLI::Option& option, std::vector<Candidate>& candidates) {
  const std::string type = option.get_type_name();
  const std::size_t start = type.find('{');
  const std::size_t end = type.find('}', std::min(start, type.size()));
  if (end == std::string::npos) return;
  for (std::string& value : CLI::detail::split(type.substr(start + 1, end - start - 1), ','))
    candidates.push_back({std::move(value)});
}

/// What can follow these words; nothing if any text can, such as a path.
std::vector<Candidate> candidates_after(const Words& words, const CLI::App& app) {
  const CLI::App* command = &app;
  for (const std::string& word : words)
    if (const auto named = command->get_subcommands([&](const CLI::App* one) { return one->get_name() == word; });
        !named.empty())
      command = named.front();
  std::vector<Candidate> candidates;
  const bool is_help = command->get_name() == "help";
  for (const CLI::App* inner : (is_help ? app : *command).get_subcommands({}))
    candidates.push_back({inner->get_name(), first_words(inner->get_description())});
  if (is_help) return candidates;
  for (const CLI::Option* option : command->get_options()) {
    const bool is_last = !words.empty() && words.back().starts_with('-') && option->check_name(words.back());
    if (is_last && option->get_items_expected_max() > 0) {
      candidates.clear();
      add_values(*option, candidates);
      return candidates;
    }
    if (!option->nonpositional()) add_values(*option, candidates);
    const std::string description = first_words(option->get_description());
    for (const std::string& name : option->get_snames()) candidates.push_back({"-" + name, description});
    for (const std::string& name : option->get_lnames()) candidates.push_back({"--" + name, description});
  }
  return candidates;
}

/// Prints what the last word can become: an option only if it begins with a dash, or it would hide the names of files.
void complete(Words words, const CLI::App& app, std::string_view separator) {
  const std::string last = std::move(words.back());
  words.pop_back();
  for (const auto& [word, description] : candidates_after(words, app))
    if (word.starts_with(last) && word.starts_with('-') == last.starts_with('-'))
      fmt::print("{}{}{}\n", word, description.empty() ? "" : separator, separator.empty() ? "" : description);
}

}  // namespace

void add_completion_command(CLI::App& app) {
  auto words = std::make_shared<Words>();
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "Print a script that completes the arguments in a shell");
  Words names;
  for (const Shell& row : shells) names.emplace_back(row.name);
  command->add_option("SHELL", *shell, "bash, fish or zsh")->check(one_of(names))->required();
  command->add_option("WORD", *words,
                      "Arguments of touchstone, after --: print what the last one can become, as the script does");
  command->footer(
      "Examples:\n"
      "  source <(touchstone completion bash)      # in ~/.bashrc\n"
      "  source <(touchstone completion zsh)       # in ~/.zshrc, after compinit\n"
      "  touchstone completion fish | source       # in ~/.config/fish/config.fish\n");
  command->callback([&app, shell, words] {
    const auto& [name, script, separator] = *std::ranges::find(shells, *shell, &Shell::name);
    words->empty() ? fmt::print("{}", script) : complete(*words, app, separator);
  });
}

}  // namespace touchstone::tools
