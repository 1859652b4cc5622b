// Greedy covers: few inputs that reveal many defects, and few cells in which all pairs of values occur.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/plan/cell.h"

namespace touchstone::conformance {

/// Elements of x, whose types have at most 32 bits.
using Codes = std::vector<std::uint32_t>;

/// An input, and the defects for which its result is wrong: one bit for each.
struct RevealingInput {
  std::uint64_t code;
  std::uint64_t reveals;
};

/// The union of the defects that the inputs reveal.
std::uint64_t all_revealed(const std::vector<RevealingInput>& inputs);

/// `count` selections, of different inputs if possible. Each selection reveals all defects that any input reveals.
std::vector<Codes> find_covers(std::vector<RevealingInput> inputs, std::size_t count);

/// Selects rows of values from 0 to 65535, one for each dimension, so that every pair of values of two dimensions that
/// occurs in some row occurs in a selected one. Returns their positions. The greedy algorithm is deterministic.
std::vector<std::size_t> covering_rows(const std::vector<std::vector<int>>& rows);

/// Selects cells of one version so that every pair of values of two dimensions (types, granularity, zero point,
/// saturate, precision) that occurs in some cell occurs in a selected one. The greedy algorithm is deterministic.
std::vector<Cell> covering_array(const std::vector<Cell>& cells);

}  // namespace touchstone::conformance
