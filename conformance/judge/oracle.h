// The required outcome of a case: an output or a rejection for each data set.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "conformance/files/case.h"
#include "conformance/files/names.h"
#include "reference/graph/graph_interpreter.h"
#include "reference/outcome.h"
#include "reference/policy.h"

namespace touchstone::conformance {

using reference::Outcome;
using reference::Policy;
using reference::Rejection;
using reference::Result;

/// A data set as a node, and its outcome according to the reference.
struct ReferenceOutcome {
  Node node;
  Outcome outcome;
};

/// The outcome of a data set of a case, which depends on its node and its file. The node of a graph has its inputs. If
/// there are no bounds for what others may compute under these readings, all elements are unspecified. `known`: of
/// earlier interpretations of the graph.
Outcome interpret(const Case& tested, const Node& node, const Policy& policy = {}, const reference::Known& known = {});

/// The same for some elements of y only; see reference::interpret.
Outcome interpret(const Case& tested, const Node& node, const Policy& policy, std::span<const std::int64_t> elements,
                  const reference::Known& known = {});

/// The outcomes under the primary readings, one for each data set. Throws reference::NoSuchOperator; for a graph,
/// reference::GraphError, also if there are no bounds for what others may compute.
std::vector<ReferenceOutcome> interpret(const Case& tested);

/// The versions of all quantization operators in the case's model. Throws reference::NoSuchOperator.
std::vector<const OperatorVersion*> operator_versions(const Case& tested);

}  // namespace touchstone::conformance
