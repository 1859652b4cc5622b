// Random nodes and their forms, legal and illegal ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "conformance/files/names.h"
#include "conformance/generate/form.h"
#include "reference/random/node_generator.h"

namespace touchstone::conformance {

struct RandomNode {
  Node node;         ///< with all operands
  const Form* form;  ///< how they reach the backend
};

/// Node `number` of the seed, of any version of any domain. Most shapes are small, some are longer than the vectors and
/// tiles of kernels. Some values are those of the generated suite (directed_values). If the node is legal, so is its
/// model.
RandomNode random_node(std::uint64_t seed, std::uint64_t number);

/// Chooses a form that build_model supports for the node with so many inputs; or, if the source records, the choice
/// that leads to the given form.
void choose_form(reference::Choices& choices, const reference::NodeGenerator& generator, std::size_t inputs,
                 const Form*& form);

}  // namespace touchstone::conformance
