// Files below a directory that is written to: whoever plants a symbolic link in it has nothing else overwritten.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "conformance/files/file_io.h"

namespace touchstone::conformance {

/// As write_file_whole, of `root / below`, but no symbolic link is followed: `root` must be none (what leads to it may
/// have some), the directories between are opened one in the other, and in place of the file one is replaced itself.
/// The directories that are missing are made. Throws FileError: a link, a part of `below` that leads out of `root`, or
/// what the system says.
void write_file_below(const std::filesystem::path& root, const std::filesystem::path& below, std::string_view content);
void write_file_below(const std::filesystem::path& root, const std::filesystem::path& below,
                      const std::function<void(const Sink&)>& write_parts);

/// Throws FileError where `directory` is a symbolic link, also if a slash comes after it; it need not be there.
void refuse_linked_directory(const std::filesystem::path& directory);

}  // namespace touchstone::conformance
