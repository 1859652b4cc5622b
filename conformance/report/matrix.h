// The compliance matrix, in text: operator and opset against the quantized element type.
#pragma once

#include <string>

#include "conformance/report/summary.h"

namespace touchstone::conformance {

enum class Color { never, always };

/// "passed/total" in a cell; blank where the standard has no such type; "·" where it has one that no case touched.
std::string render_matrix(const Summary& summary, Color color);

/// The totals, a line each, with their denominators.
std::string render_totals(const Summary& summary, Color color);

}  // namespace touchstone::conformance
