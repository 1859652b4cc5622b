// What a run finds out when its cases have been run: the last line of its journal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/run/contradictions.h"
#include "conformance/run/experiment.h"
#include "conformance/run/fingerprint.h"
#include "conformance/run/inconsistencies.h"

namespace touchstone::conformance {

struct Findings {
  /// Pairs of cases that follow different readings, by ambiguity; std::nullopt if nothing searched for them.
  std::optional<std::vector<Inconsistency>> inconsistencies = std::nullopt;
  std::vector<Contradictions> contradictions = {};  ///< of the hypotheses that explain failures
  /// What the right cases show of each ambiguity; std::nullopt if nothing looked for it, also in a shard.
  std::optional<std::vector<FingerprintRow>> fingerprint = std::nullopt;
  std::vector<Experiment> experiments = {};
  std::string stopped = {};  ///< why the run ended early; empty: it did not, or was killed

  bool operator==(const Findings&) const = default;
};

}  // namespace touchstone::conformance
