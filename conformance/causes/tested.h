// What experiments say of the causes of a run.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>

#include "conformance/causes/causes.h"
#include "conformance/causes/facts.h"
#include "conformance/run/experiment.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// By hypothesis: the cases that it does not explain, although their outputs are as it predicts.
using Refuted = std::map<std::string, CaseSet, std::less<>>;

/// Adds what the experiments refute. Returns whether that was anything new.
bool add_refuted(std::span<const Cause> causes, std::span<const CaseRecord> records,
                 std::span<const Experiment> experiments, Refuted& refuted);

/// Says of each cause what the experiments show of it, or which hypothesis would have explained most of its cases.
void describe_tests(std::span<Cause> causes, std::span<const CaseRecord> records,
                    std::span<const Experiment> experiments, const Refuted& refuted);

}  // namespace touchstone::conformance
