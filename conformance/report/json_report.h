// The members of report.json except the cases, which report.html has, too; and JSON for readers.
#pragma once

#include <cstddef>
#include <string>

#include "conformance/files/json_text.h"
#include "conformance/report/summary.h"

namespace touchstone::conformance {

/// One line. Escapes characters beyond ASCII: some would control the terminal of a reader.
std::string ascii(const Json& json);

/// The same, but with the members of objects and arrays on indented lines, except those that contain only scalars, such
/// as a cell of the matrix.
std::string indented(const Json& json, std::size_t depth = 0);

/// The beginning of a text, which takes at most so many bytes as JSON. Ends in "..." if something is cut off.
std::string cut(const std::string& text, std::size_t longest);

Json report_members(const RunInfo& run, const Summary& summary);

}  // namespace touchstone::conformance
