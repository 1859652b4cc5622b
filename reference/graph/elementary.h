// Bounds of elementary functions: of the exact results, and of what implementations with a stated accuracy give. Only
// operations that IEEE 754 rounds correctly are used, so that the bounds are the same on all hosts.
#pragma once

#include "reference/graph/bounds.h"
#include "spec/function_accuracy.h"

namespace touchstone::reference {

Interval exp(const Interval& x);
Interval erf(const Interval& x);
Interval tanh(const Interval& x);
/// 1 / (1 + exp(-x))
Interval sigmoid(const Interval& x);
/// Not known for negative numbers.
Interval sqrt(const Interval& x);
Interval square(const Interval& x);
/// x to the power of a small integer. Not known for a negative power of an interval that contains zero.
Interval power(const Interval& x, int exponent);
/// Not known for negative numbers, and for zero unless the exponent is positive.
Interval power(const Interval& x, const Interval& exponent);

/// Every result of an implementation of this accuracy.
Interval evaluated(const Interval& exact, const spec::FunctionAccuracy& accuracy, const FloatPrecision& precision);

/// The sum of numbers, in any order.
Interval bounded_sum(const Bounds& terms, const FloatPrecision& precision);

}  // namespace touchstone::reference
