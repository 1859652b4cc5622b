// Generates examples from a source of choices: nodes, their forms, and floating-point environments.
#pragma once

#include <cstdint>
#include <span>

#include "conformance/properties/example.h"
#include "reference/random/node_generator.h"

namespace touchstone::conformance {

/// Generates an example of one of the versions; or, if the source records, finds the choices that lead to the given
/// example. In a free example, every part may be anything instead of matching the parts before it.
reference::NodeGenerator choose_example(reference::Choices& choices, Example& example, bool is_free,
                                        std::span<const spec::OperatorVersion* const> versions);

/// Example `number` of the seed, of any version of any domain. Most shapes are small, some are longer than the vectors
/// and tiles of kernels. Some values are those of the generated suite (directed_values).
Example random_example(std::uint64_t seed, std::uint64_t number);

}  // namespace touchstone::conformance
