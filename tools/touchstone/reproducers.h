// DIR/reproducers of a run's output directory: what runs wrote there, told from what is somebody's own.
#pragma once

#include <filesystem>
#include <string>

namespace touchstone::tools {

/// Below the output directory of a run.
std::filesystem::path reproducers_in(const std::filesystem::path& directory);

/// Marks the place of a reproducer, before anything else is written there: only what lies in a marked directory, under
/// a name that runs write, is ever removed. `place` is relative to reproducers_in(directory). Throws FileError.
void mark_reproducer(const std::filesystem::path& directory, const std::filesystem::path& place);

/// That there is nothing among the reproducers but what runs wrote, so that the next run can have the place. Throws
/// FileError that names the first thing else.
void check_reproducers(const std::filesystem::path& directory);

/// Removes what earlier runs wrote, and nothing else. Throws FileError.
void remove_reproducers(const std::filesystem::path& directory);

/// Whether one of these paths lies in the other, or is it.
bool overlap(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace touchstone::tools
