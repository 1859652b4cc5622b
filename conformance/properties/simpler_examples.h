// Simpler variants of a failing example, which may fail in the same way.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "conformance/properties/example.h"

namespace touchstone::conformance {

/// The amount of detail in an example, most important first. Smaller is simpler.
struct Complexity {
  std::int64_t elements;    ///< of all operands
  std::int64_t dimensions;  ///< of all operands
  std::int64_t operands;
  std::int64_t circumstances;  ///< the number of unusual properties of form and environment
  double attributes;           ///< their number and size
  double zero_point;  ///< of all codes together: 0 for zeros; low for few significant bits and exponents close to 0
  double scale;
  double x;

  auto operator<=>(const Complexity&) const = default;
};

Complexity complexity(const Example& example);

/// Simpler examples, the simplest ones first: a single element with its scale and zero point; then parts, other
/// dimensions, attributes and values. Each one is less complex than `example`, so that repeated simplification
/// terminates. They may be illegal even if `example` is legal.
std::vector<Example> simpler_examples(const Example& example);

}  // namespace touchstone::conformance
