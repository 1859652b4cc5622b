// Reading of a file from outside, whole and bounded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "conformance/files/file_error.h"

namespace touchstone::conformance {

/// The content of a regular file of at most `limit` bytes. Never blocks on what is not a regular file.
/// Throws FileError: no such file, no permission, not a regular file, longer than the limit, a read error.
std::string read_bounded_file(const std::filesystem::path& path, std::uint64_t limit);

}  // namespace touchstone::conformance
