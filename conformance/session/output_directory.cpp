#include "conformance/session/output_directory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>

#include "conformance/files/file_io.h"
#include "conformance/files/limits.h"
#include "conformance/files/output_file.h"
#include "conformance/files/sha256.h"
#include "conformance/report/format.h"
#include "conformance/session/reproducers.h"
#include "conformance/version.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

namespace {

using Reason = RunRefused::Reason;

/// An unusual name, because a run without known failures removes the file.
constexpr std::string_view known_failures_name = "journal.expectations.json";

[[noreturn]] void refuse(Reason reason, const fs::path& directory, const std::string& message) {
  throw RunRefused(reason, directory, fmt::format("{}: {}", directory.string(), message));
}

void refuse_link(Reason reason, const fs::path& directory) try {
  refuse_linked_directory(directory);
} catch (const FileError& error) {
  throw RunRefused(reason, directory, error.what());
}

/// Creates the directory, and checks that files can be written in it.
void create(const fs::path& directory) {
  const auto fail = [&](std::string_view what, const std::error_code& error) {
    const std::string message = fmt::format("{}{}", what, error.message());
    if (is_failure_of_device(error)) throw FileError(directory.string(), message);
    refuse(Reason::output, directory, message);
  };
  std::error_code error;
  fs::create_directories(directory, error);
  if (!error && !fs::is_directory(directory)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) fail("", error);
  // Permissions do not show whether the file system is read-only.
  const fs::path probe = directory / fmt::format(".probe.{}", ::getpid());
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(probe.c_str(), "wxe"), std::fclose);
  if (file == nullptr) fail("cannot be written to: ", {errno, std::generic_category()});
  fs::remove(probe, error);
}

void lock(OutputDirectory& directory, std::optional<JournalLock> taken) {
  const std::string journal = directory.journal().string();
  if (!taken)
    throw RunRefused(Reason::in_use, directory.path,
                     journal + ": another run is writing to it: wait for it to end, or choose another directory");
  directory.lock.emplace(*std::move(taken));
}

/// An unfinished run may be many hours of work, and has no results yet.
void check_run(const OutputDirectory& directory) {
  const JournalState state = journal_state(directory.journal());
  if (state == JournalState::unfinished)
    refuse(Reason::unfinished_run, directory.path, "the run in this directory is not finished");
  if (state == JournalState::unknown)
    refuse(Reason::unknown_journal, directory.path,
           fmt::format("{} exists and is not recognizable as the journal of a finished run",
                       directory.journal().string()));
}

void check_files(const fs::path& directory, const std::string& data) {
  try {
    check_reproducers(directory);
  } catch (const FileError& error) {
    throw RunRefused(Reason::files, directory, error.what());
  }
  const fs::path reproducers = reproducers_in(directory);
  if (!data.empty() && fs::exists(reproducers) && (is_inside(data, reproducers) || is_inside(reproducers, data)))
    throw RunRefused(Reason::data, directory,
                     fmt::format("{} has the cases in {}, which this run would replace with its own reproducers", data,
                                 reproducers.string()));
}

}  // namespace

bool is_inside(const fs::path& path, const fs::path& directory) {
  const auto plain = [](const fs::path& any) {
    const fs::path canonical = fs::weakly_canonical(any);
    return canonical.has_filename() ? canonical : canonical.parent_path();  // if it ends with a slash
  };
  const fs::path inner = plain(path);
  const fs::path outer = plain(directory);
  return std::ranges::mismatch(outer, inner).in1 == outer.end();
}

Journal read_run(const fs::path& directory) {
  std::error_code error;
  if (!fs::exists(directory / journal_name, error))
    throw RunRefused(Reason::no_run, directory, fmt::format("{} has no {}", directory.string(), journal_name));
  return read_journal(directory / journal_name);
}

fs::path journal_before_in(const fs::path& directory) { return directory / "journal.before.ndjson.gz"; }

fs::path saved_known_failures_in(const fs::path& directory) { return directory / known_failures_name; }

std::vector<KnownFailure> saved_known_failures(const fs::path& directory, const RunInfo& run) {
  const fs::path path = directory / known_failures_name;
  std::error_code error;
  std::optional<std::string> content;
  if (fs::exists(path, error)) content = read_bounded_file(path, limits().file_bytes);
  if (hash_of_known_failures(content) != run.expectations)
    throw FileError(
        path.string(),
        fmt::format("{}, and the journal says that the run {}: to judge by other expectations, give them to "
                    "touchstone run --resume {} --expectations FILE",
                    content ? "has the SHA-256 " + hash_of_known_failures(content) : "does not exist",
                    run.expectations.empty() ? "had none" : "had those with the SHA-256 " + run.expectations,
                    directory.string()));
  std::vector<KnownFailure> known =
      content ? parse_known_failures(*content, path.string()) : std::vector<KnownFailure>();
  if (run.last_failed)
    for (KnownFailure& row : known) row.where.clear();
  return known;
}

std::string hash_of_known_failures(const std::optional<std::string>& content) {
  return content ? sha256({*content}) : std::string();
}

std::optional<std::string> known_failures_content(const fs::path& file, const fs::path& directory) try {
  if (file.empty()) return std::nullopt;
  std::string content = read_bounded_file(file, limits().file_bytes);
  parse_known_failures(content, file.string());
  return content;
} catch (const FileError& error) {
  throw RunRefused(Reason::known_failures, directory, error.what());
}

void save_known_failures(const fs::path& directory, const std::optional<std::string>& content) {
  if (content) return write_file_below(directory, known_failures_name, *content);
  std::error_code error;
  fs::remove(directory / known_failures_name, error);
  if (error) throw FileError((directory / known_failures_name).string(), error.message());
}

OutputDirectory new_run_in(fs::path path, bool overwrite) {
  refuse_link(Reason::output, path);
  return {.path = std::move(path), .overwrite = overwrite};
}

OutputDirectory resumed_run_in(fs::path path) {
  refuse_link(Reason::resumed_run, path);
  OutputDirectory directory{.path = std::move(path)};
  lock(directory, JournalLock::take_existing(directory.journal()));
  directory.resumed = read_journal(directory.journal());
  const RunInfo& run = directory.resumed->run;
  if (run.tool_version != touchstone_version)
    refuse(Reason::resumed_run, directory.path,
           fmt::format("touchstone {} made that run; this is {}, whose cases may differ",
                       printable(run.tool_version, 100), touchstone_version));
  if (!find_tier(run.tier))
    throw FileError(fmt::format("{}: line 1", directory.journal().string()),
                    fmt::format("unknown tier {}", in_quotes(run.tier)));
  return directory;
}

void claim(OutputDirectory& directory, const std::string& data) {
  if (!directory.resumed) create(directory.path);
  check_files(directory.path, data);
  if (!directory.resumed) {
    lock(directory, JournalLock::take(directory.journal()));
    if (!directory.overwrite) check_run(directory);
  }
}

void keep_journal_before(const OutputDirectory& directory, bool is_kept) {
  const fs::path before = journal_before_in(directory.path);
  if (is_kept)
    return write_file_below(directory.path, before.filename(),
                            read_bounded_file(directory.journal(), limits().journal_bytes));
  std::error_code error;
  fs::remove(before, error);
  if (error) throw FileError(before.string(), "cannot be removed: " + error.message());
}

void remove_results(const OutputDirectory& directory) {
  remove_reproducers(directory.path);
  remove_partial_files(directory.path);
  if (journal_state(directory.journal()) == JournalState::nothing) return;  // no run wrote the reports
  for (const ReportFormat& format : report_formats()) {
    const fs::path report = directory.path / format.file_name;
    std::error_code error;
    fs::remove(report, error);
    if (error) throw FileError(report.string(), "cannot be removed: " + error.message());
  }
  if (directory.resumed) return;
  std::error_code error;
  fs::resize_file(directory.journal(), 0, error);
  if (error) throw FileError(directory.journal().string(), "cannot be emptied: " + error.message());
}

void replace_journal(OutputDirectory& directory, const fs::path& by) {
  std::optional<JournalLock> lock = JournalLock::take(by);
  std::error_code error;
  fs::rename(by, directory.journal(), error);
  if (error) throw FileError(directory.journal().string(), "cannot be replaced: " + error.message());
  directory.lock = std::move(lock);
}

PendingJournal::PendingJournal(OutputDirectory& output, const std::string& data,
                               std::optional<std::string> known_failures)
    : output_(output),
      known_failures_(std::move(known_failures)),
      is_new_directory_(!fs::exists(output.path)),
      path_(output.path / partial_name(std::string(journal_name))) {
  claim(output_, data);
}

PendingJournal::~PendingJournal() {
  if (is_in_place_) return;
  std::error_code error;
  fs::remove(path_, error);
  if (journal_state(output_.journal()) == JournalState::nothing) fs::remove(output_.journal(), error);  // the lock's
  if (is_new_directory_) fs::remove(output_.path, error);  // unless it has files
}

void PendingJournal::put_in_place() {
  const fs::path known_failures = saved_known_failures_in(output_.path);
  const std::string temporary = partial_name(known_failures.filename().string());
  if (known_failures_)
    write_file_below(output_.path, temporary, *known_failures_);  // first, because the disk may be full
  remove_results(output_);
  if (known_failures_)
    fs::rename(output_.path / temporary, known_failures);
  else
    save_known_failures(output_.path, std::nullopt);
  replace_journal(output_, path_);
  is_in_place_ = true;
}

}  // namespace touchstone::conformance
