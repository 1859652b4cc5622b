// Renders the results of generated cases by form as text. It shows failures with constants or symbolic shapes only.
#pragma once

#include <string>

#include "conformance/report/layout.h"
#include "conformance/report/summary.h"

namespace touchstone::conformance {

/// A row for each form: right/asked, the number of cases of each other answer class that some form has, and a
/// description in the last column.
Table forms_table(const Summary& summary);

/// Renders the forms table as text. Empty without generated cases.
std::string render_forms(const Summary& summary, Color color);

}  // namespace touchstone::conformance
