#include "conformance/diagnose/computation.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "reference/interpreter.h"

namespace touchstone::conformance {

using reference::Policy;

namespace {

/// The element whose value is written as `element`; -1 for none.
std::int64_t source_of(std::span<const WrongModel* const> models, Place place) {
  for (const WrongModel* model : models)
    if (model->source != nullptr && place.element >= 0) place.element = model->source(place);
  return place.element;
}

Steps steps_of(std::span<const WrongModel* const> models, const Place& place) {
  Steps steps;
  for (const WrongModel* model : models)
    if (model->steps != nullptr && (model->where == nullptr || model->where(place))) model->steps(steps);
  return steps;
}

}  // namespace

PreparedNode::PreparedNode(const Node& node, const Policy& policy)
    : node_(node), policy_(policy), outcome_(reference::interpret(node, policy, {})), form_(outcome_->result()) {
  if (form_ != nullptr) formula_.emplace(node_, policy_, *form_);
}

PreparedNode::PreparedNode(const Node& node, const reference::Outcome& outcome) : node_(node), form_(outcome.result()) {
  if (form_ != nullptr) formula_.emplace(node_, policy_, *form_);
}

PreparedNode::PreparedNode(const PreparedNode& other, const Policy& policy)
    : node_(other.node_), policy_(policy), form_(other.form_) {
  if (other.formula_) formula_.emplace(*other.formula_, policy_);
}

bool concern(std::span<const WrongModel* const> models, const Place& place) {
  const std::int64_t source = source_of(models, place);
  return source != place.element || steps_of(models, place) != Steps{};
}

std::vector<std::optional<std::uint64_t>> PreparedNode::codes(std::span<const WrongModel* const> models,
                                                              std::size_t run,
                                                              std::span<const std::int64_t> elements) const {
  std::vector<std::optional<std::uint64_t>> codes(elements.size(), 0);
  if (has_formula()) {
    for (std::size_t k = 0; k < elements.size(); ++k) {
      Place place{node_, form_->y, elements[k], run};
      place.element = source_of(models, place);
      if (place.element >= 0) codes[k] = (*formula_)(place.element, steps_of(models, place));
    }
    return codes;
  }
  std::vector<std::int64_t> sources;
  for (const std::int64_t element : elements) sources.push_back(source_of(models, {node_, form_->y, element, run}));
  std::vector<std::int64_t> wanted;
  std::ranges::copy_if(sources, std::back_inserter(wanted), [](std::int64_t source) { return source >= 0; });
  const reference::Outcome outcome = reference::interpret(node_, policy_, wanted);
  const reference::Result& result = *outcome.result();
  for (std::size_t k = 0; k < elements.size(); ++k) {
    if (sources[k] < 0) continue;
    const bool is_open = result.unspecified[static_cast<std::size_t>(sources[k])];
    codes[k] = is_open ? std::nullopt : std::optional(result.y.code(sources[k]));
  }
  return codes;
}

Policy policy_of(std::span<const WrongModel* const> models, const Policy& policy) {
  Policy changed = policy;
  for (const WrongModel* model : models)
    if (model->reading) changed = changed.with(model->reading->ambiguity, model->reading->reading);
  return changed;
}

bool change(Node& node, std::span<const WrongModel* const> models, const ModelRun& run) {
  bool changed = false;
  for (const WrongModel* model : models)
    if (model->before != nullptr && model->before(node, run)) changed = true;
  return changed;
}

std::variant<Tensor, reference::Rejection> compute(const Node& node, std::span<const WrongModel* const> models,
                                                   const ModelRun& run, SharedComputation* known) {
  Node changed = node;
  change(changed, models, run);
  const Policy policy = policy_of(models);
  const bool has_steps = std::ranges::any_of(models, [](const WrongModel* model) { return model->steps != nullptr; });
  if (has_steps) {
    const PreparedNode prepared(changed, policy);
    if (prepared.rejection() != nullptr) return *prepared.rejection();
    if (prepared.has_formula()) {
      Tensor y = prepared.form()->y;
      std::vector<std::int64_t> elements(static_cast<std::size_t>(y.size()));
      std::iota(elements.begin(), elements.end(), 0);
      const auto codes = prepared.codes(models, run.index, elements);
      for (const std::int64_t i : elements) y.set_code(i, codes[static_cast<std::size_t>(i)].value_or(0));
      return y;
    }
  }
  // The reference itself computes what differs only in the node, in readings or in the order of y.
  const reference::Outcome outcome =
      known != nullptr ? known->quantized.interpret(changed, policy) : reference::interpret(changed, policy);
  if (const reference::Rejection* rejection = outcome.rejection()) return *rejection;
  const Tensor& right = outcome.result()->y;
  Tensor y = right;
  for (std::int64_t i = 0; i < y.size(); ++i) {
    const std::int64_t source = source_of(models, {changed, right, i, run.index});
    y.set_code(i, source < 0 ? 0 : right.code(source));
  }
  return y;
}

std::variant<std::vector<reference::Output>, reference::Rejection> compute(const reference::GraphModel& graph,
                                                                           std::span<const Tensor> inputs,
                                                                           std::span<const WrongModel* const> models,
                                                                           std::size_t run, SharedComputation* known) {
  reference::GraphModel changed = graph;
  std::vector<const WrongModel*> of_nodes;
  for (const WrongModel* model : models)
    if (model->graph != nullptr)
      model->graph(changed);
    else
      of_nodes.push_back(model);
  // A defect may change the type of a value, which an implementation notices only where the text forbids it.
  const auto quantize = [&](const Node& node) {
    if (of_nodes.empty()) return known != nullptr ? known->quantized.interpret(node, {}) : reference::interpret(node);
    auto computed = compute(node, of_nodes, {run, node.inputs}, known);
    if (auto* rejection = std::get_if<reference::Rejection>(&computed))
      return reference::Outcome{std::move(*rejection), {}, {}};
    const Tensor& y = std::get<Tensor>(computed);
    return reference::Outcome{reference::Result{.y = y, .x = y, .unspecified = {}, .parameters = {}}, {}, {}};
  };
  reference::KnownValues* others = known != nullptr ? &known->others : nullptr;
  return std::move(reference::interpret(changed, inputs, quantize, policy_of(models), others).value);
}

}  // namespace touchstone::conformance
