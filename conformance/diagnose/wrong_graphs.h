// What optimizers do wrong: changes of a graph before it is computed. Each returns false if it left the graph
// unchanged.
#pragma once

#include <span>
#include <string_view>

#include "conformance/diagnose/wrong_model.h"

namespace touchstone::conformance {

constexpr WrongModel graph(std::string_view name, std::string_view sentence,
                           bool (*change)(reference::GraphModel& model)) {
  return {.name = name, .group = WrongModelGroup::graphs, .sentence = sentence, .graph = change};
}

std::span<const WrongModel> wrong_graphs_of_pairs();     ///< of quantization operators
std::span<const WrongModel> wrong_graphs_of_elements();  ///< of operators that move elements or choose among them
std::span<const WrongModel> wrong_graphs_of_products();  ///< of sums and products

}  // namespace touchstone::conformance
