// The program `touchstone`.
#include <fmt/format.h>
#include <malloc.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

#include "conformance/backends/workers/process_tree.h"
#include "conformance/backends/workers/worker_environment.h"
#include "conformance/session/output_directory.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/help.h"
#include "tools/touchstone/installation.h"
#include "tools/touchstone/selection.h"
#include "tools/touchstone/terminal.h"

namespace {

using namespace touchstone::tools;
using touchstone::conformance::FileError;
using touchstone::conformance::RunRefused;

int call(int argc, char** argv) {
  int exit_code = as_expected;
  CLI::App app("Touchstone: the conformance suite for ONNX quantization operators", "touchstone");
  app.require_subcommand(1);
  app.formatter(help_formatter(help_width()));
  for (const auto add :
       {add_run_command,     add_check_command,   add_merge_command,    add_report_command,  add_fingerprint_command,
        add_list_command,    add_explain_command, add_replay_command,   add_shrink_command,  add_coverage_command,
        add_compare_command, add_diff_command,    add_selftest_command, add_serve_command,   add_backend_command,
        add_doctor_command,  add_export_command,  add_judge_command,    add_headers_command, add_version_command})
    add(app, exit_code);
  add_help_command(app);
  add_completion_command(app);
  add_man_command(app);
  app.set_version_flag("--version", version_text, "Print versions");
  app.footer(
      fmt::format("{}\n"
                  "Examples:\n"
                  "  touchstone run\n"
                  "  touchstone check model.onnx --backend ort\n"
                  "  touchstone explain onnx/1.22.0/test_quantizelinear_axis\n"
                  "  touchstone list ambiguities\n"
                  "  touchstone help run\n",
                  exit_codes));
  try {
    const CLI::App* named = &app;
    for (int k = 1; k < argc && *argv[k] != '-' && !named->get_subcommands({}).empty(); ++k)
      named = &find_subcommand(*named, {argv[k]});
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    std::ostringstream text;
    app.exit(request, text, text);
    fmt::print("{}", text.str());
    return as_expected;
  } catch (const CLI::ParseError& error) {
    print_message(message_of(app, error));
    return usage;
  }
  return exit_code;
}

/// The message for a run that is refused, in terms of the options.
std::string message_of(const RunRefused& refused) {
  struct Words {
    std::string_view before, after;
  };
  static const std::map<RunRefused::Reason, Words> words{
      {RunRefused::Reason::output, {"--output ", ""}},
      {RunRefused::Reason::unfinished_run,
       {"--output ", ": continue it with touchstone run --resume {}, or replace it with --overwrite"}},
      {RunRefused::Reason::unknown_journal,
       {"--output ", ": choose another directory, or replace it with --overwrite"}},
      {RunRefused::Reason::resumed_run, {"--resume ", ""}},
      {RunRefused::Reason::data, {"--data ", ": choose another directory with --output, or move them elsewhere"}},
      {RunRefused::Reason::known_failures, {"--expectations ", ""}},
      {RunRefused::Reason::no_run, {"", ": give the directory that touchstone run --output wrote to"}},
      {RunRefused::Reason::in_use, {"", ""}},
      {RunRefused::Reason::files, {"", ""}},
  };
  const auto& [before, after] = words.at(refused.reason());
  return fmt::format("{}{}{}", before, refused.what(), fmt::format(fmt::runtime(after), refused.directory().string()));
}

/// Large tensors are allocated and freed often: memory returned to the system would have to be cleared again each time.
void keep_memory() {
  ::mallopt(M_MMAP_MAX, 0);  // a threshold would be at most 32 MiB
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

}  // namespace

int main(int argc, char** argv) {
  keep_memory();
  // A library, which only serve loads, may start processes, and may read the initial environment.
  if (argc < 2 || std::string_view(argv[1]) != "serve") {
    touchstone::conformance::adopt_orphans();
    touchstone::conformance::hide_environment();  // from workers, which may read /proc/PID/environ
  }
  prepare_standard_streams();
  try {
    take_limits();
    use_installed_node_tests();
    const int exit_code = call(argc, argv);
    errno = 0;
    // After an earlier write error there may be nothing left to flush.
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
    print_message(fmt::format("touchstone: standard output cannot be written{}{}", errno != 0 ? ": " : "",
                              errno != 0 ? std::strerror(errno) : ""));
  } catch (const Exit& exit) {
    print_message(fmt::format("touchstone: {}", exit.what()));
    return exit.code;
  } catch (const RunRefused& refused) {
    print_message(fmt::format("touchstone: {}", message_of(refused)));
    // A scheduler may start a job again before the system has ended the first one.
    return refused.reason() == RunRefused::Reason::in_use ? broken : usage;
  } catch (const FileError& error) {
    print_message(fmt::format("touchstone: {}", error.what()));
  } catch (const std::exception& error) {
    const char* where = std::ferror(stdout) != 0 ? "standard output: " : "";
    print_message(fmt::format("touchstone: {}{}", where, error.what()));
  }
  return broken;
}
