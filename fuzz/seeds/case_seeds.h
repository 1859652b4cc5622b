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

/// For every operator version, granularity and quantized type, and for every clause that is applied and every ambiguity
/// that is decided on the way to an outcome, a case of the fewest elements that fits into an
/// input. Of both operators there are the seeds of each.
std::vector<Seed> example_seeds(Operators operators);

/// Those of the targets.
std::span<const TargetSeeds> case_seeds();

}  // namespace touchstone::fuzz
