#include "fuzz/report_fault.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

namespace touchstone::fuzz {

using namespace conformance;

namespace {

std::filesystem::path reproducers() {
  const char* named = std::getenv("TOUCHSTONE_FUZZ_REPRODUCERS");
  return named != nullptr && *named != '\0' ? named : ".";
}

void write(const Fault& fault, const JudgeOptions& options) {
  const std::filesystem::path place = write_fault(reproducers(), fault, options, to_text(fault));
  const bool has_environment = fault.example.environment != optimized::Environment{};
  fmt::print(stderr, "\nwritten to {}; again{} by\n  {}\n", place.string(),
             has_environment ? ", but not in its environment, which only the fuzzer's input has," : "",
             replay_line(reproducers(), place.filename().string(), *fault.subject, options));
}

}  // namespace

void report(Fault fault, const JudgeOptions& options, Again again) {
  // libFuzzer sends this signal to end a slow input, and would mistake the following work for one.
  std::signal(SIGALRM, SIG_IGN);
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::minutes(1);
  fmt::print(stderr, "\n{}", to_text(fault));  // the original fault, in case simplification fails
  try {
    simplify(fault, options, [=] { return Clock::now() > end; });
    fmt::print(stderr, "\nThe simplest of {} similar examples:\n{}", fault.tried + 1, to_text(fault));
    if (again == Again::by_replay) write(fault, options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "it could not be simplified or written: {}\n", error.what());
  }
  std::abort();
}

}  // namespace touchstone::fuzz
