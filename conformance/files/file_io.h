// Reads whole untrusted files within a limit, and writes whole files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "conformance/files/file_descriptor.h"
#include "conformance/files/file_error.h"

namespace touchstone::conformance {

/// The content of a regular file of at most `limit` bytes. Does not block on other files.
/// Throws FileError if the file does not exist, is not readable, is not a regular file, or is longer than the limit.
std::string read_bounded_file(const std::filesystem::path& path, std::uint64_t limit);
/// The same for an open file, without blocking. `path` is used in error messages.
std::string read_bounded_file(const FileDescriptor& file, const std::filesystem::path& path, std::uint64_t limit);
/// The size of an open file. Throws FileError if it is not a regular file, or is longer than the limit.
std::uint64_t bounded_size(const FileDescriptor& file, const std::filesystem::path& path, std::uint64_t limit);

/// Receives a text in parts.
using Sink = std::function<void(std::string_view part)>;

enum class Durability : std::uint8_t { flushed, synced };

/// Writes to an open file and closes it; `synced` also waits for the disk. `path` is used in error messages.
/// Throws FileError and the exceptions of `write_parts`.
void write_parts_to(FileDescriptor file, const std::filesystem::path& path, Durability durability,
                    const std::function<void(const Sink&)>& write_parts);

/// Creates missing directories and replaces the file atomically, so that nobody sees a partial file. Removes the
/// partial files of killed processes with the same name. Follows symbolic links, and writes to devices and pipes
/// instead of replacing them. Throws FileError.
void write_file_whole(const std::filesystem::path& path, std::string_view content);
/// The same for a text that is never in memory as a whole. If `write_parts` throws, the old file is unchanged.
void write_file_whole(const std::filesystem::path& path, const std::function<void(const Sink&)>& write_parts);

/// The name of a file that this process writes, until it is complete.
std::string partial_name(const std::string& name);

/// Removes the files with such names that processes left in this directory, but not in its subdirectories, when they
/// were killed. With `name`, only those of the file with this name.
void remove_partial_files(int directory, std::string_view name);
void remove_partial_files(const std::filesystem::path& directory, std::string_view name = "");

}  // namespace touchstone::conformance
