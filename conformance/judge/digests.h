// The digests by which two runs are compared: of a case, and of the answer to it.
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/files/case.h"
#include "conformance/files/sha256.h"
#include "conformance/judge/oracle.h"

namespace touchstone::conformance {

/// The digest of everything that decides the verdict on an answer: the model and all data sets, the outcomes of the
/// primary readings with the elements that they leave open, and the readings that are permitted wherever the
/// interpreter had to decide an ambiguity. The outcomes of these readings would cost several times as much.
Sha256 case_digest(const Case& tested, const std::vector<ReferenceOutcome>& interpreted);

/// The digest of an answer. Answers that the judge cannot distinguish have the same: it leaves out elements that the
/// primary readings leave open, all NaNs are one, and so are zeros, unless their signs count.
std::uint64_t answer_digest(const UnitAnswer& answer, const std::vector<ReferenceOutcome>& interpreted,
                            bool sign_of_zero);

}  // namespace touchstone::conformance
