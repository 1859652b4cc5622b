// For tests: examples at random, of every version of every domain. Most nodes are legal; some break a rule.
#pragma once

#include <rapidcheck.h>

#include "conformance/properties/example.h"

namespace touchstone::conformance {

/// Shapes of rank 0 to 3, most of them small, some longer than vectors and tiles of kernels. Operands are bit patterns
/// or short numbers; or scales at which implementations part (powers of two, subnormal, close to the ends of their
/// type), and x on both sides of where y changes; or the values of the generated suite (directed_values).
///
/// Each shrinks to all that simpler_examples() makes of it.
rc::Gen<Example> any_example();

}  // namespace touchstone::conformance
