// The divisions of QuantizeLinear that values must tell apart.
#pragma once

#include <cstddef>
#include <vector>

#include "conformance/generate/directed_values.h"
#include "reference/division.h"
#include "spec/element_type.h"

namespace touchstone::conformance {

/// Whether a quotient may be taken in this type.
bool divides_in(spec::ElementType type);

/// What the quotient is rounded to before y, by all who might be right and by some who are not.
struct Divisions {
  std::vector<reference::Division> all;
  std::size_t primaries = 0;  ///< so many at the front are the primary reading in some version
  std::size_t permitted = 0;  ///< so many at the front are permitted in some version; behind them are defects

  /// If it is not among them.
  void add(const reference::Division& division);
};

/// No kind has more primary divisions: that in the type of the scale, and in versions 19 and 21 that in float32.
inline constexpr std::size_t most_primaries = 2;

Divisions divisions(const ValueKind& kind);

}  // namespace touchstone::conformance
