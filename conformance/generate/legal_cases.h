// The legal cases of the generated suite.
#pragma once

#include <vector>

#include "conformance/generate/recipe.h"

namespace touchstone::conformance {

// The limits change the forms of those cases that are beyond them and can have another, and nothing else. What stays
// beyond them, the backend declines.

/// One for every cell of every version.
std::vector<Recipe> cell_recipes(std::uint64_t seed, const FormLimits& limits = {});

/// All other cases: forms, opsets between versions, shapes, lengths, unusual scales and zero points, large tensors.
std::vector<Recipe> further_recipes(std::uint64_t seed, const FormLimits& limits = {});

/// Both.
std::vector<Recipe> all_recipes(std::uint64_t seed, const FormLimits& limits = {});

/// A part of the cells in which every pair of values of any two dimensions of the lattice of each version meets.
std::vector<Recipe> covering_recipes(std::uint64_t seed, const FormLimits& limits = {});

}  // namespace touchstone::conformance
