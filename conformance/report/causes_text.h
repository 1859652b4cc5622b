// The causes of a run's problems as text.
#pragma once

#include <string>

#include "conformance/report/matrix.h"
#include "conformance/report/summary.h"

namespace touchstone::conformance {

/// "14 causes explain 38,860 of 38,860 problems; 3 of them are wrong results"; empty without problems.
std::string causes_headline(const Summary& summary);

/// "clause ql-formula", "clauses ql-formula, dq-formula", or empty: those that neither the sentence nor the place
/// names.
std::string violated_clauses(const Cause& cause);

/// The headline and the first causes, for a terminal. Empty without problems.
std::string render_causes(const Summary& summary, Color color);

/// "--assume types=FLOAT,UINT8 --assume opsets=ai.onnx:10-21": the options for Summary::limits. Empty if there are
/// none.
std::string assume_options(const Summary& summary);

/// What the backend supports, for a terminal. Empty if it refused nothing.
std::string render_support(const Summary& summary);

}  // namespace touchstone::conformance
