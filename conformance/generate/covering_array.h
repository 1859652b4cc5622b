// A few cells for many.
#pragma once

#include <vector>

#include "conformance/plan/cell.h"

namespace touchstone::conformance {

/// Some of the cells of one version, such that whenever two values of two dimensions (types, granularity, zero point,
/// saturate, precision) meet in one of the cells, they meet in one of these. Greedy, and always the same.
std::vector<Cell> covering_array(const std::vector<Cell>& cells);

}  // namespace touchstone::conformance
