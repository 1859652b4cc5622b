// The expectations of a run, stored next to its journal, so that all reports made from it show the same known failures.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/run/known_failures.h"

namespace touchstone::tools {

/// An unusual name, because a run without expectations removes the file.
inline constexpr std::string_view expectations_name = "journal.expectations.json";

/// The current date as YYYY-MM-DD in UTC, which determines whether expectations have expired.
std::string today();

/// Copies the file verbatim into the directory of a run. With an empty path, removes the file of an earlier run, which
/// would be mistaken for that of this run. Throws FileError.
void save_known_failures(const std::filesystem::path& directory, const std::filesystem::path& file);

/// The expectations of a run, from its directory; empty if it had none. Throws FileError.
std::vector<conformance::KnownFailure> saved_known_failures(const std::filesystem::path& directory);

}  // namespace touchstone::tools
