// An input that represents the files of a directory. Each piece is a file, which its first byte selects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::fuzz {

/// Contents by relative path. If several pieces select a file, the last one counts.
using Files = std::map<std::string, std::string>;

/// Decodes the input. `paths` lists the possible paths. Ignores pieces beyond their number.
Files files_of(const std::uint8_t* data, std::size_t size, std::span<const std::string> paths);

/// Encodes the files. Throws std::out_of_range for a path that is not in the table.
std::string input_of(const Files& files, std::span<const std::string> paths);

/// A directory, in memory if the system supports it, that is removed at the end. Between inputs, it writes or removes
/// only files that differ, because this takes most of the time.
class KeptDirectory {
 public:
  KeptDirectory();
  ~KeptDirectory();
  KeptDirectory(const KeptDirectory&) = delete;
  KeptDirectory& operator=(const KeptDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Makes these the only files, with only the folders that they need.
  void become(Files files);
  /// Call this after something else has written to the directory: the next files are all written.
  void forget();

 private:
  std::filesystem::path path_;
  Files files_;
};

}  // namespace touchstone::fuzz
