// The program `touchstone-differential`: compares backends with the reference on random examples.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backends/builtin/builtin_backends.h"
#include "conformance/properties/differential.h"
#include "tools/differential/search.h"
#include "tools/touchstone/backend_option.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/help.h"
#include "tools/touchstone/selection.h"
#include "tools/touchstone/terminal.h"

namespace {

using namespace touchstone::tools;
using namespace touchstone::conformance;
namespace optimized = touchstone::optimized;

struct Options {
  std::string backend = "optimized";
  std::vector<std::string> isas;
  Capabilities assumed;
  Search search;
};

std::vector<Subject> subjects_of(const Options& options) {
  std::vector<Subject> subjects;
  if (options.backend != "optimized") {
    if (!options.isas.empty())
      throw Exit(usage, fmt::format("--isa is an option for the backend optimized, not for {}", options.backend));
    subjects.push_back(subject_of(options.backend, open_backend(options.backend)));
    return subjects;
  }
  for (const optimized::Isa isa : {optimized::Isa::portable, optimized::Isa::avx2}) {
    const bool is_named = std::ranges::count(options.isas, optimized::name(isa)) > 0;
    if (is_named && !is_available(isa))
      throw Exit(usage, fmt::format("--isa {}: this CPU does not support it", optimized::name(isa)));
    if (is_named || (options.isas.empty() && is_available(isa))) subjects.push_back(optimized_subject(isa));
  }
  return subjects;
}

// ---- a backend that crashes the program

struct Signal {
  int number;
  std::string_view text;
};

constexpr std::array crashes{Signal{SIGSEGV, "SIGSEGV"}, Signal{SIGBUS, "SIGBUS"}, Signal{SIGFPE, "SIGFPE"},
                             Signal{SIGILL, "SIGILL"}, Signal{SIGABRT, "SIGABRT"}};

std::array<char, 500> last_words{};

/// Calls only what is safe in a signal handler.
void on_crash(int signal) {
  const auto say = [](std::string_view text) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  };
  say("\ntouchstone-differential: ");
  for (const Signal& row : crashes)
    if (row.number == signal) say(row.text);
  say(": a crash at ");
  say({last_words.data(),
       static_cast<std::size_t>(std::find(last_words.begin(), last_words.end(), '\0') - last_words.begin())});
  say("\n");
  ::_exit(broken);
}

void watch_for_crashes() {
  for (const Signal& row : crashes) std::signal(row.number, on_crash);
}

void set_last_words(const std::string& words) {
  const std::size_t length = std::min(words.size(), last_words.size() - 1);
  std::copy_n(words.begin(), length, last_words.begin());
  last_words[length] = '\0';
}

// ---- the program

int run(const Options& options) {
  std::vector<Subject> subjects = subjects_of(options);
  for (Subject& subject : subjects) subject.assumed = options.assumed;
  watch_for_stop("touchstone-differential: finishing the current example; interrupt again to stop now\n");
  watch_for_crashes();
  const auto before_example = [&](std::uint64_t number) {
    set_last_words(fmt::format("example {}; try it alone: {}", number, search_line(options.search, number, subjects)));
  };
  return run_search(options.search, subjects, {before_example, stop_requested});
}

CLI::Validator minutes() {
  const auto check = [](const std::string& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_one = error == std::errc() && end == text.data() + text.size() && std::isfinite(number) && number > 0;
    return is_one ? "" : fmt::format("'{}' is not a number of minutes above 0", text);
  };
  return {check, ""};
}

/// The environment does not select the kernels here, because all of them are compared.
std::string backend_help() {
  std::string help = "The backend to test:";
  for (const BackendInfo& row : builtin_backends())
    help += fmt::format("\n  {}: {}", row.name,
                        row.name == "optimized" ? "the library of kernels, with each instruction set of --isa; "
                                                  "TOUCHSTONE_ISA is ignored"
                                                : row.description);
  return help;
}

int call(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Compares backends with Touchstone's reference on random examples: versions, types, shapes, attributes and "
      "values, some of them illegal. Failing examples are simplified and written as tests.",
      "touchstone-differential");
  app.formatter(help_formatter(help_width()));
  Search& search = options.search;
  app.add_option("--backend", options.backend, backend_help())->capture_default_str();
  app.add_option("--isa", options.isas, "For the backend optimized: portable, avx2. Default: all that this CPU has")
      ->check(CLI::IsMember({"portable", "avx2"}))
      ->delimiter(',');
  app.add_option("--examples", search.examples,
                 fmt::format("How many; {} if neither this nor --minutes is given", default_examples))
      ->check(whole_number());
  app.add_option("--seed", search.seed, "Each seed gives different examples")
      ->check(whole_number())
      ->capture_default_str();
  app.add_option("--first", search.first, "The number of the first example")
      ->check(whole_number())
      ->capture_default_str();
  app.add_option("--minutes", search.minutes, "Start no more examples after this many minutes, such as 0.5")
      ->check(minutes());
  app.add_option("--reproducers", search.reproducers,
                 "The directory for failing examples, in ONNX's backend-test layout; nothing in it is removed")
      ->capture_default_str();
  app.add_option("--failures", search.failures, "Stop after this many failures")
      ->check(whole_number())
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_assume_option(app, options.assumed);
  add_judge_options(app, search.judge.strict, search.judge.sign_of_zero);
  app.footer(
      std::string(exit_codes) +
      "After one interrupt it finishes the current example and prints a summary; the exit code is 4, or 1 if anything "
      "failed. If the backend crashes, it prints the number of the example and exits with 3. The exit code is also "
      "3 if all failures are exceptions of the backend, or if a reproducer cannot be written.\n"
      "\n"
      "Examples:\n"
      "  touchstone-differential --strict --sign-of-zero\n"
      "  touchstone-differential --minutes 480 --seed 1 --reproducers soak\n"
      "  touchstone-differential --isa avx2 --first 1234 --examples 1\n");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help
    std::ostringstream text;
    app.exit(request, text, text);
    fmt::print("{}", text.str());
    return as_expected;
  } catch (const CLI::ParseError& error) {
    print_message(message_of(app, error));
    return usage;
  }
  return run(options);
}

}  // namespace

int main(int argc, char** argv) {
  prepare_standard_streams();
  try {
    take_limits();
    const int exit_code = call(argc, argv);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
    print_message("touchstone-differential: standard output cannot be written");
  } catch (const Exit& exit) {
    print_message(fmt::format("touchstone-differential: {}", exit.what()));
    return exit.code;
  } catch (const std::exception& error) {
    const char* where = std::ferror(stdout) != 0 ? "standard output: " : "";
    print_message(fmt::format("touchstone-differential: {}{}", where, error.what()));
  }
  return broken;
}
