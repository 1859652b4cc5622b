#include "reference/graph/replacements.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

namespace touchstone::reference {

namespace {

std::string input_of(const GraphNode& node, std::size_t place) {
  return place < node.inputs.size() ? node.inputs[place] : "";
}

/// The node with this operator that gives the input of another node; null if there is none.
const GraphNode* source_of(const Graph& graph, const GraphNode& node, std::size_t place, std::string_view op_type) {
  const std::string input = input_of(node, place);
  const auto found = std::ranges::find_if(graph.nodes, [&](const GraphNode& one) {
    return one.op_type == op_type && !input.empty() && one.outputs.front() == input;
  });
  return found == graph.nodes.end() ? nullptr : &*found;
}

/// Mul(x, x) or Pow(x, 2). Another exponent does no harm: bounds are wider.
bool is_square(const Graph& graph, const GraphNode& reader, const std::string& x) {
  const GraphNode* product = source_of(graph, reader, 0, "Mul");
  if (product == nullptr) product = source_of(graph, reader, 0, "Pow");
  return product != nullptr && input_of(*product, 0) == x && (product->op_type == "Pow" || input_of(*product, 1) == x);
}

std::optional<WrittenNormalization> written_normalization(const Graph& graph, const GraphNode& quotient) {
  const GraphNode* difference = source_of(graph, quotient, 0, "Sub");
  const GraphNode* root = source_of(graph, quotient, 1, "Sqrt");
  if (difference == nullptr || root == nullptr) return std::nullopt;
  const GraphNode* mean = source_of(graph, *difference, 1, "ReduceMean");
  const GraphNode* sum = source_of(graph, *root, 0, "Add");
  if (mean == nullptr || sum == nullptr || input_of(*mean, 0) != input_of(*difference, 0)) return std::nullopt;
  for (const std::size_t place : {0U, 1U}) {
    const GraphNode* variance = source_of(graph, *sum, place, "ReduceMean");
    if (variance == nullptr || !is_square(graph, *variance, difference->outputs.front())) continue;
    if (variance->attributes != mean->attributes || input_of(*variance, 1) != input_of(*mean, 1)) continue;
    return WrittenNormalization{*mean,
                                input_of(*mean, 0),
                                input_of(*mean, 1),
                                input_of(*sum, 1 - place),
                                root->outputs.front(),
                                quotient.outputs.front()};
  }
  return std::nullopt;
}

}  // namespace

std::vector<WrittenNormalization> written_normalizations(const Graph& graph) {
  std::vector<WrittenNormalization> found;
  for (const GraphNode& node : graph.nodes)
    if (node.op_type == "Div")
      if (auto written = written_normalization(graph, node)) found.push_back(*std::move(written));
  return found;
}

std::vector<std::string> normalized_convolutions(const Graph& graph) {
  std::vector<std::string> found;
  for (const GraphNode& node : graph.nodes)
    if (node.op_type == "BatchNormalization")
      if (const GraphNode* convolution = source_of(graph, node, 0, "Conv"))
        found.push_back(convolution->outputs.front());
  return found;
}

}  // namespace touchstone::reference
