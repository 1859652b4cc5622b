// Which element of x has which of the telling inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/generate/directed_values.h"

namespace touchstone::conformance {

/// Codes for the elements of x. Those that share a parameter have the same row, `rows[row_of[i]]`. Each row's elements
/// begin with one of its covers; between the others stand the special inputs, each once; what is left is filled from
/// the lists of the row, from a place that `start` says. What is dealt of the spread inputs has as many places in the
/// spread as possible, over all rows together.
std::vector<std::uint64_t> deal_inputs(const std::vector<DirectedValues>& rows, const std::vector<std::size_t>& row_of,
                                       const std::vector<std::uint64_t>& special, std::uint64_t start);

}  // namespace touchstone::conformance
