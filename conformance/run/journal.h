// DIR/journal.ndjson.gz: the record of a run, from which every report is made. zcat prints its lines; they are
// compressed one by one (gzip_lines.h).
//
// The first line describes the run. Every other line is a case, in the order of the plan. The file is only appended to,
// case by case, so that a killed run loses only its unfinished cases: reading ignores an incomplete last line. When the
// reports are made, a last line says how many cases come before it, and lists the cases that contradict each other,
// those that contradict a hypothesis, the fingerprint, the experiments, and why the run ended early. Without that line,
// the journal is not finished. A resumed run replaces it. Each line has a checksum that depends on all lines before it
// (line_chain.h), and a time: when the run began, the seconds that the case took, when the last case was finished.
//
// Many cases have the same clauses, which would be half of the file. So a case whose clauses are those of an earlier
// one has the number of that line instead: "clauses":2 stands for the clauses of the case in line 2. This writes them
// out:
//
//   zcat journal.ndjson.gz | jq -cs '. as $lines | .[] | if .clauses | numbers then .clauses = $lines[.clauses -
//   1].clauses else . end'
#pragma once

#include <cstdio>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/files/file_error.h"
#include "conformance/files/gzip_lines.h"
#include "conformance/files/json_text.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/findings.h"
#include "conformance/run/line_chain.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

inline constexpr std::string_view journal_name = "journal.ndjson.gz";

/// The version of the format. Version 1 had digests without expected outputs and repeats. Version 2 had the clauses of
/// each case in its line. Version 3 had no checksums. Version 4 had no times, and short digests. Version 5 had no count
/// of the cases in its last line, which a merge left out, and no hash of the known failures.
inline constexpr int journal_format = 6;

/// Its findings are there if it is finished. A merge without reports has no inconsistencies and no fingerprint.
struct Journal : Findings {
  RunInfo run;
  std::vector<CaseRecord> records;
  RunTimes times = {};
  bool is_finished = false;  ///< whether it has a last line, even if cases of the plan are missing
  // Where a resumed run continues: after the run and its complete cases.
  GzipPlace whole = {};
  std::string sum = "";  ///< of the last of these lines, see LineChain: it depends on all their content except times
};

/// Reads a journal case by case, and keeps only what it needs for the next ones. Throws as read_journal does, but does
/// not find out whether a case occurs twice, and whether the last line is about cases of the journal.
class JournalReader {
 public:
  /// Reads the first line. Readers of many journals can have the same lists of clauses.
  explicit JournalReader(const std::filesystem::path& path,
                         std::shared_ptr<ClauseLists> clauses = std::make_shared<ClauseLists>());
  /// The same for the content of a file, which must outlive the reader. `origin` (a path) is used in error messages.
  JournalReader(std::istream& content, std::string origin);
  ~JournalReader();
  JournalReader(JournalReader&& other) noexcept;
  JournalReader& operator=(JournalReader&& other) noexcept;

  /// Everything that was read except the records.
  const Journal& journal() const;
  /// The next case; std::nullopt after the last one.
  std::optional<CaseRecord> next();
  /// Throws a FileError about a line, by default the one that was read last.
  [[noreturn]] void refuse(const std::string& what, std::optional<std::size_t> line = std::nullopt) const;

 private:
  struct State;
  explicit JournalReader(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

/// Throws FileError if the file does not exist; it is not compressed, or not line by line; the first line is
/// incomplete; a complete line has a wrong checksum or cannot be parsed (with its number); a case occurs twice, or
/// after the last line; the last line counts other cases; or there are more cases than the plan has, or more elements
/// than can be counted.
Journal read_journal(const std::filesystem::path& path);
/// The same for the content of a file. `origin` (a path) is used in error messages.
Journal read_journal(std::istream& content, const std::string& origin);

/// What would be lost if a new journal replaced the file at a path.
enum class JournalState {
  nothing,     ///< no file, an empty one, or one that ends within the first line of a journal
  finished,    ///< a journal with all cases of its plan, and its last line
  unfinished,  ///< a journal without some of them
  unknown,     ///< a file that is not recognized as a journal, possibly a damaged one
};

/// Only examines the structure of the lines, so it works for journals of any version.
JournalState journal_state(const std::filesystem::path& path);
/// The same for a file's content.
JournalState journal_state(std::istream& content);

/// A case as it was when it was run.
struct EarlierCase {
  Sha256 digest;
  Sha256 description;  ///< see description_digest
  SharedText reason;   ///< if it could not be read
};

/// How cases are compared with the plan.
struct CaseComparison {
  unsigned jobs = 1;  ///< threads
  /// Called after each case, and never by two threads at once; may be null.
  std::function<void(std::string_view id)> on_case = nullptr;
};

/// Checks that `run` had this plan. `path` is used in error messages. `hash` is that of the whole plan if `plan` is a
/// part of it or has another order. Throws FileError.
void check_same_plan(const std::filesystem::path& path, const RunInfo& run, const std::vector<PlannedCase>& plan,
                     const std::string& hash = "");

/// Also checks that none of the first `count` cases has changed since it was as `earlier` says. Only making and
/// interpreting each case again shows that its digest is true, so this takes as long as a run of the reference. Throws
/// FileError that names the case.
void check_same_cases(const std::filesystem::path& path, const RunInfo& run, std::size_t count,
                      const std::function<EarlierCase(std::size_t place)>& earlier,
                      const std::vector<PlannedCase>& plan, const std::string& hash = "",
                      const CaseComparison& comparison = {});
/// The same for the cases that have a record. Also checks their ids.
void check_same_cases(const std::filesystem::path& path, const RunInfo& run, std::span<const CaseRecord> records,
                      const std::vector<PlannedCase>& plan, const std::string& hash = "",
                      const CaseComparison& comparison = {});

class JournalWriter {
 public:
  /// Starts a new journal, which replaces an existing one. Throws FileError.
  static JournalWriter begin(const std::filesystem::path& path, const RunInfo& run,
                             const std::string& started = utc_now());
  /// Continues after the lines that were read, and drops the rest. Throws FileError.
  static JournalWriter resume(const std::filesystem::path& path, const Journal& read);

  /// Appends cases. When this returns, the operating system has the data. Throws FileError, for example if the disk is
  /// full, or if the journal would be longer than can be read.
  void write(std::span<const CaseRecord> records);
  /// Appends the last line. Throws FileError.
  void finish(const Findings& findings, const std::string& finished = utc_now());

  /// The same as Journal::sum.
  const std::string& sum() const { return chain_.sum(); }

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  JournalWriter(std::string path, int flags);
  /// The bytes of the next line.
  std::string next_line(const Json& object);
  void write(const std::string& bytes);
  /// The line of the first case with the clauses of this one, which is the next case of the file.
  std::size_t line_of_clauses(const CaseRecord& record);

  std::string path_;
  File file_;
  LineChain chain_;
  GzipLineWriter gzip_;
  std::size_t cases_ = 0;  ///< in the file
  std::map<Shared<std::vector<std::string_view>>, std::size_t> lines_of_clauses_;
};

}  // namespace touchstone::conformance
