// The output of QuantizeLinear as a function of x, for one scale and one zero point: a step function, represented by
// its steps.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "conformance/plan/code_interval.h"

namespace touchstone::conformance {

struct ExpectedOutput {
  std::uint64_t code = 0;
  bool open = false;  ///< the specification leaves the output open: any value is right

  bool operator==(const ExpectedOutput&) const = default;
};

/// Returns the outputs for these codes of x, in their order.
using Oracle = std::function<std::vector<ExpectedOutput>(std::span<const std::uint64_t> x)>;

/// The output from this code of x up to the next step.
struct Step {
  std::uint64_t first;
  ExpectedOutput output;

  bool operator==(const Step&) const = default;
};

/// The steps over an interval of codes of x, in ascending order; the first one begins where the interval does. x must
/// have a type with infinities and NaN (float32, float16, bfloat16), and `y` must be an integer type. Among the
/// positive and among the negative numbers, codes are ordered by magnitude, and the output is a monotone function of
/// the magnitude, so the steps are found by bisection. Both zeros and both infinities are queried separately; all NaNs
/// of one sign are assumed to have the same output.
/// Throws std::logic_error if the oracle is not monotone at the queried codes.
std::vector<Step> find_steps(const CodeInterval& x, ElementType y, const Oracle& oracle);

}  // namespace touchstone::conformance
