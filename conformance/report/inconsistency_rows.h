// Inconsistencies as reports for people show them: one row for each ambiguity.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/summary.h"

namespace touchstone::conformance {

struct InconsistencyRow {
  std::string_view ambiguity;
  std::size_t groups = 0;  ///< in which two cases contradict each other
  const Inconsistency* first = nullptr;
};

/// By ambiguity. Refers to the summary.
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
