// Random values for the operands of nodes.
#pragma once

#include <cstdint>
#include <random>

#include "reference/host_numbers.h"
#include "reference/model/node.h"
#include "reference/model/parameter_map.h"

namespace touchstone::reference {

using Random = std::mt19937_64;

std::int64_t random_in(Random& random, std::int64_t first, std::int64_t last);

/// An arbitrary code, or the code of a moderate number with a short significand.
std::uint64_t random_code(Random& random, ElementType type);

Tensor random_tensor(Random& random, ElementType type, const Shape& shape);

/// Often zeros: for most types, the specification permits nothing else.
Tensor random_zero_point(Random& random, ElementType type, const Shape& shape);

/// A quotient at which y may change: a half-integer near an end of the range or anywhere in it, or a number with few
/// significant bits. The latter include the midpoints of small floating-point types.
double random_threshold(Random& random, ElementType type, double zero_point);

/// Moves most elements of x close to a value at which y, of type `y`, changes. `zero_point` is null if absent.
void move_to_thresholds(Random& random, Tensor& x, const Tensor& scale, const Tensor* zero_point, ElementType y,
                        const ParameterMap& parameters);

/// Draws values for all operands of the node. Most of them reveal errors: hard scales (powers of two, subnormal, close
/// to the ends of their type), and x on both sides of the values where y changes. The values of an illegal node do not
/// matter. With `may_break_rules`, zero points may be other than zero where that is illegal.
void draw_values(Random& random, Node& node, bool may_break_rules);

}  // namespace touchstone::reference
