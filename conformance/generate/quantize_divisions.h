// The divisions of QuantizeLinear that values must distinguish.
#pragma once

#include <cstddef>
#include <vector>

#include "conformance/generate/directed_values.h"
#include "reference/division.h"
#include "spec/element_type.h"

namespace touchstone::conformance {

/// Whether a quotient may be computed in this type.
bool divides_in(spec::ElementType type);

/// The types to which quotients are rounded before y, in correct and in known defective implementations.
struct Divisions {
  std::vector<reference::Division> all;
  std::size_t primaries = 0;  ///< the first ones: each is the primary reading in some version
  std::size_t permitted = 0;  ///< the first ones: each is permitted in some version; the others are defects

  /// Adds the division unless it is present.
  void add(const reference::Division& division);
};

/// The maximum number of primary divisions of a kind: that in the type of the scale, and in versions 19 and 21 that in
/// float32.
inline constexpr std::size_t most_primaries = 2;

Divisions divisions(const ValueKind& kind);

}  // namespace touchstone::conformance
