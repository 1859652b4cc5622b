// The output directory of a run: its journal and known failures. Protects unfinished runs and files that no run wrote.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/run/journal.h"
#include "conformance/run/journal_lock.h"
#include "conformance/run/known_failures.h"

namespace touchstone::conformance {

/// A run cannot begin, or cannot be resumed, as requested. Nothing was removed or overwritten.
class RunRefused : public std::runtime_error {
 public:
  enum class Reason {
    output,           ///< the directory of a new run is unsuitable
    unfinished_run,   ///< it has a run that is not finished
    unknown_journal,  ///< its journal is damaged, or not a journal
    in_use,           ///< another run is writing to the directory
    files,            ///< the directory has files that no run wrote
    resumed_run,      ///< the run is not the one to resume
    data,             ///< the new run would remove its own cases
    known_failures,   ///< the file of known failures cannot be read
    no_run,           ///< the directory has no journal
  };

  RunRefused(Reason reason, std::filesystem::path directory, const std::string& message)
      : std::runtime_error(message), reason_(reason), directory_(std::move(directory)) {}

  Reason reason() const { return reason_; }
  const std::filesystem::path& directory() const { return directory_; }

 private:
  Reason reason_;
  std::filesystem::path directory_;
};

/// Whether the path is in the directory, or is the directory. Neither need exist.
bool is_inside(const std::filesystem::path& path, const std::filesystem::path& directory);

/// The journal in the directory of an earlier run. Throws RunRefused if there is none; FileError if it is damaged.
Journal read_run(const std::filesystem::path& directory);

/// The journal of the run before one with --last-failed in the same directory, which needs it to be resumed.
std::filesystem::path journal_before_in(const std::filesystem::path& directory);

/// Where the known failures of the run in the directory are, if it had any.
std::filesystem::path saved_known_failures_in(const std::filesystem::path& directory);
/// The known failures of the run in the directory; empty if it had none. Of a run with --last-failed, without the rules
/// of causes: these depend on the right cases, too. Throws FileError, also if they are not those whose hash the journal
/// has.
std::vector<KnownFailure> saved_known_failures(const std::filesystem::path& directory, const RunInfo& run);
/// The content of a file of known failures for a run in the directory; std::nullopt for an empty path. Throws
/// RunRefused if it cannot be read.
std::optional<std::string> known_failures_content(const std::filesystem::path& file,
                                                  const std::filesystem::path& directory);
/// The hash of this content for RunInfo::expectations; empty if there is none.
std::string hash_of_known_failures(const std::optional<std::string>& content);
/// Replaces them with the content of a file. std::nullopt removes those of an earlier run. Throws FileError.
void save_known_failures(const std::filesystem::path& directory, const std::optional<std::string>& content);

/// The directory of a new run, or of a run to resume.
struct OutputDirectory {
  std::filesystem::path path;
  bool overwrite = false;
  std::optional<JournalLock> lock = std::nullopt;
  std::optional<Journal> resumed = std::nullopt;

  std::filesystem::path journal() const { return path / journal_name; }
};

/// For a new run, which may replace a finished run; with `overwrite`, also an unfinished or damaged one. Throws
/// RunRefused if the path is a symbolic link.
OutputDirectory new_run_in(std::filesystem::path path, bool overwrite = false);

/// Locks the journal of a run to resume, and reads it. Throws RunRefused if the path is a symbolic link, another
/// process is writing to the journal, or another version of Touchstone wrote it; FileError if it is missing or damaged.
OutputDirectory resumed_run_in(std::filesystem::path path);

/// Locks the directory for a run with this data (see RunInfo::data). Throws RunRefused if the directory is not
/// writable, another process is writing to the journal, or files would be lost; FileError.
void claim(OutputDirectory& directory, const std::string& data);

/// Keeps the journal of a claimed directory as journal_before_in, or removes that of an earlier run. Throws FileError.
void keep_journal_before(const OutputDirectory& directory, bool is_kept);

/// Removes reports and reproducers of an earlier run in a claimed directory, or of the interrupted part of this one,
/// because they would be mistaken for the results of this run if it is killed. Empties the journal of an earlier run,
/// because it would be mistaken for one with the known failures of this run. Throws FileError.
void remove_results(const OutputDirectory& directory);

/// Replaces the journal of a claimed directory with another file in it. Throws FileError.
void replace_journal(OutputDirectory& directory, const std::filesystem::path& by);

/// The journal of a merge before it is complete. A merge that fails or is killed must neither remove the results of an
/// earlier run nor look like a run that can be resumed, so its journal has another name until it is complete.
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
