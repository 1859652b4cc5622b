// The tier `exhaustive`: complete value spaces.
//   DequantizeLinear   all codes x all zero points, of every type of at most 8 bits, x hard scales; to all types
//   QuantizeLinear     all float16 and bfloat16 inputs x all scales of the same type, to int8 and uint8
//                      all float32 inputs x hard scales x zero points at the ends and in the middle, to all integers
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/exhaustive/sweep.h"
#include "conformance/files/names.h"
#include "conformance/plan/planned_case.h"

namespace touchstone::conformance {

/// The same seed gives the same cases in the same order. Limits change only the forms of DequantizeLinear cases. The
/// QuantizeLinear sweeps either use one constant scale for a long time, or thousands of scales, each of which would
/// need its own model as a constant.
std::vector<PlannedCase> plan_exhaustive(std::uint64_t seed, const FormLimits& limits = {});

PlannedCase planned_sweep(const Sweep& sweep);

/// All combinations of codes of x and of the zero point. The cell must be of DequantizeLinear, per_axis and with a zero
/// point.
PlannedCase planned_grid(const Cell& cell, std::uint64_t scale, const FormLimits& limits = {});

/// The scales with which division and multiplication are most likely to fail. Codes of finite, nonzero scales, in a
/// fixed order and without repetition: first the same ones for every seed, then random ones from the seed. `type` is
/// float32, float16, bfloat16 or float8e8m0.
std::vector<std::uint64_t> hard_scales(ElementType type, std::uint64_t seed);

}  // namespace touchstone::conformance
