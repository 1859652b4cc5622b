#include "conformance/judge/few_columns.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "conformance/judge/mismatch.h"

namespace touchstone::conformance {

namespace {

constexpr std::int64_t fewest_weights = std::int64_t{1} << 16;
constexpr std::int64_t fewest_columns = 64;

using Columns = std::set<std::int64_t>;

/// The tensor with these indices of its last dimension.
Tensor columns_of(const Tensor& tensor, const Columns& columns) {
  Shape shape = tensor.shape();
  const std::int64_t all = std::exchange(shape.back(), std::ssize(columns));
  Tensor part(tensor.type(), shape);
  std::int64_t place = 0;
  for (std::int64_t row = 0; row < tensor.size(); row += all)
    for (const std::int64_t column : columns) part.set_code(place++, tensor.code(row + column));
  return part;
}

/// The node that dequantizes the second operand of the MatMul which ends the graph; null if it is another graph.
const reference::GraphNode* dequantization_of_weights(const reference::Graph& graph) {
  if (graph.nodes.empty() || graph.outputs.size() != 1) return nullptr;
  const reference::GraphNode& product = graph.nodes.back();
  if (product.op_type != "MatMul" || product.domain != spec::ai_onnx || product.inputs.size() != 2 ||
      product.outputs != graph.outputs)
    return nullptr;
  std::size_t uses = 0;
  const reference::GraphNode* found = nullptr;
  for (const reference::GraphNode& node : graph.nodes) {
    uses += static_cast<std::size_t>(std::ranges::count(node.inputs, product.inputs[1]));
    if (std::ranges::find(node.outputs, product.inputs[1]) != node.outputs.end()) found = &node;
  }
  const bool dequantizes = found != nullptr && found->domain == spec::ai_onnx &&
                           quantization_operator(*found) == spec::Operator::dequantize_linear && uses == 1;
  return dequantizes ? found : nullptr;
}

/// Whether the scales of a vector are those of columns.
bool is_axis_of_columns(const reference::GraphNode& dequantization) {
  const auto axis = dequantization.attributes.find("axis");
  if (axis == dequantization.attributes.end()) return true;  // 1
  const auto* given = std::get_if<std::int64_t>(&axis->second);
  return given != nullptr && (*given == 1 || *given == -1);
}

/// The constants with columns that a node reads, if it reads nothing but constants, no other node reads those, and all
/// have as many columns as the first; empty otherwise.
std::vector<std::string> own_constants(const reference::Graph& graph, const reference::GraphNode& node) {
  std::vector<std::string> names;
  for (const std::string& name : node.inputs) {
    if (name.empty()) continue;
    const auto constant = graph.initializers.find(name);
    if (constant == graph.initializers.end()) return {};
    std::size_t readers = 0;
    for (const reference::GraphNode& reader : graph.nodes)
      readers += static_cast<std::size_t>(std::ranges::count(reader.inputs, name));
    if (readers != 1) return {};
    const Tensor& tensor = constant->second;
    if (tensor.size() == 1 && !names.empty()) continue;  // of the whole tensor
    const bool has_columns = tensor.rank() == 2 || (tensor.rank() == 1 && !names.empty() && is_axis_of_columns(node));
    if (!has_columns) return {};
    if (!names.empty() && tensor.shape().back() != graph.initializers.at(names.front()).shape().back()) return {};
    names.push_back(name);
  }
  return names;
}

/// The first columns that are wrong in each answer, and at least two: one scale would be that of the whole tensor.
Columns wrong_columns(const Case& tested, const std::vector<ReferenceOutcome>& interpreted,
                      std::span<const Answer* const> answers, std::int64_t all) {
  Columns columns;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto found = mismatch(demand_of(interpreted[i].outcome, false), *answers[i], tested.model.graph_outputs);
    if (!found) continue;
    if (!found->tensor || !found->tensor->form.empty()) return {};
    for (const ElementDifference& difference : found->tensor->first) columns.insert(difference.index % all);
  }
  if (columns.size() == 1) columns.insert((*columns.begin() + 1) % all);
  return columns;
}

}  // namespace

std::optional<FewColumns> few_columns(const Case& tested, const std::vector<ReferenceOutcome>& interpreted,
                                      std::span<const Answer* const> answers) {
  const auto is_output = [](const Answer* answer) {
    return answer != nullptr && std::holds_alternative<Outputs>(*answer) && std::get<Outputs>(*answer).size() == 1;
  };
  if (tested.model.graph == nullptr || !std::ranges::all_of(answers, is_output)) return std::nullopt;
  const reference::Graph& graph = tested.model.graph->graph;
  const reference::GraphNode* dequantization = dequantization_of_weights(graph);
  if (dequantization == nullptr) return std::nullopt;
  const std::vector<std::string> constants = own_constants(graph, *dequantization);
  if (constants.empty()) return std::nullopt;
  const Tensor& weights = graph.initializers.at(constants.front());
  const std::int64_t all = weights.shape().back();
  if (weights.size() < fewest_weights || all < fewest_columns) return std::nullopt;
  const Columns columns = wrong_columns(tested, interpreted, answers, all);
  if (columns.empty()) return std::nullopt;

  FewColumns few{tested, {}, {}};
  auto model = std::make_shared<reference::GraphModel>(*tested.model.graph);
  for (const std::string& name : constants) {
    Tensor& constant = model->graph.initializers.at(name);
    constant = columns_of(constant, columns);
  }
  few.tested.model.graph = std::move(model);
  few.interpreted = interpret(few.tested);
  for (const Answer* answer : answers) {
    Outputs outputs = std::get<Outputs>(*answer);
    outputs.front().value = columns_of(outputs.front().value, columns);
    few.answers.emplace_back(std::move(outputs));
  }
  return few;
}

}  // namespace touchstone::conformance
