// Which hypotheses explain the outputs of a graph: those on graphs, and those on its nodes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/diagnose/hypotheses.h"
#include "conformance/diagnose/wrong_model.h"
#include "conformance/files/case.h"
#include "conformance/judge/oracle.h"

namespace touchstone::conformance {

/// As explaining_hypotheses.
std::vector<std::string> explaining_graph_hypotheses(const Case& tested,
                                                     const std::vector<ReferenceOutcome>& interpreted,
                                                     const std::vector<Answer>& answers,
                                                     const HypothesisOptions& options);

/// Whether the models together explain all outputs of the graph, of which there are some.
bool explains_graph(std::span<const WrongModel* const> models, const Case& tested,
                    const std::vector<ReferenceOutcome>& interpreted, const std::vector<Answer>& answers,
                    const HypothesisOptions& options);

}  // namespace touchstone::conformance
