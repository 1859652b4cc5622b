// Renders the results of generated cases by form as text. It shows failures with constants or symbolic shapes only.
#pragma once

#include <string>
#include <vector>

#include "conformance/report/matrix.h"
#include "conformance/report/summary.h"

namespace touchstone::conformance {

/// The verdicts other than pass that some form has: the columns after passed/total.
std::vector<VerdictInfo> verdicts_of_forms(const Summary& summary);

/// A line for each form: passed/total, the number of cases with each other verdict, and a description. Empty if there
/// are no generated cases.
std::string render_forms(const Summary& summary, Color color);

}  // namespace touchstone::conformance
