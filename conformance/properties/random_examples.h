// For tests: random examples of every version of every domain. Most nodes are legal; some break a rule.
#pragma once

#include <rapidcheck.h>

#include "conformance/properties/example.h"

namespace touchstone::conformance {

/// Shapes have rank 0 to 3. Most are small, some are longer than the vectors and tiles of kernels. Operands are bit
/// patterns or short numbers; or hard scales (powers of two, subnormal, close to the ends of their type), with x on
/// both sides of the values where y changes; or the values of the generated suite (directed_values).
///
/// Examples shrink to the results of simpler_examples().
rc::Gen<Example> any_example();

}  // namespace touchstone::conformance
