// DIR/journal.ndjson: the record of a run, from which every report is made.
//
// Its first line says what the run is, every other one is a case, in the order of the plan. It only ever grows, case by
// case, so that a run that was killed loses no more than what it was at: reading ignores a last line that is not whole.
// When the reports are made, a last line says which cases contradict each other. A run that is resumed replaces it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/files/file_error.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/inconsistencies.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

inline constexpr std::string_view journal_name = "journal.ndjson";

struct Journal {
  RunInfo run;
  std::vector<CaseRecord> records;
  /// Nothing if the run was killed before it looked for them.
  std::optional<std::vector<Inconsistency>> inconsistencies = std::nullopt;
  std::uint64_t whole_bytes = 0;  ///< of the run and of cases that are whole: where a resumed run goes on
};

/// Throws FileError: no such file; a first line that is not whole; a line other than the last that cannot be
/// understood, with its number; a case that stands there twice, or behind the inconsistencies; more cases than the plan
/// has, or elements than can be counted.
Journal read_journal(const std::filesystem::path& path);
/// The same of a journal's content; `origin` (a path) stands in error messages.
Journal read_journal(std::istream& content, const std::string& origin);

/// What is lost if a new journal takes the place of what is at a path.
enum class JournalState {
  nothing,     ///< no file, or an empty one
  finished,    ///< a journal with all cases of its plan
  unfinished,  ///< a journal without some of them
  unknown,     ///< something that cannot be told for a journal: a spoilt one, perhaps, of many hours
};

/// By its lines alone, so that it can be told of a journal of any version.
JournalState journal_state(const std::filesystem::path& path);
/// The same of a file's content.
JournalState journal_state(std::istream& content);

/// That the journal's run can go on with this plan: the cases are the same, and the finished ones are still what they
/// were: those of files, and of the generator, which may change without the tool's version, the first, the last and
/// every 50th between. Throws FileError that names the case.
void check_same_cases(const std::filesystem::path& path, const Journal& journal, const std::vector<PlannedCase>& plan);

class JournalWriter {
 public:
  /// Begins a new journal, in place of one that is there. Throws FileError.
  static JournalWriter begin(const std::filesystem::path& path, const RunInfo& run);
  /// Goes on behind what was read, dropping the rest. Throws FileError.
  static JournalWriter resume(const std::filesystem::path& path, const Journal& read);

  /// Appends cases; they are in the hands of the system when this returns. Throws FileError: the disk is full, say.
  void write(std::span<const CaseRecord> records);
  /// Appends the last line. Throws FileError.
  void finish(const std::vector<Inconsistency>& inconsistencies);

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  JournalWriter(std::string path, int flags);
  void write(const std::string& lines);

  std::string path_;
  File file_;
};

}  // namespace touchstone::conformance
