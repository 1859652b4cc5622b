// Reads untrusted files below a directory, without following symbolic links out of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/files/file_descriptor.h"

namespace touchstone::conformance {

/// An open directory. Paths below it are opened component by component, each relative to the descriptor of the previous
/// one, and symbolic links are refused. So nobody who can write to the directory can make Touchstone read other files,
/// even by replacing files concurrently. Thread-safe.
///
/// All functions take a path below the directory. They throw FileError for a symbolic link, for a path that leads out
/// of the directory, and for system errors. A missing file is not an error.
class RootedDirectory {
 public:
  /// `root` itself may be a symbolic link. Throws FileError if it is not a directory or cannot be opened.
  explicit RootedDirectory(std::filesystem::path root);

  /// Its path when it was opened.
  const std::filesystem::path& path() const { return root_; }

  bool has(const std::filesystem::path& below) const;
  /// The names in a directory, in no particular order. Throws if it is not a directory.
  std::vector<std::string> names_in(const std::filesystem::path& below) const;
  /// Like read_bounded_file.
  std::optional<std::string> read(const std::filesystem::path& below, std::uint64_t limit) const;
  /// A regular file of at most `limit` bytes, to be read in parts from any position; null if it does not exist.
  std::unique_ptr<std::istream> open(const std::filesystem::path& below, std::uint64_t limit) const;

 private:
  std::filesystem::path root_;
  FileDescriptor descriptor_;
};

}  // namespace touchstone::conformance
