#include "fuzz/report_fault.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

#include "conformance/files/output_file.h"
#include "conformance/files/text.h"
#include "conformance/report/replay_line.h"
#include "conformance/run/reproducer.h"

namespace touchstone::fuzz {

using namespace conformance;

RunInfo run_with(const std::string& backend, const JudgeOptions& options) {
  RunInfo run;
  run.backend_option = backend;
  run.strict = options.strict;
  run.sign_of_zero = options.sign_of_zero;
  return run;
}

void report(const std::string& what, const Example& example, const RunInfo& run) {
  fmt::print(stderr, "\n{}: {}\n{}", run.backend_option, displayed_line(what), to_text(example));
  try {
    const char* named = std::getenv("TOUCHSTONE_FUZZ_REPRODUCERS");
    const std::filesystem::path directory = named != nullptr && *named != '\0' ? named : ".";
    const Case written = case_of(example);
    write_reproducer(directory, written, written.id);
    RunInfo replayed = run;
    replayed.data = std::filesystem::absolute(directory).lexically_normal().string();
    const std::string line = replay_line(replayed, "onnx/" + written.id);
    write_file_below(directory, std::filesystem::path(written.id) / "replay.txt", line + "\n");
    const bool has_environment = example.environment != optimized::Environment{};
    fmt::print(stderr, "\nwritten to {}; again{} by\n  {}\nfor the smallest model, write shrink instead of replay\n",
               (directory / written.id).string(),
               has_environment ? ", but not in its environment, which only the fuzzer's input has," : "", line);
  } catch (const std::exception& error) {
    fmt::print(stderr, "it cannot be written as a model: {}\n", error.what());
  }
  std::abort();
}

}  // namespace touchstone::fuzz
