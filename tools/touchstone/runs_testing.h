// For tests that need an earlier run: small runs, and the files that they write.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/run/journal_testing.h"
#include "tools/touchstone/program_testing.h"

namespace touchstone::tools {

/// A run of two cases, one blocked and one per tensor, whose journal is in out/.
inline void run_two(const TemporaryDirectory& scratch) {
  fs::remove_all(scratch.path() / "tests");
  copy_of("1.22.0/test_quantizelinear_blocked_symmetric", scratch.path() / "tests" / "a");
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "b");
  ASSERT_EQ(touchstone(scratch, {"run", "--suite", "onnx", "--data", "tests", "--output", "out"}).exit_code, 0);
}

/// ONNX's per-axis test with a wrong expected byte, as the directory tests/a: its only case fails.
inline void corrupt_a_test(const TemporaryDirectory& scratch) {
  const fs::path test = copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / "a");
  const fs::path output = test / "test_data_set_0" / "output_0.pb";
  std::string bytes = content_of(output);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write_file(output, bytes);
}

/// The files at the top of a run's directory, by name, without folders such as reproducers.
inline std::map<std::string, std::string> files_in(const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(directory))
    if (entry.is_regular_file()) files[entry.path().filename().string()] = content_of(entry.path());
  return files;
}

/// The same without the times of its journal and its summary: two equal runs have the same.
inline std::map<std::string, std::string> results_in(const fs::path& directory) {
  std::map<std::string, std::string> files = files_in(directory);
  for (const char* timed : {"journal.ndjson.gz", "summary.json", "result.json"})
    if (const auto file = files.find(timed); file != files.end())
      file->second = conformance::without_times(file->second);
  return files;
}

/// Drops the last cases of a finished run's journal and the line that follows all cases, as if the run had been killed.
inline void cut_off(const fs::path& journal, std::size_t cases) {
  std::string content = content_of(journal);
  for (std::size_t lines = cases + 1; lines > 0; --lines) content.resize(content.rfind('\n', content.size() - 2) + 1);
  write_file(journal, conformance::compressed(content));
}

/// A backend with failures, so that there are causes, and a few cases of every kind.
inline const std::vector<std::string> failing_options{"--backend",
                                                      "wrong:rounds-half-away-from-zero",
                                                      "--tier",
                                                      "smoke",
                                                      "--filter",
                                                      "*linear/2?/*-u8*:onnx/1.22.0/*",
                                                      "--max-reproducers",
                                                      "0"};

inline Outcome run_failing(
    const TemporaryDirectory& scratch, const std::string& output, std::vector<std::string> further = {},
    const Rewire& rewire = [] {}) {
  // The experiments of shards are not those of one run.
  std::vector<std::string> arguments{"run", "--output", output, "--experiments", "0"};
  arguments.insert(arguments.end(), failing_options.begin(), failing_options.end());
  arguments.insert(arguments.end(), further.begin(), further.end());
  return touchstone(scratch, arguments, rewire);
}

inline Outcome merge_runs(
    const TemporaryDirectory& scratch, std::vector<std::string> arguments, const Rewire& rewire = [] {}) {
  arguments.insert(arguments.begin(), "merge");
  for (const char* argument : {"--output", "merged", "--max-reproducers", "0"}) arguments.emplace_back(argument);
  return touchstone(scratch, arguments, rewire);
}

/// The words of a command that a message has in a line of its own.
inline std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream text(line);
  for (std::string word; text >> word;) {
    std::erase(word, '\'');
    words.push_back(word);
  }
  return words;
}

}  // namespace touchstone::tools
