// Outcomes of a case that pass in addition to that of the primary readings.
#pragma once

#include <vector>

#include "conformance/judge/oracle.h"
#include "conformance/judge/verdict.h"

namespace touchstone::conformance {

/// The outcome of a case under a permitted reading.
struct PermittedOutcome {
  ReadingId reading;
  std::vector<Outcome> outcomes;  ///< one for each data set
  std::vector<bool> differs;      ///< from the outcome of the primary readings, for each data set
};

/// The outcome of each single permitted reading that differs from the primary ones in an output, in unspecified
/// elements, or in a rejection. Of readings with the same outcome, only the first is listed. The judge also accepts
/// combinations of readings, which are too many to list. Empty if the expected outputs of the case differ from the
/// primary ones, because then only the expected outputs count.
std::vector<PermittedOutcome> permitted_outcomes(const Case& tested, const std::vector<ReferenceOutcome>& interpreted);

}  // namespace touchstone::conformance
