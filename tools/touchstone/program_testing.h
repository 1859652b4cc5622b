// For tests of the program: starts it with arguments, and collects output, messages, files and the exit code.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/run/journal.h"
#include "conformance/run/journal_testing.h"
#include "conformance/suites/suites.h"
#include "conformance/testing.h"

namespace touchstone::tools {

namespace fs = std::filesystem;
using conformance::TemporaryDirectory;
using conformance::write_file;

/// The content of a file; of a journal, its lines.
inline std::string content_of(const fs::path& path) {
  if (path.filename() == conformance::journal_name) return conformance::lines_of_journal(path);
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

/// The text with a space instead of each line break and the spaces after it.
inline std::string unwrapped(const std::string& text) { return std::regex_replace(text, std::regex("\n *"), " "); }

/// The text without the line breaks of commands, which \ precedes.
inline std::string with_whole_commands(const std::string& text) {
  return std::regex_replace(text, std::regex(R"( \\\n *)"), " ");
}

struct Outcome {
  int exit_code;  ///< or, if a signal ended the program, the negative number of the signal
  std::string out;
  std::string error;
  long peak_kib = 0;  ///< the largest amount of memory that the program had
};

/// Changes the streams of the program before it starts.
using Rewire = std::function<void()>;

/// Starts the program in the scratch directory, without a terminal and without a shell.
inline pid_t start(
    const TemporaryDirectory& scratch, std::vector<std::string> arguments, const Rewire& rewire = [] {}) {
  const fs::path out = scratch.path() / "stdout";
  const fs::path error = scratch.path() / "stderr";
  arguments.insert(arguments.begin(), TOUCHSTONE_PROGRAM);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto redirect = [](const fs::path& path, int descriptor) {
      ::dup2(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), descriptor);
    };
    redirect(out, STDOUT_FILENO);
    redirect(error, STDERR_FILENO);
    // The program would take the shard of this process for its own.
    for (const char* of_shards : {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX"}) ::unsetenv(of_shards);
    for (const char* of_engines : {"GITHUB_ACTIONS", "GITLAB_CI"}) ::unsetenv(of_engines);
    rewire();
    if (::chdir(scratch.path().c_str()) == 0) ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  return child;
}

inline Outcome wait_for(const TemporaryDirectory& scratch, pid_t child) {
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), content_of(scratch.path() / "stdout"),
          content_of(scratch.path() / "stderr"), usage.ru_maxrss};
}

inline Outcome touchstone(
    const TemporaryDirectory& scratch, const std::vector<std::string>& arguments, const Rewire& rewire = [] {}) {
  return wait_for(scratch, start(scratch, arguments, rewire));
}

inline nlohmann::json report_in(const fs::path& directory) {
  return nlohmann::json::parse(content_of(directory / "report.json"));
}

/// The number of cases with each verdict, legal and illegal ones together.
inline nlohmann::json verdicts_of(const nlohmann::json& report) {
  nlohmann::json verdicts = report["summary"]["verdicts"];
  for (const auto& [verdict, cases] : report["summary"]["illegal"]["verdicts"].items())
    verdicts[verdict] = verdicts[verdict].get<int>() + cases.get<int>();
  return verdicts;
}

/// A copy of one of ONNX's tests, for modification.
inline fs::path copy_of(const char* test, const fs::path& to) {
  const fs::path source = conformance::default_onnx_tests() / test;
  if (!fs::is_directory(source)) throw std::runtime_error(source.string() + " is missing: run tools/setup");
  fs::create_directories(to.parent_path());
  fs::copy(source, to, fs::copy_options::recursive);
  return to;
}

}  // namespace touchstone::tools
