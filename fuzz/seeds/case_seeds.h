// Seeds of the targets that try examples, from the plan of the generated suite.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fuzz/coded_example.h"
#include "fuzz/seeds/target_seeds.h"

namespace touchstone::fuzz {

struct Seed {
  std::string name;  ///< the name of a file
  Example example;
};

/// The case with the fewest elements that fits into an input, for every operator version, granularity and quantized
/// type, for every applied clause, and for every consulted ambiguity. For both operators, this gives the seeds of each.
std::vector<Seed> example_seeds(Operators operators);

/// The seeds of the targets.
std::span<const TargetSeeds> case_seeds();

}  // namespace touchstone::fuzz
