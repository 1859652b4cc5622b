// The legal cases of the generated suite.
#pragma once

#include <vector>

#include "conformance/generate/recipe.h"

namespace touchstone::conformance {

// The limits only change the forms of cases that are beyond them and can have another form. The backend declines cases
// that remain beyond them.

/// One recipe for every cell of every version.
std::vector<Recipe> cell_recipes(std::uint64_t seed, const FormLimits& limits = {});

/// All other cases: forms, opsets between versions, shapes, lengths, unusual scales and zero points, large tensors.
std::vector<Recipe> further_recipes(std::uint64_t seed, const FormLimits& limits = {});

/// All recipes of cell_recipes() and further_recipes().
std::vector<Recipe> all_recipes(std::uint64_t seed, const FormLimits& limits = {});

/// A subset of all_recipes(). Its cells cover, for each version, every pair of values of two dimensions of the lattice,
/// and every quantized type and granularity with numbers in float32. Every shape, scale and other special value, and a
/// long tensor, occurs once for each operator and granularity. Of some kinds there are two, in the oldest and in the
/// newest version.
std::vector<Recipe> smoke_recipes(std::uint64_t seed, const FormLimits& limits = {});

}  // namespace touchstone::conformance
