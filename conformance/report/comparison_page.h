// The page that compares runtimes: the scoreboard is one with all of them.
#pragma once

#include <string>
#include <vector>

#include "conformance/files/json_text.h"

namespace touchstone::conformance {

struct ComparisonPage {
  std::string results = "[]";                 ///< a JSON array of compact results, whose texts may be anybody's
  std::vector<std::string> directories = {};  ///< of the results that are those of a run directory; others are empty
  std::vector<std::string> notes = {};        ///< RunComparison::notes
  bool has_same_cases = false;                ///< RunComparison::has_same_cases
  /// For each runtime, by the name in --backend, all optional:
  /// {"upstream": {CAUSE: ["owner/repository#1"]}, "usual": VARIANT, "settings": {VARIANT: TEXT},
  /// "missing": [{"variant": VARIANT, "version": "1.2", "reason": TEXT}]}. CAUSE is the name or the sentence of a
  /// cause; `usual` the variant that users have if they set nothing; VARIANT may be empty; releases are missing if
  /// no result is of them.
  Json runtimes = Json::object();
};

/// An HTML page that contains everything that it needs. No text of a result can become markup. The page leaves out
/// results that it cannot read, and says so.
std::string comparison_page(const ComparisonPage& page);

}  // namespace touchstone::conformance
