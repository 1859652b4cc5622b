// Records and related types as JSON: the lines of a journal, and parts of report.json.
#pragma once

#include <nlohmann/json.hpp>

#include "conformance/run/inconsistencies.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

/// Keeps members in the order in which they are written.
using Json = nlohmann::ordered_json;

Json to_json(const CaseRecord& record);
Json to_json(const RunInfo& run);
Json to_json(const Inconsistency& inconsistency);

/// Parses the output of to_json. Throws std::runtime_error that names the missing or wrong member.
CaseRecord record_from_json(const Json& json);
RunInfo run_info_from_json(const Json& json);
Inconsistency inconsistency_from_json(const Json& json);

/// One line of UTF-8. Replaces invalid UTF-8 in texts from outside.
std::string to_line(const Json& json);

}  // namespace touchstone::conformance
