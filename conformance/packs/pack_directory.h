// The directory that a pack is written to: that it is nobody else's, and that nobody takes half a pack for a whole one.
#pragma once

#include <filesystem>
#include <string_view>

#include "conformance/files/file_error.h"
#include "conformance/files/file_io.h"
#include "conformance/run/journal_lock.h"

namespace touchstone::conformance {

class PackDirectory {
 public:
  /// Makes it if it is not there, and keeps others from writing to it. What an export left that did not come to its end
  /// is removed; a finished pack, with all that lies in its folders, only with `overwrite`. Throws FileError, before
  /// anything is removed: it holds something else, or a finished pack, or a symbolic link among what would be removed.
  static PackDirectory begin(const std::filesystem::path& directory, bool overwrite);

  /// A folder below the directory, unless it is there already. Throws FileError.
  void make_folder(const std::filesystem::path& below) const;

  /// A new file below the directory. Throws FileError, also if it is there already.
  void write(const std::filesystem::path& below, std::string_view content) const;

  /// Writes the manifest: now it is a pack. Throws FileError.
  void finish(const std::function<void(const Sink&)>& write_manifest) const;

 private:
  PackDirectory(std::filesystem::path directory, JournalLock lock)
      : directory_(std::move(directory)), lock_(std::move(lock)) {}

  std::filesystem::path directory_;
  JournalLock lock_;
};

}  // namespace touchstone::conformance
