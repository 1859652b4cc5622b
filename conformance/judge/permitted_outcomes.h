// Outcomes of a case that pass beside that of the primary readings.
#pragma once

#include <vector>

#include "conformance/judge/expectation.h"
#include "conformance/judge/verdict.h"

namespace touchstone::conformance {

/// What a permitted reading makes of a case.
struct PermittedOutcome {
  ReadingId reading;
  std::vector<reference::Outcome> outcomes;  ///< one for each data set
  std::vector<bool> differs;                 ///< from that of the primary readings, for each data set
};

/// Of each permitted reading by itself, where it differs from the primary ones in an output, in what is unspecified, or
/// in a rejection; of several with the same outcome the first. The judge lets pass what several readings give together,
/// too: of those there are as many as there are combinations. None where the case brings other outputs than the primary
/// ones: then these alone count.
std::vector<PermittedOutcome> permitted_outcomes(const Case& tested, const std::vector<Interpreted>& interpreted);

}  // namespace touchstone::conformance
