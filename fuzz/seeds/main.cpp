// The program touchstone-fuzz-seeds: writes the initial inputs of the fuzzers, made from the tables and the plan.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fuzz/seeds/case_seeds.h"
#include "fuzz/seeds/dictionaries.h"
#include "fuzz/seeds/file_seeds.h"

using namespace touchstone::fuzz;

namespace {

constexpr std::string_view help =
    "Usage: touchstone-fuzz-seeds DIRECTORY\n"
    "\n"
    "Writes the seeds of each fuzz target to DIRECTORY/TARGET, and its dictionary to DIRECTORY/TARGET.dict. Does not\n"
    "remove other files.\n"
    "\n"
    "Exit codes: 0 written, 2 usage, 3 they could not be written.\n";

constexpr std::size_t longest_seed = 4096;  // libFuzzer's inputs do not become longer than the longest seed

/// Does not sync to disk: there are thousands of files, and they can be made again.
void write(const std::string& content, const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary);
  if (!(file << content).flush()) throw std::runtime_error(path.string() + " cannot be written");
}

void write(const SeedContents& seeds, const std::filesystem::path& directory) {
  std::filesystem::create_directories(directory);
  for (const auto& [name, content] : seeds)
    if (content.size() <= longest_seed) write(content, directory / name);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view argument = argc == 2 ? argv[1] : "";
  if (argument == "-h" || argument == "--help") {
    fmt::print("{}", help);
    return 0;
  }
  if (argument.empty() || argument.starts_with("-")) {
    fmt::print(stderr, "{}", help);
    return 2;
  }
  try {
    for (const auto& table : {case_seeds(), file_seeds()})
      for (const auto& [target, make] : table) write(make(), std::filesystem::path(argument) / target);
    for (const auto& [target, words] : dictionaries())
      write(dictionary_file(words()), std::filesystem::path(argument) / fmt::format("{}.dict", target));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "touchstone-fuzz-seeds: {}\n", error.what());
    return 3;
  }
}
