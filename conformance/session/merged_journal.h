// The journal of a merge that makes no reports, written case by case.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "conformance/run/journal.h"
#include "conformance/run/output_limits.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"
#include "conformance/session/output_directory.h"

namespace touchstone::conformance {

/// Keeps no records. Has the lines that the journal of a merge with reports has, except the last one, which needs all
/// records.
class MergedJournal {
 public:
  /// Begins the journal under another name in the directory, which keeps the results of an earlier run for now.
  /// `known_failures` is a file; empty: none. Throws RunRefused; FileError.
  MergedJournal(OutputDirectory output, const RunInfo& run, const std::string& started,
                const std::filesystem::path& known_failures);
  /// Removes the journal unless it was put in place.
  ~MergedJournal();
  MergedJournal(const MergedJournal&) = delete;
  MergedJournal& operator=(const MergedJournal&) = delete;

  /// Throws FileError.
  void add(CaseRecord record);

  /// Replaces the results of an earlier run. To be called after the last case. Throws FileError.
  void put_in_place();

 private:
  OutputDirectory output_;
  std::optional<std::string> known_failures_;
  bool is_new_directory_;
  std::filesystem::path path_;
  JournalWriter journal_;
  TextBudget texts_;
};

}  // namespace touchstone::conformance
