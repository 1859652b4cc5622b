// The expectations of a run, kept beside its journal: the same known failures then show in every report made of it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/run/expectations.h"

namespace touchstone::tools {

/// Not what people call theirs: a run without expectations removes it.
inline constexpr std::string_view expectations_name = "journal.expectations.json";

/// YYYY-MM-DD, by which expectations expire. The same everywhere: days begin at midnight UTC.
std::string today();

/// Copies the file, verbatim, into the directory of a run; with an empty path it removes that of an earlier run, which
/// would be taken for this one's. Throws FileError.
void keep_expectations(const std::filesystem::path& directory, const std::filesystem::path& file);

/// Those that a run was given, from its directory; none if it was given none. Throws FileError.
std::vector<conformance::Expectation> kept_expectations(const std::filesystem::path& directory);

}  // namespace touchstone::tools
