// The directory that a run writes to, before it does: that it is nobody else's, and has nothing of an earlier run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/run/journal_lock.h"

namespace touchstone::tools {

/// Throws Exit where the directory that this option names is a symbolic link.
void refuse_links(std::string_view option, const std::filesystem::path& directory);

/// That of a run that goes on. Throws Exit where another is writing, or there is no journal.
conformance::JournalLock lock_run(const std::filesystem::path& directory);
/// That of a run that begins. Throws Exit where another is writing.
conformance::JournalLock lock_new_run(const std::filesystem::path& directory);

/// A run may be many hours of work, of which only one that is finished has given its results. Throws Exit.
void refuse_to_lose_a_run(const std::filesystem::path& directory);

/// Throws Exit where the place of the reproducers has anything that no run wrote, or the data that are to be run.
void refuse_to_lose_reproducers(const std::filesystem::path& directory, const std::optional<std::string>& data);

/// Reports and reproducers of an earlier run, or of what there was of this one, would be taken for this one's if it is
/// killed. Throws FileError.
void remove_results(const std::filesystem::path& directory);

}  // namespace touchstone::tools
