// touchstone backend install: makes the environment that a named backend needs.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tools/touchstone/command.h"
#include "tools/touchstone/installation.h"
#include "tools/touchstone/suggestion.h"
#include "tools/touchstone/worker_option.h"

namespace touchstone::tools {

namespace {

struct InstallOptions {
  std::string name;
  std::string python = default_python();
};

/// The script replaces this process, so its exit code is that of the program.
void install(const InstallOptions& options) {
  const std::vector<std::string> names = worker_names();
  if (std::ranges::find(names, options.name) == names.end())
    throw Exit(usage,
               fmt::format("backend install: '{}' is not one of the backends with packages: {}{}", options.name,
                           fmt::join(names, ", "),
                           did_you_mean(options.name, std::vector<std::string_view>(names.begin(), names.end()))));
  std::string script = (backends_directory() / "install.sh").string();
  std::string name = options.name;
  std::string python = options.python;
  std::array<char*, 4> arguments{script.data(), name.data(), python.data(), nullptr};
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
  subcommand->footer(fmt::format("{}\nExample:\n  touchstone backend install ort\n", exit_codes));
  subcommand->callback([options] { install(*options); });
}

}  // namespace touchstone::tools
