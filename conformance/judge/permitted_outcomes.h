// All outcomes of a case that the judge lets pass.
#pragma once

#include <vector>

#include "conformance/judge/expectation.h"
#include "conformance/judge/verdict.h"

namespace touchstone::conformance {

/// What some permitted readings together make of a case.
struct PermittedOutcome {
  std::vector<ReadingId> readings;
  std::vector<reference::Outcome> outcomes;  ///< one for each data set
};

/// Those that differ from that of the primary readings, which is not among them, and from each other: in an output, in
/// what is unspecified, or in a rejection. None where the case brings other outputs than the primary ones: then these
/// alone count. A reading is tried together with others only where it makes a difference by itself, or they do.
std::vector<PermittedOutcome> permitted_outcomes(const Case& tested, const std::vector<Interpreted>& interpreted);

}  // namespace touchstone::conformance
