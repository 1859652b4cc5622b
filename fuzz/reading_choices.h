// Which readings of the specification's ambiguities are followed, as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "conformance/judge/alternatives.h"
#include "conformance/judge/expectation.h"
#include "conformance/plan/case.h"

namespace touchstone::fuzz {

/// As many as are followed beside the primary ones: a byte each, before the bytes of an example.
inline constexpr std::size_t most_readings = 2;

/// All readings, permitted or not, of ambiguities that were consulted and that no choice decides, but for the primary
/// ones.
std::vector<conformance::Choice> other_readings(const conformance::Consulted& consulted,
                                                std::span<const conformance::Choice> choices);

/// Each byte is the place of a reading among the others there are beside those before it; 0 is none of them.
std::vector<conformance::Choice> decode_readings(std::span<const std::uint8_t> bytes, const conformance::Case& tested,
                                                 const conformance::Interpreted& primary);

}  // namespace touchstone::fuzz
