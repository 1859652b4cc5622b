// The program's subcommands: each registers itself, and leaves its exit code behind.
#pragma once

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>

namespace touchstone::tools {

/// The program's exit codes.
enum ExitCode {
  as_expected = 0,
  unexpected_result = 1,
  usage = 2,
  broken = 3,  ///< the backend or the infrastructure failed
  incomplete = 4,
  nothing_selected = 5,
};

/// Ends the program with a message and an exit code.
class Exit : public std::runtime_error {
 public:
  Exit(ExitCode exit_code, const std::string& message) : std::runtime_error(message), code(exit_code) {}
  ExitCode code;
};

/// `exit_code` is set when the subcommand was the one that was called and it has run.
void add_run_command(CLI::App& app, int& exit_code);
void add_report_command(CLI::App& app, int& exit_code);
void add_list_command(CLI::App& app, int& exit_code);
void add_explain_command(CLI::App& app, int& exit_code);
void add_version_command(CLI::App& app, int& exit_code);

}  // namespace touchstone::tools
