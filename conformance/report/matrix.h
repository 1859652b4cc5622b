// Renders the tables and totals of a run as text for a terminal.
#pragma once

#include <string>

#include "conformance/report/summary.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

enum class Color { never, always };

/// Describes the run, and shows a matrix for each operator, as matrix_table has it. In lines of at most 80 characters.
std::string render_matrix(const RunInfo& run, const Summary& summary, Color color);

/// What the run shows, in a sentence: "Right: 86,685 of 86,685 legal models."
std::string conclusion(const Summary& summary);

/// The totals with their denominators, one per line. Hashes, the seed and counts of elements are in the other reports.
std::string render_totals(const RunInfo& run, const Summary& summary, Color color);

/// The generated cases by form, which shows failures with constants or symbolic shapes only. Empty without such cases.
std::string render_forms(const Summary& summary, Color color);

}  // namespace touchstone::conformance
