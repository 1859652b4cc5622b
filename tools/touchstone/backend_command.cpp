// touchstone backend install: makes the environment that a named backend needs.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tools/touchstone/command.h"
#include "tools/touchstone/emulation.h"
#include "tools/touchstone/help.h"
#include "tools/touchstone/installation.h"
#include "tools/touchstone/suggestion.h"
#include "tools/touchstone/worker_option.h"

namespace touchstone::tools {

namespace {

struct InstallOptions {
  std::string name;
  std::string python = default_python();
  std::string architecture;
};

/// The script replaces this process, so its exit code is that of the program.
void install(const InstallOptions& options) {
  const std::vector<std::string> names = worker_names();
  if (std::ranges::find(names, options.name) == names.end())
    throw Exit(usage,
               fmt::format("backend install: '{}' is not one of the backends with packages: {}{}", options.name,
                           fmt::join(names, ", "),
                           did_you_mean(options.name, std::vector<std::string_view>(names.begin(), names.end()))));
  const bool is_foreign = !options.architecture.empty();
  const std::string script = (backends_directory() / (is_foreign ? "install_foreign.sh" : "install.sh")).string();
  std::vector<std::string> words{script, options.name, options.python};
  if (is_foreign) {
#ifndef __x86_64__
    throw Exit(usage, "backend install: only a host with an x86-64 processor can emulate another one: omit --arch");
#endif
    words.push_back(options.architecture);
    for (const Processor& row : processors())
      if (name(row.architecture) == options.architecture) words.push_back(fmt::format("{} {}", row.name, row.model));
  }
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execve(script.c_str(), arguments.data(), environ);
  throw Exit(broken, fmt::format("{}: {}", script, std::strerror(errno)));
}

}  // namespace

void add_backend_command(CLI::App& app, int&) {
  auto options = std::make_shared<InstallOptions>();
  CLI::App* command = app.add_subcommand("backend", "Install the packages of a named backend");
  command->require_subcommand(1);
  CLI::App* subcommand = command->add_subcommand(
      "install",
      "Make a virtual environment with the pinned packages of a named backend, in $XDG_DATA_HOME/touchstone or "
      "~/.local/share/touchstone. Nothing else is changed; to uninstall the backend, remove the directory.");
  subcommand->add_option("NAME", options->name, "The backend, for example ort; touchstone list backends lists them")
      ->required();
  subcommand->add_option("--python", options->python, "The Python that makes the environment")->capture_default_str();
  subcommand
      ->add_option("--arch", options->architecture,
                   "aarch64: the packages for this architecture, for --cpu with such a processor, and Debian's Python "
                   "for it in touchstone/sysroots/aarch64. By default those for this host")
      ->check(one_of({"aarch64"}));
  subcommand->footer(
      fmt::format("{}\nExamples:\n  touchstone backend install ort\n  touchstone backend install ort --arch aarch64\n",
                  exit_codes));
  subcommand->callback([options] { install(*options); });
}

}  // namespace touchstone::tools
