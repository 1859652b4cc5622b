// Encodes the followed readings of the specification's ambiguities as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "conformance/files/case.h"
#include "conformance/judge/alternatives.h"
#include "conformance/judge/oracle.h"

namespace touchstone::fuzz {

/// The number of readings that replace primary ones. Each is a byte before the bytes of an example.
inline constexpr std::size_t most_readings = 2;

/// All readings, permitted or not, except the primary ones, of ambiguities that were consulted and that no choice
/// decides.
std::vector<conformance::Choice> other_readings(const conformance::Consulted& consulted,
                                                std::span<const conformance::Choice> choices);

/// Each byte is the 1-based index of a reading in `other_readings` after the choices before it; 0 chooses none.
std::vector<conformance::Choice> decode_readings(std::span<const std::uint8_t> bytes, const conformance::Case& tested,
                                                 const conformance::ReferenceOutcome& primary);

}  // namespace touchstone::fuzz
