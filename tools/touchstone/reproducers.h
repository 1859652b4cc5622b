// DIR/reproducers in a run's output directory. Distinguishes files that runs wrote from other files.
#pragma once

#include <filesystem>
#include <string>

namespace touchstone::tools {

/// The folder of reproducers in the output directory of a run.
std::filesystem::path reproducers_in(const std::filesystem::path& directory);

/// Marks the directory of a reproducer before anything else is written there. Only files in a marked directory, with a
/// name that runs use, are ever removed. `place` is relative to reproducers_in(directory). Throws FileError.
void mark_reproducer(const std::filesystem::path& directory, const std::filesystem::path& place);

/// Checks that the folder of reproducers contains only files that runs wrote, so that the next run can use it. Throws
/// FileError that names the first other file.
void check_reproducers(const std::filesystem::path& directory);

/// Removes what earlier runs wrote, and nothing else. Throws FileError.
void remove_reproducers(const std::filesystem::path& directory);

/// Whether one of these paths is inside the other or equal to it.
bool overlap(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace touchstone::tools
