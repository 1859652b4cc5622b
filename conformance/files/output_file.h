// Writes files below an output directory. Symbolic links planted in it do not cause other files to be overwritten.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "conformance/files/file_io.h"

namespace touchstone::conformance {

/// Like write_file_whole for `root / below`, but follows no symbolic link: `root` must not be a link (its parent
/// directories may be), each directory below it is opened relative to the previous one, and a link in the place of the
/// file is replaced. Creates missing directories. Throws FileError for a link, for a path that leads out of `root`, and
/// for system errors.
void write_file_below(const std::filesystem::path& root, const std::filesystem::path& below, std::string_view content);
void write_file_below(const std::filesystem::path& root, const std::filesystem::path& below,
                      const std::function<void(const Sink&)>& write_parts);

/// Throws FileError if `directory` is a symbolic link, even with a slash at the end. The directory need not exist.
void refuse_linked_directory(const std::filesystem::path& directory);

}  // namespace touchstone::conformance
