// Permitted readings in addition to those already chosen: the steps from one permitted outcome to the next.
#pragma once

#include <bitset>
#include <compare>
#include <cstddef>
#include <span>
#include <vector>

#include "conformance/files/names.h"
#include "conformance/judge/verdict.h"
#include "reference/policy.h"
#include "spec/ambiguities.h"

namespace touchstone::conformance {

/// One bit for each position in spec::ambiguities.
using Consulted = std::bitset<spec::ambiguities.size()>;

/// The ambiguities that concern only the values of elements. Their readings change no type, shape or granularity, and
/// reject nothing.
const Consulted& ambiguities_that_reject_nothing();

/// A reading of an ambiguity.
struct Choice {
  std::size_t ambiguity;  ///< position in spec::ambiguities
  std::size_t reading;    ///< position in the ambiguity's row

  auto operator<=>(const Choice&) const = default;
};

ReadingId id_of(const Choice& choice);

/// The primary readings, except for these choices.
reference::Policy policy_of(std::span<const Choice> choices);

/// All readings, except the primary ones, that one of these versions permits for ambiguities that were consulted and
/// that no choice decides.
std::vector<Choice> alternatives(std::span<const OperatorVersion* const> versions, const Consulted& consulted,
                                 std::span<const Choice> choices);

/// The same for one version.
std::vector<Choice> alternatives(const OperatorVersion& version, const Consulted& consulted,
                                 std::span<const Choice> choices);

}  // namespace touchstone::conformance
