// The directory to which a pack is written. Protects other files in it, and prevents an incomplete pack from being
// mistaken for a complete one.
#pragma once

#include <filesystem>
#include <string_view>

#include "conformance/files/file_error.h"
#include "conformance/files/file_io.h"
#include "conformance/run/journal_lock.h"

namespace touchstone::conformance {

class PackDirectory {
 public:
  /// Creates the directory if necessary, and locks it against other exports. Removes the remains of an incomplete
  /// export. Removes a finished pack, with everything in its folders, only with `overwrite`. Throws FileError, before
  /// anything is removed, if the directory contains something else, a finished pack, or a symbolic link among what
  /// would be removed.
  static PackDirectory begin(const std::filesystem::path& directory, bool overwrite);

  /// Creates a folder below the directory, unless it exists. Throws FileError.
  void make_folder(const std::filesystem::path& below) const;

  /// Writes a new file below the directory. Throws FileError, also if it exists.
  void write(const std::filesystem::path& below, std::string_view content) const;

  /// Writes the manifest, which completes the pack. Throws FileError.
  void finish(const std::function<void(const Sink&)>& write_manifest) const;

 private:
  PackDirectory(std::filesystem::path directory, JournalLock lock)
      : directory_(std::move(directory)), lock_(std::move(lock)) {}

  std::filesystem::path directory_;
  JournalLock lock_;
};

}  // namespace touchstone::conformance
