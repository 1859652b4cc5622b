// Files, whole: reading of one from outside within a limit, and writing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "conformance/files/file_error.h"

namespace touchstone::conformance {

/// The content of a regular file of at most `limit` bytes. Never blocks on what is not a regular file.
/// Throws FileError: no such file, no permission, not a regular file, longer than the limit, a read error.
std::string read_bounded_file(const std::filesystem::path& path, std::uint64_t limit);

/// Creates the directories that are missing and replaces the file in one step, so that no half of one is ever seen.
/// Throws FileError.
void write_file_whole(const std::filesystem::path& path, std::string_view content);

}  // namespace touchstone::conformance
