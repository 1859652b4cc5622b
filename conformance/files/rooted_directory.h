// Files of somebody else below a directory, read so that no symbolic link leads out of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "conformance/files/file_descriptor.h"

namespace touchstone::conformance {

/// A directory that is open. What lies below it is opened one component after the other, each in the directory that the
/// one before it turned out to be, and none if it is a symbolic link: nothing can be exchanged between a look and the
/// opening. So whoever writes there cannot have other files read. Safe to be used by several threads.
///
/// All functions take a path below it and throw FileError: a symbolic link, a path that leads out of it, or what the
/// system says. That something is not there is no error.
class RootedDirectory {
 public:
  /// `root` itself may be a symbolic link. Throws FileError if it is not a directory or cannot be opened.
  explicit RootedDirectory(std::filesystem::path root);

  /// Where it was when it was opened.
  const std::filesystem::path& path() const { return root_; }

  bool has(const std::filesystem::path& below) const;
  /// The names in a directory, in no order. Throws also if it is none.
  std::vector<std::string> names_in(const std::filesystem::path& below) const;
  /// As read_bounded_file.
  std::optional<std::string> read(const std::filesystem::path& below, std::uint64_t limit) const;

 private:
  std::filesystem::path root_;
  FileDescriptor descriptor_;
};

}  // namespace touchstone::conformance
