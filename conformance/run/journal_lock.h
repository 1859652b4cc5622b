// Lets only one run at a time write a journal. Two would truncate it and interleave their lines.
#pragma once

#include <filesystem>
#include <optional>
#include <utility>

#include "conformance/files/file_descriptor.h"
#include "conformance/files/file_error.h"

namespace touchstone::conformance {

/// Held until it is destroyed. The system releases it when the program ends, even abnormally.
class JournalLock {
 public:
  /// std::nullopt if another run holds the lock. Creates an empty journal if there is none. Throws FileError.
  static std::optional<JournalLock> take(const std::filesystem::path& journal);
  /// The same for a journal, or the directory of a pack, that must exist. Throws FileError.
  static std::optional<JournalLock> take_existing(const std::filesystem::path& journal);

 private:
  explicit JournalLock(FileDescriptor file) : file_(std::move(file)) {}
  static std::optional<JournalLock> open(const std::filesystem::path& journal, int flags);

  FileDescriptor file_;
};

}  // namespace touchstone::conformance
