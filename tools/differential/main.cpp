// The program `touchstone-differential`: backends against the reference, with examples at random.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/files/file_error.h"
#include "conformance/properties/differential.h"
#include "tools/touchstone/backend_option.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/terminal.h"

namespace {

using namespace touchstone::tools;
using namespace touchstone::conformance;
namespace optimized = touchstone::optimized;

struct Options {
  std::string backend = "optimized";
  std::vector<std::string> isas;
  std::optional<std::uint64_t> examples;
  std::uint64_t seed = 0;
  std::uint64_t first = 0;
  std::optional<double> minutes;
  std::string reproducers = "touchstone-reproducers";
  std::size_t failures = 10;
  JudgeOptions judge;
};

constexpr double seconds_between_lines = 60;
constexpr std::uint64_t default_examples = 100'000;

std::vector<Subject> subjects_of(const Options& options) {
  std::vector<Subject> subjects;
  if (options.backend != "optimized") {
    if (!options.isas.empty())
      throw Exit(usage, fmt::format("--isa is of the backend optimized, not of {}", options.backend));
    subjects.push_back(subject_of(options.backend, open_backend(options.backend)));
    return subjects;
  }
  for (const optimized::Isa isa : {optimized::Isa::portable, optimized::Isa::avx2}) {
    const bool is_named = std::ranges::count(options.isas, optimized::name(isa)) > 0;
    if (is_named && !is_available(isa))
      throw Exit(usage, fmt::format("--isa {}: this CPU does not have it", optimized::name(isa)));
    if (is_named || (options.isas.empty() && is_available(isa))) subjects.push_back(optimized_subject(isa));
  }
  return subjects;
}

// ---- a backend that takes the program with it

std::array<char, 200> last_words{};

/// Only what is safe in a handler.
void on_crash(int) {
  const auto end = std::find(last_words.begin(), last_words.end(), '\0');
  [[maybe_unused]] const ssize_t written =
      ::write(STDERR_FILENO, last_words.data(), static_cast<std::size_t>(end - last_words.begin()));
  ::_exit(broken);
}

void watch_for_crashes() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, on_crash);
}

void set_last_words(const Options& options, std::uint64_t number) {
  const auto text = fmt::format_to_n(last_words.data(), last_words.size() - 1,
                                     "\ntouchstone-differential: a crash at example {0}; try it alone with: --seed {1} "
                                     "--first {0} --examples 1\n",
                                     number, options.seed);
  *text.out = '\0';
}

// ---- the run

int run(const Options& options) {
  const std::vector<Subject> subjects = subjects_of(options);
  const std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t examples =
      options.examples.value_or(options.minutes ? unlimited - options.first : default_examples);
  if (examples == 0) throw Exit(nothing_selected, "--examples 0: nothing is tried");
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  const auto is_over = [&] { return stop_requested() || (options.minutes && elapsed() >= *options.minutes * 60); };

  watch_for_stop();
  watch_for_crashes();
  std::optional<ProgressLine> progress;
  if (examples != unlimited - options.first) progress.emplace(examples, 0);
  std::uint64_t tried = 0;
  std::size_t failed = 0;
  double told = 0;
  for (; tried < examples && failed < options.failures && !is_over(); ++tried) {
    const std::uint64_t number = options.first + tried;
    set_last_words(options, number);
    const std::optional<Failure> failure = try_example(options.seed, number, subjects, options.judge);
    if (progress) progress->step("examples", failed);
    if (elapsed() - told >= seconds_between_lines) {
      told = elapsed();
      write_to_stderr(fmt::format("{} examples, {} failed\n", tried + 1, failed));
    }
    if (!failure) continue;
    ++failed;
    const auto place = write_failure(options.reproducers, *failure, options.judge);
    fmt::print("{}  found after trying {} simpler ones; written to {}\n\n", to_text(*failure), failure->tried,
               place.string());
    std::fflush(stdout);
  }
  fmt::print("{} examples from {} of seed {} in {:.1f} s: {} failed\n", tried, options.first, options.seed, elapsed(),
             failed);
  if (failed > 0) return unexpected_result;
  return options.examples && tried < examples ? incomplete : as_expected;
}

int call(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Backends against Touchstone's reference, with examples at random: versions, types, shapes, attributes and "
      "values; some of them illegal. What fails is made as simple as it can be, and written as a test.",
      "touchstone-differential");
  add_backend_option(app, options.backend);
  app.add_option("--isa", options.isas, "Of the backend optimized: portable, avx2. Default: all that this CPU has")
      ->check(CLI::IsMember({"portable", "avx2"}))
      ->delimiter(',');
  app.add_option("--examples", options.examples,
                 fmt::format("How many; {} if neither this nor --minutes is given", default_examples))
      ->check(whole_number());
  app.add_option("--seed", options.seed, "Other examples")->check(whole_number())->capture_default_str();
  app.add_option("--first", options.first, "The number of the first example")
      ->check(whole_number())
      ->capture_default_str();
  app.add_option("--minutes", options.minutes, "When to stop")->check(CLI::PositiveNumber);
  app.add_option("--reproducers", options.reproducers,
                 "The directory for what failed, in ONNX's backend-test layout; nothing in it is removed")
      ->capture_default_str();
  app.add_option("--failures", options.failures, "Stop after so many")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_judge_options(app, options.judge);
  app.footer(std::string(exit_codes) +
             "\n"
             "Examples:\n"
             "  touchstone-differential --strict --sign-of-zero\n"
             "  touchstone-differential --minutes 480 --seed 1 --reproducers soak\n"
             "  touchstone-differential --isa avx2 --first 1234 --examples 1\n");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? as_expected : usage;
  }
  return run(options);
}

}  // namespace

int main(int argc, char** argv) {
  prepare_standard_streams();
  try {
    return call(argc, argv);
  } catch (const Exit& exit) {
    write_to_stderr(fmt::format("touchstone-differential: {}\n", exit.what()));
    return exit.code;
  } catch (const std::exception& error) {
    write_to_stderr(fmt::format("touchstone-differential: {}{}\n", last_words.data(), error.what()));
  }
  return broken;
}
