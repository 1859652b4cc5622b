// The generated cases by form, in text: does a backend go wrong with constants only, with symbolic shapes only?
#pragma once

#include <string>
#include <vector>

#include "conformance/report/matrix.h"
#include "conformance/report/summary.h"

namespace touchstone::conformance {

/// Verdicts other than pass that some form has: the columns beside passed/total.
std::vector<VerdictInfo> verdicts_of_forms(const Summary& summary);

/// A line for each form: passed/total, how many cases have each other verdict, and what the form is in words. Empty if
/// there are no generated cases.
std::string render_forms(const Summary& summary, Color color);

}  // namespace touchstone::conformance
