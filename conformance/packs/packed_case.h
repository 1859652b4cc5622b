// A case as it is in a pack.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/judge/permitted_outcomes.h"
#include "conformance/packs/manifest.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/journal.h"
#include "conformance/run/read_case.h"

namespace touchstone::conformance {

/// Everything that a pack has of a case. It follows from the plan and from the description of the pack.
struct PackedCase {
  PackedCase(const PlannedCase& planned, const PackInfo& pack);

  std::optional<ReadCase> read = std::nullopt;  ///< absent if the case cannot be read
  bool is_declined = false;                     ///< only in the manifest: the device does not support it
  std::vector<PermittedOutcome> permitted = {};
  std::optional<Case> control = std::nullopt;  ///< absent if there is none that the device supports
  std::string line;                            ///< of the manifest

  bool has_files() const { return read && !is_declined; }
};

/// Checks that the manifest has exactly the lines that export writes for these cases, which are the plan of the pack
/// made again. Takes longer than judging the cases: also the permitted outcomes are made again. Throws FileError.
void check_manifest(ManifestReader& manifest, const std::vector<PlannedCase>& cases, const CaseComparison& comparison);

}  // namespace touchstone::conformance
