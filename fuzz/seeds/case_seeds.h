// Seeds of the targets that try examples, from the plan: the generated suite.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "conformance/properties/example.h"
#include "fuzz/coded_example.h"
#include "fuzz/seeds/target_seeds.h"

namespace touchstone::fuzz {

struct Seed {
  std::string name;  ///< a file's
  conformance::Example example;
};

/// For every operator version, granularity and quantized type, for every clause that is applied, and for every
/// ambiguity that is decided on the way to an outcome, the case with the fewest elements that fits into an input. For
/// both operators, this gives the seeds of each.
std::vector<Seed> example_seeds(Operators operators);

/// The seeds of the targets.
std::span<const TargetSeeds> case_seeds();

}  // namespace touchstone::fuzz
