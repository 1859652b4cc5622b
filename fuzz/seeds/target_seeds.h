// What a fuzz target begins with.
#pragma once

#include <filesystem>
#include <string_view>

namespace touchstone::fuzz {

struct TargetSeeds {
  std::string_view target;
  /// Writes the seeds into a directory. Throws FileError.
  void (*write)(const std::filesystem::path& directory);
};

}  // namespace touchstone::fuzz
