// Where an example has failed: others that are simpler, and may fail in the same way.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "conformance/properties/example.h"

namespace touchstone::conformance {

/// How much there is to look at, what matters most first. Smaller is simpler.
struct Complexity {
  std::int64_t elements;    ///< of all operands
  std::int64_t dimensions;  ///< of all operands
  std::int64_t operands;
  std::int64_t circumstances;  ///< of form and environment: how many are unusual
  double attributes;           ///< their number and size
  double zero_point;           ///< of all codes together: 0 for zeros; few significant bits, exponents close to 0
  double scale;
  double x;

  auto operator<=>(const Complexity&) const = default;
};

Complexity complexity(const Example& example);

/// The boldest first: one element with its scale and zero point alone; then parts, other dimensions, attributes and
/// values. Every one is less complex than `example`, so that going from one to the next comes to an end. They need not
/// be legal where it is.
std::vector<Example> simpler_examples(const Example& example);

}  // namespace touchstone::conformance
