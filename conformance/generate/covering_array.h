// Reduces many cells to a few that cover all pairs.
#pragma once

#include <vector>

#include "conformance/plan/cell.h"

namespace touchstone::conformance {

/// Selects cells of one version so that every pair of values of two dimensions (types, granularity, zero point,
/// saturate, precision) that occurs in some cell occurs in a selected one. The greedy algorithm is deterministic.
std::vector<Cell> covering_array(const std::vector<Cell>& cells);

}  // namespace touchstone::conformance
