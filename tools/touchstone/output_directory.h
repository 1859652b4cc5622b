// Prepares the output directory of a run: protects other files, and removes the results of earlier runs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/run/journal_lock.h"

namespace touchstone::tools {

/// Throws Exit if the directory that this option names is a symbolic link.
void refuse_links(std::string_view option, const std::filesystem::path& directory);

/// Locks the journal of a run to resume. Throws Exit if another process is writing to it, or there is no journal.
conformance::JournalLock lock_run(const std::filesystem::path& directory);
/// Locks the journal of a new run. Throws Exit if another process is writing to it.
conformance::JournalLock lock_new_run(const std::filesystem::path& directory);

/// Throws Exit if the directory has an unfinished run, which may be many hours of work and has no results yet.
void refuse_to_lose_a_run(const std::filesystem::path& directory);

/// Throws Exit if the folder of the reproducers contains a file that no run wrote, or the data for this run.
void refuse_to_lose_reproducers(const std::filesystem::path& directory, const std::optional<std::string>& data);

/// Removes reports and reproducers of an earlier run, or of the interrupted part of this one. If this run is killed,
/// they would be mistaken for its results. Throws FileError.
void remove_results(const std::filesystem::path& directory);

}  // namespace touchstone::tools
