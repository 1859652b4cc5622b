// Distributes revealing inputs over the elements of x.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/generate/directed_values.h"

namespace touchstone::conformance {

/// Codes for the elements of x. Elements that share a parameter use the same row, `rows[row_of[i]]`. The elements of
/// each row begin with one of its covers. The special inputs are placed between the others, each once. The remaining
/// elements come from the lists of the row, starting at a position derived from `start`. The spread inputs use as many
/// different positions as possible, over all rows together.
std::vector<std::uint64_t> distribute_inputs(const std::vector<DirectedValues>& rows,
                                             const std::vector<std::size_t>& row_of,
                                             const std::vector<std::uint64_t>& special, std::uint64_t start);

}  // namespace touchstone::conformance
