// A journal is written by one run at a time: two would cut off and mix up each other's lines.
#pragma once

#include <filesystem>
#include <optional>

#include "conformance/files/file_error.h"

namespace touchstone::conformance {

/// Held until it is destroyed; the system lets it go when the program ends, however it does.
class JournalLock {
 public:
  /// Nothing if another holds it. Where there is no journal yet, it makes an empty one. Throws FileError.
  static std::optional<JournalLock> take(const std::filesystem::path& journal);
  /// The same of a journal that must be there. Throws FileError.
  static std::optional<JournalLock> take_existing(const std::filesystem::path& journal);

  JournalLock(JournalLock&& other) noexcept;
  JournalLock& operator=(JournalLock&&) = delete;
  ~JournalLock();

 private:
  explicit JournalLock(int descriptor) : descriptor_(descriptor) {}
  static std::optional<JournalLock> open(const std::filesystem::path& journal, int flags);

  int descriptor_;
};

}  // namespace touchstone::conformance
