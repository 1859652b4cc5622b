// The journal of a merge before it is complete.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "conformance/session/output_directory.h"

namespace touchstone::conformance {

/// A merge that fails or is killed must neither remove the results of an earlier run nor look like a run that can be
/// resumed, so its journal has another name until it is complete.
class PendingJournal {
 public:
  /// Claims the directory, which must outlive this, for a run with this data (see RunInfo::data) and this content of a
  /// file of known failures. Throws RunRefused; FileError.
  PendingJournal(OutputDirectory& output, const std::string& data, std::optional<std::string> known_failures);
  /// Removes the journal unless it was put in place.
  ~PendingJournal();
  PendingJournal(const PendingJournal&) = delete;
  PendingJournal& operator=(const PendingJournal&) = delete;

  /// Where the journal is to be written.
  const std::filesystem::path& path() const { return path_; }

  /// Replaces the results of an earlier run with the journal and the known failures. Throws FileError.
  void put_in_place();

 private:
  OutputDirectory& output_;
  std::optional<std::string> known_failures_;
  bool is_new_directory_;
  bool is_in_place_ = false;
  std::filesystem::path path_;
};

}  // namespace touchstone::conformance
