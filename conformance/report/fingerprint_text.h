// The fingerprint of a backend as reports for people show it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/summary.h"

namespace touchstone::conformance {

/// Rows of the same kind, with the kind in words.
struct FingerprintGroup {
  std::string_view words;
  bool differs;  ///< from the primary reading; false also if that is not determined
  std::vector<const FingerprintRow*> rows;
};

/// The groups that have rows; rows that say more about the backend come first. Refers to its argument.
std::vector<FingerprintGroup> fingerprint_groups(const std::vector<FingerprintRow>& fingerprint);

/// "57 ambiguities: 2 another reading than the primary one, 48 the primary reading, 7 not determined"
std::string fingerprint_headline(const std::vector<FingerprintRow>& fingerprint);

/// "in-float32", "in-float32 or exact-quotient".
std::string readings_text(const FingerprintRow::Part& part);

/// The values of the property that have this part: "x float16, bfloat16"; empty if there are none.
std::string values_text(const FingerprintRow& row, const FingerprintRow::Part& part);

/// All rows by group, for a terminal.
std::string render_fingerprint(const std::vector<FingerprintRow>& fingerprint);

/// The headline, and the first of the rows that differ from the primary reading. Empty without a fingerprint.
std::string render_fingerprint(const Summary& summary);

}  // namespace touchstone::conformance
