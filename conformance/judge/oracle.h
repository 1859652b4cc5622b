// What a case demands of a backend: for each data set an output, or a rejection.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "conformance/files/case.h"
#include "reference/model/node.h"
#include "reference/outcome.h"
#include "reference/policy.h"

namespace touchstone::conformance {

/// A data set and the reference's view of it.
struct ReferenceOutcome {
  reference::Node node;
  reference::Outcome outcome;
};

/// What the specification says about a data set of a case: about its node, and about its file.
reference::Outcome interpret(const Case& tested, const reference::Node& node, const reference::Policy& policy = {});

/// The same of some elements of y only; see reference::interpret.
reference::Outcome interpret(const Case& tested, const reference::Node& node, const reference::Policy& policy,
                             std::span<const std::int64_t> elements);

/// By the primary readings, one for each data set. Throws reference::NoSuchOperator.
std::vector<ReferenceOutcome> interpret(const Case& tested);

}  // namespace touchstone::conformance
