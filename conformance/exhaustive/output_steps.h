// The output of QuantizeLinear as a function of x, for one scale and one zero point: a staircase, known by its steps.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "conformance/plan/code_interval.h"

namespace touchstone::conformance {

struct ExpectedOutput {
  std::uint64_t code = 0;
  bool open = false;  ///< the specification says nothing: any output will do

  bool operator==(const ExpectedOutput&) const = default;
};

/// What the outputs are for these codes of x, in their order.
using Oracle = std::function<std::vector<ExpectedOutput>(std::span<const std::uint64_t> x)>;

/// From this code of x on the output is this one, up to the next step.
struct Step {
  std::uint64_t first;
  ExpectedOutput output;

  bool operator==(const Step&) const = default;
};

/// The steps over an interval of codes of x, a type with infinities and NaN (float32, float16, bfloat16), in ascending
/// order; the first one begins where the interval does. Among the positive numbers, and among the negative ones, the
/// order of codes is that of magnitudes, on which the output depends monotonically: so they are found by bisection.
/// Both zeros and both infinities are asked for by themselves; all NaN of one sign are taken to have one output.
/// `y` is an integer type. Throws std::logic_error if the oracle is not monotone where it was asked.
std::vector<Step> find_steps(const CodeInterval& x, spec::ElementType y, const Oracle& oracle);

}  // namespace touchstone::conformance
