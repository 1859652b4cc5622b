// The program `touchstone`.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>
#include <utility>

#include "tools/touchstone/command.h"

namespace {

int call(int argc, char** argv) {
  int exit_code = touchstone::tools::as_expected;
  CLI::App app("Touchstone: the conformance suite for ONNX quantization operators", "touchstone");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  touchstone::tools::add_run_command(app, exit_code);
  touchstone::tools::add_report_command(app, exit_code);
  touchstone::tools::add_list_command(app, exit_code);
  touchstone::tools::add_explain_command(app, exit_code);
  touchstone::tools::add_version_command(app, exit_code);
  try {
    const std::string first = argc > 1 ? argv[1] : "";
    const auto is_first = [&](const CLI::App* command) { return command->get_name() == first; };
    if (!first.empty() && first.front() != '-' && std::as_const(app).get_subcommands(is_first).empty())
      throw touchstone::tools::Exit(touchstone::tools::usage,
                                    fmt::format("there is no subcommand '{}'; touchstone --help shows them", first));
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? touchstone::tools::as_expected : touchstone::tools::usage;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int exit_code = call(argc, argv);
    if (std::fflush(stdout) == 0) return exit_code;
    fmt::print(stderr, "touchstone: the output cannot be written\n");
  } catch (const touchstone::tools::Exit& exit) {
    fmt::print(stderr, "touchstone: {}\n", exit.what());
    return exit.code;
  } catch (const std::exception& error) {
    fmt::print(stderr, "touchstone: {}\n", error.what());
  }
  return touchstone::tools::broken;
}
