// An input that is the files of a directory: each piece is one of them, its first byte says which.
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

/// Contents by paths below the directory. The last of several pieces counts.
using Files = std::map<std::string, std::string>;

/// By a table of the paths that there can be. More pieces than that are left out.
Files files_of(const std::uint8_t* data, std::size_t size, std::span<const std::string> paths);

/// Throws std::out_of_range: a path that is not in the table.
std::string input_of(const Files& files, std::span<const std::string> paths);

/// A directory in memory, where the system has a place for such, and removed at the end. From one input to the next
/// only those files are written or removed that are not as they were: that is what costs most.
class KeptDirectory {
 public:
  KeptDirectory();
  ~KeptDirectory();
  KeptDirectory(const KeptDirectory&) = delete;
  KeptDirectory& operator=(const KeptDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Makes these the files in it, with the folders that they need and no others.
  void become(Files files);
  /// Somebody else has written to it: the next files are all written.
  void forget();

 private:
  std::filesystem::path path_;
  Files files_;
};

}  // namespace touchstone::fuzz
