// Files, whole: reading of one from outside within a limit, and writing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "conformance/files/file_descriptor.h"
#include "conformance/files/file_error.h"

namespace touchstone::conformance {

/// The content of a regular file of at most `limit` bytes. Never blocks on what is not a regular file.
/// Throws FileError: no such file, no permission, not a regular file, longer than the limit, a read error.
std::string read_bounded_file(const std::filesystem::path& path, std::uint64_t limit);
/// The same for an open file, without blocking. `path` is used in error messages.
std::string read_bounded_file(const FileDescriptor& file, const std::filesystem::path& path, std::uint64_t limit);

/// Takes a text, one part after the other.
using Sink = std::function<void(std::string_view part)>;

enum class Durability : std::uint8_t { flushed, synced };

/// Writes to an open file and closes it; `synced` also waits until the disk has it. `path` is used in error messages.
/// Throws FileError, and what `write_parts` throws.
void write_parts_to(FileDescriptor file, const std::filesystem::path& path, Durability durability,
                    const std::function<void(const Sink&)>& write_parts);

/// Creates the directories that are missing and replaces the file in one step, so that no half of one is ever seen.
/// Symbolic links stay, and so do devices and pipes, which are written to. Throws FileError.
void write_file_whole(const std::filesystem::path& path, std::string_view content);
/// The same of a text that is never in memory as a whole. What `write_parts` throws leaves the old file as it is.
void write_file_whole(const std::filesystem::path& path, const std::function<void(const Sink&)>& write_parts);

}  // namespace touchstone::conformance
