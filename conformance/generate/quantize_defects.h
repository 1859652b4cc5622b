// Determines which inputs of QuantizeLinear reveal a defect: those for which it gives another output than any permitted
// division.
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

/// The bit of RevealingInput::reveals for permitted divisions that differ. This is no defect, but deserves a place in a
/// cover.
inline constexpr std::uint64_t readings_differ = std::uint64_t{1} << 63;

/// The inputs around a threshold. For each division: the last one whose quotient is below it, the first one above it,
/// and one between them, if any.
std::vector<RevealingInput> inputs_around(const Threshold& threshold, const ValueKind& kind, const Divisions& divisions,
                                          const reference::Value& scale, std::int64_t zero_point);

}  // namespace touchstone::conformance
