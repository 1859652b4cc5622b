// What optimizers do wrong: changes of a graph before it is computed.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "conformance/diagnose/wrong_model.h"

namespace touchstone::conformance {

// A row for each kind of change.

constexpr WrongModel row(std::string_view name, std::string_view sentence, const GraphChange& change) {
  return {.name = name, .group = WrongModelGroup::graphs, .sentence = sentence, .graph = change};
}

using Operators = decltype(GraphChange::ops);

/// Changes each node of the operators.
constexpr WrongModel nodes(std::string_view name, std::string_view sentence, const Operators& ops,
                           decltype(GraphChange::node) change) {
  return row(name, sentence, {.ops = ops, .node = change});
}
/// The same if its first input comes from a node of another one, which may change, too.
constexpr WrongModel pairs(std::string_view name, std::string_view sentence, std::string_view first,
                           std::string_view second, decltype(GraphChange::pair) change) {
  return row(name, sentence, {.ops = {second}, .before = first, .pair = change});
}
/// Changes the DequantizeLinear node of an operand of each node of the operators.
constexpr WrongModel operands(std::string_view name, std::string_view sentence, const Operators& ops,
                              std::size_t operand, decltype(GraphChange::of_operand) change) {
  return row(name, sentence, {.ops = ops, .before = "DequantizeLinear", .operand = operand, .of_operand = change});
}
/// Puts other nodes in the place of each node of the operators.
constexpr WrongModel replacements(std::string_view name, std::string_view sentence, const Operators& ops,
                                  decltype(GraphChange::replace) change) {
  return row(name, sentence, {.ops = ops, .replace = change});
}
constexpr WrongModel graph(std::string_view name, std::string_view sentence, decltype(GraphChange::whole) change) {
  return row(name, sentence, {.whole = change});
}

std::span<const WrongModel> wrong_graphs_of_pairs();     ///< of quantization operators
std::span<const WrongModel> wrong_graphs_of_elements();  ///< of operators that move elements or choose among them
std::span<const WrongModel> wrong_graphs_of_products();  ///< of sums and products

}  // namespace touchstone::conformance
