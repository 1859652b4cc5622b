// The readings that a backend follows, as reports for people show them: its fingerprint and its inconsistencies.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/summary.h"

namespace touchstone::conformance {

// ---- the fingerprint

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

// ---- inconsistencies

/// The inconsistencies of one ambiguity.
struct InconsistencyRow {
  std::string_view ambiguity;
  std::size_t groups = 0;  ///< in which two cases contradict each other
  const Inconsistency* first = nullptr;
};

/// A row for each ambiguity. Refers to the summary.
std::vector<InconsistencyRow> inconsistency_rows(const Summary& summary);

/// "QuantizeLinear-21, x float16, scale float16, zero point uint8, y uint8, form initializers". The form is the text in
/// the journal.
std::string in_words(const ReadingGroup& group);

/// The readings of one side: "in-float32 or exact-quotient".
std::string readings_text(const Inconsistency::Evidence& evidence);

/// The number of examined cases: "1 case", "3 cases".
std::string cases_text(const Inconsistency::Evidence& evidence);

/// The heading of the rows.
inline constexpr std::string_view inconsistencies_title =
    "Different readings in cases of the same version, types and form";

}  // namespace touchstone::conformance
