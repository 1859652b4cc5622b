// The causes of wrong outputs that hypotheses explain.
#pragma once

#include <span>
#include <vector>

#include "conformance/causes/causes.h"
#include "conformance/causes/facts.h"
#include "conformance/causes/tested.h"
#include "conformance/run/contradictions.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// Adds a cause for each of the few hypotheses that explain the most of the failures. A pair explains the cases that
/// two defects affect: if one of them is a cause already, the pair counts for the other one. Returns the failures left.
CaseSet add_hypotheses(std::span<const CaseRecord> records, const CaseFacts& facts,
                       std::span<const Contradictions> contradictions, const Refuted& refuted, CaseSet failures,
                       std::vector<Cause>& causes);

}  // namespace touchstone::conformance
