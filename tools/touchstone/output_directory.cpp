#include "tools/touchstone/output_directory.h"

#include <fmt/format.h>

#include "conformance/files/output_file.h"
#include "conformance/report/format.h"
#include "conformance/run/journal.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/reproducers.h"

namespace touchstone::tools {

using namespace conformance;
namespace fs = std::filesystem;

namespace {

template <class Take>
JournalLock lock_journal(const fs::path& directory, Take take) try {
  const fs::path journal = directory / journal_name;
  std::optional<JournalLock> lock = take(journal);
  if (!lock)
    throw Exit(usage, fmt::format("{}: another run is writing to it: let it end, or name another directory",
                                  journal.string()));
  return std::move(*lock);
} catch (const FileError& error) {
  throw Exit(broken, error.what());
}

}  // namespace

void refuse_links(std::string_view option, const fs::path& directory) {
  try {
    refuse_linked_directory(directory);
  } catch (const FileError& error) {
    throw Exit(usage, fmt::format("{} {}", option, error.what()));
  }
}

JournalLock lock_run(const fs::path& directory) { return lock_journal(directory, JournalLock::take_existing); }

JournalLock lock_new_run(const fs::path& directory) { return lock_journal(directory, JournalLock::take); }

void refuse_to_lose_a_run(const fs::path& directory) {
  const JournalState state = journal_state(directory / journal_name);
  if (state == JournalState::unfinished)
    throw Exit(usage,
               fmt::format("--output {0}: the run in this directory is not finished: continue it with --resume {0}, "
                           "or replace it with --overwrite",
                           directory.string()));
  if (state == JournalState::unknown)
    throw Exit(usage, fmt::format("--output {}: {} exists and is not recognizable as the journal of a finished run: "
                                  "name another directory, or replace it with --overwrite",
                                  directory.string(), (directory / journal_name).string()));
}

void refuse_to_lose_reproducers(const fs::path& directory, const std::optional<std::string>& data) {
  const fs::path reproducers = reproducers_in(directory);
  try {
    check_reproducers(directory);
  } catch (const FileError& error) {
    throw Exit(usage, error.what());
  }
  if (data && fs::exists(reproducers) && overlap(*data, reproducers))
    throw Exit(usage, fmt::format("--data {} has the cases in {}, which this run would replace by its own reproducers: "
                                  "name another directory with --output, or move them elsewhere",
                                  *data, reproducers.string()));
}

void remove_results(const fs::path& directory) {
  remove_reproducers(directory);
  if (journal_state(directory / journal_name) == JournalState::nothing) return;  // then the reports are no run's
  for (const ReportFormat& format : report_formats()) {
    std::error_code error;
    fs::remove(directory / format.file_name, error);
    if (error) throw FileError((directory / format.file_name).string(), "cannot be removed: " + error.message());
  }
}

}  // namespace touchstone::tools
