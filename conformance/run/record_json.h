// Records and related types as JSON: the lines of a journal, and parts of report.json.
#pragma once

#include "conformance/files/json_text.h"
#include "conformance/run/findings.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

Json to_json(const CaseRecord& record);
/// The digest of what a record says of its case, whatever the backend answered. Of a sweep, it leaves out the numbers
/// of elements, which the answers decide.
Sha256 description_digest(const CaseRecord& record, bool is_sweep);
Json to_json(const RunInfo& run);
Json to_json(const Inconsistency& inconsistency);
Json to_json(const FingerprintRow& row);
Json to_json(const Findings& findings);

/// An array with the JSON of each row.
Json json_rows(const auto& rows) {
  Json json = Json::array();
  for (const auto& row : rows) json.push_back(to_json(row));
  return json;
}

/// Parses the output of to_json. Throws std::runtime_error that names the missing or wrong member.
CaseRecord record_from_json(const Json& json);
RunInfo run_info_from_json(const Json& json);
Findings findings_from_json(const Json& json);

}  // namespace touchstone::conformance
