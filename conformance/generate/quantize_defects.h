// What inputs of QuantizeLinear tell: with which of them known defects give another output than any permitted division.
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/generate/cover.h"
#include "conformance/generate/directed_values.h"
#include "conformance/generate/quantize_divisions.h"
#include "conformance/generate/quantize_neighbours.h"
#include "conformance/generate/quantize_thresholds.h"
#include "reference/value.h"

namespace touchstone::conformance {

/// The bit of RevealingInput::tells for permitted divisions that differ: no defect, but worth a place in a cover.
inline constexpr std::uint64_t readings_differ = std::uint64_t{1} << 63;

/// The inputs around a threshold: for each division the last one whose quotient is below it, the first that is above,
/// and one between them, if any is.
std::vector<RevealingInput> inputs_around(const Threshold& threshold, const ValueKind& kind, const Divisions& divisions,
                                          const reference::Value& scale, std::int64_t zero_point);

}  // namespace touchstone::conformance
