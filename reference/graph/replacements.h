// What optimizers replace by operators, or make part of them, which rounds differently.
#pragma once

#include <string>
#include <vector>

#include "reference/model/graph.h"

namespace touchstone::reference {

/// (x - mean) / sqrt(variance + epsilon), which becomes LayerNormalization with what is multiplied and added later.
struct WrittenNormalization {
  GraphNode mean;
  std::string x, axes, epsilon;  ///< names of values; axes are empty if they are an attribute
  std::string root, result;      ///< what Sqrt and Div give
};

std::vector<WrittenNormalization> written_normalizations(const Graph& graph);

/// The outputs of Conv that BatchNormalization reads.
std::vector<std::string> normalized_convolutions(const Graph& graph);

}  // namespace touchstone::reference
