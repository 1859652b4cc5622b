// The tier `exhaustive`: value spaces without gaps.
//   DequantizeLinear   all codes x all zero points, of every type of at most 8 bits, x hard scales; to all types
//   QuantizeLinear     all float16 and bfloat16 inputs x all scales of the same type, to int8 and uint8
//                      all float32 inputs x hard scales x zero points at the ends and in the middle, to all integers
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/exhaustive/sweep.h"
#include "conformance/plan/planned_case.h"

namespace touchstone::conformance {

/// The same seed gives the same cases in the same order. Limits change the forms of those of DequantizeLinear: the
/// others have one scale for long, which is constant, or thousands, of which each would be a model by itself.
std::vector<PlannedCase> plan_exhaustive(std::uint64_t seed, const FormLimits& limits = {});

PlannedCase planned_sweep(const Sweep& sweep);

/// All codes of x and of the zero point that a cell of DequantizeLinear, per_axis and with a zero point, can have.
PlannedCase planned_grid(const Cell& cell, std::uint64_t scale, const FormLimits& limits = {});

}  // namespace touchstone::conformance
