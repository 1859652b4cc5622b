#include "tools/touchstone/run_directory.h"

#include <fmt/format.h>

#include <filesystem>

#include "tools/touchstone/command.h"

namespace touchstone::tools {

using namespace conformance;

Journal journal_in(const std::string& directory) {
  const std::filesystem::path path = std::filesystem::path(directory) / journal_name;
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw Exit(usage, fmt::format("{} has no {}: give the directory that touchstone run --output wrote to", directory,
                                  journal_name));
  try {
    return read_journal(path);
  } catch (const FileError& problem) {
    throw Exit(broken, problem.what());
  }
}

}  // namespace touchstone::tools
