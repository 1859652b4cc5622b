// The compliance matrix, in text: operator and opset against the quantized element type.
#pragma once

#include <string>

#include "conformance/report/summary.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

enum class Color { never, always };

/// What was run, and the matrix: "passed/total" in a cell; blank where the standard has no such type; "·" where it has
/// one that no case touched. The last column counts the must-reject cases.
std::string render_matrix(const RunInfo& run, const Summary& summary, Color color);

/// The totals, a line each, with their denominators.
std::string render_totals(const RunInfo& run, const Summary& summary, Color color);

}  // namespace touchstone::conformance
