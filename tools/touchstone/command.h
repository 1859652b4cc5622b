// The program's subcommands. Each registers itself and stores its exit code.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tools/touchstone/help.h"

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

/// The explanation of exit codes at the end of every help text.
inline constexpr std::string_view exit_codes =
    "Exit codes: 0 as expected, 1 an unexpected result, 2 usage, 3 the backend or the infrastructure failed, "
    "4 incomplete, 5 nothing selected, or nothing is right, rejected or wrong as expected.\n";

/// The number of characters of an id to show; ids may be as long as paths.
inline constexpr std::size_t longest_id = 5000;

/// Ends the program with a message and an exit code.
class Exit : public std::runtime_error {
 public:
  Exit(ExitCode exit_code, const std::string& message) : std::runtime_error(message), code(exit_code) {}
  ExitCode code;
};

/// For ->check: CLI11 converts numbers that are negative or too large to other numbers.
inline CLI::Validator whole_number() {
  const auto check = [](const std::string& text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_one = error == std::errc() && end == text.data() + text.size();
    return is_one ? ""
                  : fmt::format("'{}' is not a whole number from 0 to {}", text,
                                std::numeric_limits<std::uint64_t>::max());
  };
  return {check, ""};
}

/// For ->check.
inline CLI::Validator not_empty(const std::string& hint) {
  return {[=](const std::string& text) { return text.empty() ? "is empty: " + hint : ""; }, ""};
}

/// These options have their defaults in the help text.

void add_number_option(CLI::App& command, const std::string& name, auto& number, const std::string& description) {
  command.add_option(name, number, description)->check(whole_number())->capture_default_str();
}

inline void add_jobs_option(CLI::App& command, unsigned& jobs, const std::string& description = "Threads") {
  command.add_option("-j,--jobs", jobs, description)->check(CLI::Range(1, 1024))->capture_default_str();
}

inline void add_choice_option(CLI::App& command, const std::string& name, std::string& value,
                              const std::string& description, const std::vector<std::string>& values) {
  command.add_option(name, value, description)->check(one_of(values))->capture_default_str();
}

inline void add_color_option(CLI::App& command, std::string& color) {
  add_choice_option(command, "--color", color, "auto, always or never", {"auto", "always", "never"});
}

/// Throws Exit if any option was given: for subjects without options.
inline void refuse_options(const CLI::App& command, std::string_view subject) {
  for (const CLI::Option* option : command.get_options())
    if (option->count() > 0 && !option->get_positional())
      throw Exit(usage, fmt::format("{}: {} has no meaning for {}", command.get_name(), option->get_name(), subject));
}

/// The versions of the program and of its libraries, in a few lines.
std::string version_text();

/// `exit_code` is set if the subcommand was called and has run.
void add_run_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, int& exit_code);
void add_report_command(CLI::App& app, int& exit_code);
void add_list_command(CLI::App& app, int& exit_code);
void add_explain_command(CLI::App& app, int& exit_code);
void add_replay_command(CLI::App& app, int& exit_code);
void add_shrink_command(CLI::App& app, int& exit_code);
void add_coverage_command(CLI::App& app, int& exit_code);
void add_compare_command(CLI::App& app, int& exit_code);
void add_diff_command(CLI::App& app, int& exit_code);
void add_selftest_command(CLI::App& app, int& exit_code);
void add_serve_command(CLI::App& app, int& exit_code);
void add_backend_command(CLI::App& app, int& exit_code);
void add_doctor_command(CLI::App& app, int& exit_code);
void add_export_command(CLI::App& app, int& exit_code);
void add_fingerprint_command(CLI::App& app, int& exit_code);
void add_headers_command(CLI::App& app, int& exit_code);
void add_judge_command(CLI::App& app, int& exit_code);
void add_merge_command(CLI::App& app, int& exit_code);
void add_version_command(CLI::App& app, int& exit_code);

/// Those that describe the program: they read the subcommands and options of `app`, to which the others were added.
void add_help_command(CLI::App& app);
void add_completion_command(CLI::App& app);
void add_man_command(CLI::App& app);

}  // namespace touchstone::tools
