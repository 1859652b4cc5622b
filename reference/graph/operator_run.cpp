#include "reference/graph/operator_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <memory>
#include <utility>

#include "reference/codec.h"
#include "reference/graph/factors.h"
#include "reference/model/shape.h"

namespace touchstone::reference {

namespace {

using spec::ElementType;

/// The most terms of all sums, or elements, of one node that compares and moves only, which takes some seconds.
constexpr std::int64_t most_compared_terms = std::int64_t{1} << 24;

/// The opset of nodes that are not in the file.
constexpr int latest = 21;

/// The weights that are multiplied at once if there are many: each needs about 80 bytes.
constexpr std::int64_t weights_of_part = std::int64_t{1} << 18;

/// Whether it multiplies factors, to which readings apply by themselves.
bool consults_factor_precision(const GraphNode& node) {
  return node.op_type == "MatMul" || node.op_type == "Gemm" || node.op_type == "Conv" ||
         node.op_type == "ConvTranspose";
}

Values values_of(Tensors tensors) {
  Values values;
  for (Tensor& tensor : tensors) values.push_back({std::move(tensor)});
  return values;
}

bool has_all_bounds(const NamedValue& value) {
  const auto bounds = value.all_bounds();
  return bounds != nullptr && std::ranges::all_of(*bounds, &Interval::is_known);
}

/// Takes the elements without bounds, such as NaN, from what the function computes.
void keep_unbounded(const NamedValue& computed, NamedValue& bounded) {
  if (!bounded.has_bounds() || computed.value.type() != bounded.value.type() ||
      computed.value.size() != bounded.value.size())
    return;
  for (std::int64_t i = 0; i < bounded.value.size(); ++i)
    if (!bounded.bounds_of(i).is_known()) bounded.value.set_code(i, computed.value.code(i));
}

bool has_bounds(const OperatorFunction& function) {
  return function.bound != nullptr || function.is_monotone || is_movement(function);
}

NamedValue bounded_value(spec::ElementType type, const Shape& shape, Bounds bounds) {
  NamedValue made{middles(type, shape, bounds)};
  made.bounds = std::make_shared<const Bounds>(std::move(bounds));
  made.is_exact = false;
  return made;
}

/// The type of the values of which the node moves elements, or chooses among them: that of the bounded inputs.
spec::ElementType moved_type(const std::vector<const NamedValue*>& inputs) {
  for (const NamedValue* input : inputs)
    if (input != nullptr && input->has_bounds()) return input->value.type();
  return inputs[inputs.front()->value.type() == ElementType::boolean ? 1 : 0]->value.type();
}

}  // namespace

bool is_product(const Graph& graph, const std::string& value) {
  return std::ranges::any_of(graph.nodes, [&](const GraphNode& node) {
    return consults_factor_precision(node) && std::ranges::find(node.outputs, value) != node.outputs.end();
  });
}

bool is_moved(const GraphModel& model, const std::string& value) {
  std::set<std::string> seen;
  for (std::vector<std::string> next{value}; !next.empty();) {
    const std::string name = std::move(next.back());
    next.pop_back();
    if (!seen.insert(name).second) continue;
    const auto node = std::ranges::find_if(model.graph.nodes, [&](const GraphNode& one) {
      return std::ranges::find(one.outputs, name) != one.outputs.end();
    });
    if (node == model.graph.nodes.end() || quantization_operator(*node)) continue;
    const auto opset = model.opsets.find(node->domain);
    const OperatorFunction* function =
        opset == model.opsets.end() ? nullptr : find_operator_function(node->op_type, opset->second);
    if (function == nullptr || !(is_movement(*function) || function->is_monotone)) return false;
    next.insert(next.end(), node->inputs.begin(), node->inputs.end());
  }
  return true;
}

OperatorRun::OperatorRun(const GraphModel& model, const Policy& policy, GraphNotes& notes)
    : model_(model), policy_(policy), notes_(notes), written_(reference::written_normalizations(model.graph)) {
  for (const std::string& product : normalized_convolutions(model.graph)) normalized_.emplace(product, 0);
}

void OperatorRun::note_terms(const GraphNode& node, const Scope& scope) {
  const auto found = normalized_.find(node.outputs.front());
  if (found == normalized_.end() || node.inputs.size() < 2) return;
  const Tensor& weights = scope.value(node.inputs[1]).value;
  if (weights.rank() > 0 && weights.size() > 0)
    found->second = static_cast<double>(weights.size() / weights.shape().front());
}

void OperatorRun::note_replacements() {
  const Graph& graph = model_.graph;
  const auto count = [&](std::string_view op_type) {
    return std::ranges::count(graph.nodes, op_type, &GraphNode::op_type);
  };
  for (const GraphNode& node : graph.nodes) {
    // A mean, a variance and its root become LayerNormalization, whose usual algorithms cancel more.
    if (node.op_type == "Sqrt" && count("ReduceMean") > 1 && !widened_roots_.contains(node.outputs.front()))
      note_inexact(node, "an implementation may replace it by LayerNormalization, which rounds differently");
    // The scales become part of the weights. Those of Conv have bounds for that.
    if (node.op_type == "BatchNormalization" && !node.inputs.empty() && is_product(graph, node.inputs.front()) &&
        !normalized_.contains(node.inputs.front()))
      note_inexact(node, "an implementation may make it part of the node before, which rounds differently");
  }
}

double OperatorRun::further_roundings(const GraphNode& node) const {
  constexpr double roundings = 8;
  if (node.op_type == "Conv" && normalized_.contains(node.outputs.front())) return roundings;
  if (node.op_type != "BatchNormalization" || node.inputs.empty()) return 0;
  const auto found = normalized_.find(node.inputs.front());
  return found == normalized_.end() ? 0 : roundings + found->second;
}

void OperatorRun::widen_normalization(const GraphNode& node, const Scope& scope, Values& values) {
  const auto written = std::ranges::find(written_, node.outputs.front(), &WrittenNormalization::result);
  if (written == written_.end() || values.front().all_bounds() == nullptr) return;
  const NamedValue& x = scope.value(written->x);
  std::vector<const NamedValue*> inputs{&x};
  if (!written->axes.empty()) inputs.push_back(&scope.value(written->axes));
  const OperatorCall mean = call_of(written->mean, inputs, latest);
  const std::vector<std::int64_t> axes = inputs.size() > 1 ? mean.integers_of_input(1) : mean.integers("axes", {});
  const NamedValue& epsilon = scope.value(written->epsilon);
  if (axes.size() != 1 || mean.axis(axes[0], x.value.rank()) + 1 != x.value.shape().size() ||
      epsilon.value.size() != 1 || !epsilon.is_exact)
    return;
  NamedValue ones{Tensor(x.value.type(), {x.value.shape().back()})};
  for (std::int64_t i = 0; i < ones.value.size(); ++i)
    ones.value.set_code(i, encode(x.value.type(), Value::scaled(false, 1, 0)));
  const GraphNode layer{
      .op_type = "LayerNormalization",
      .inputs = {"x", "scale"},
      .outputs = {"y"},
      .attributes = {{"epsilon", static_cast<float>(number_of_code(epsilon.value.type(), epsilon.value.code(0)))}}};
  const Values fused = with_bounds(layer, *find_operator_function(layer.op_type, latest), {&x, &ones}, latest, {});
  Bounds both = *values.front().all_bounds();
  for (std::size_t i = 0; i < both.size(); ++i) {
    const Interval other = fused.front().bounds_of(static_cast<std::int64_t>(i));
    both[i] = {std::min(both[i].low, other.low), std::max(both[i].high, other.high)};
  }
  values.front().bounds = std::make_shared<const Bounds>(std::move(both));
  widened_roots_.insert(written->root);
}

void OperatorRun::refuse_large_weights(const Inputs& inputs) const {
  for (const NamedValue* input : inputs)
    if (input != nullptr && input->is_weight && input->value.size() > model_.limits.elements)
      throw GraphError(
          fmt::format("a dequantized constant has more than {} elements, and is not the second operand of "
                      "MatMul or Gemm",
                      model_.limits.elements));
}

Values OperatorRun::compute(const GraphNode& node, const Scope& scope, int opset) {
  const OperatorFunction* function = find_operator_function(node.op_type, opset);
  if (function == nullptr) throw GraphError(fmt::format("the operator is not supported at opset {} of ai.onnx", opset));
  Inputs inputs;
  for (const std::string& name : node.inputs) {
    inputs.push_back(name.empty() ? nullptr : &scope.value(name));
    if (inputs.back() != nullptr) note_use(*inputs.back(), node);
  }
  if (is_of_large_weights(node, inputs)) return in_parts(node, *function, inputs, opset);
  refuse_large_weights(inputs);
  // A fused kernel may decide by sums that skip the rounding of DequantizeLinear.
  const bool may_be_fused = model_.fuses_scales && !has_bounds(*function);
  const bool is_exact = std::ranges::all_of(node.inputs, [&](const std::string& name) {
    return name.empty() ||
           (scope.value(name).is_exact && !(may_be_fused && scope.value(name).has_bounds() && !is_moved(model_, name)));
  });
  if (function->compute == nullptr) {
    note_rounded(node, "the result is rounded");
  } else if (further_roundings(node) > 0) {
    note_rounded(node, "BatchNormalization may become part of it");
  } else if (!keeps_narrow(*function, inputs) && (is_exact || !has_bounds(*function))) {
    try {
      return computed(node, *function, inputs, opset, is_exact);
    } catch (const TooManyTerms& error) {
      if (function->bound == nullptr) throw;
      note_rounded(node, error.what());
    }
  }
  return with_bounds(node, *function, inputs, opset, {});
}

bool OperatorRun::keeps_narrow(const OperatorFunction& function, const Inputs& inputs) const {
  return model_.is_part && has_bounds(function) && treatment_of(policy_.reading<spec::FactorPrecision>()).kept &&
         !inputs.empty() && inputs[0] != nullptr && inputs[0]->value.type() == ElementType::float32 &&
         std::ranges::any_of(inputs, [](const NamedValue* one) { return one != nullptr && !one->is_constant; });
}

bool OperatorRun::is_of_large_weights(const GraphNode& node, const Inputs& inputs) const {
  return (node.op_type == "MatMul" || node.op_type == "Gemm") && inputs.size() > 1 && inputs[0] != nullptr &&
         inputs[1] != nullptr && inputs[1]->is_weight && inputs[1]->value.rank() == 2 &&
         inputs[1]->value.size() > std::min(most_exact_terms, model_.limits.elements);
}

Values OperatorRun::in_parts(const GraphNode& node, const OperatorFunction& function, const Inputs& inputs, int opset) {
  note_rounded(node, fmt::format("more than {} terms", most_exact_terms));
  const NamedValue& w = *inputs[1];
  const bool is_transposed = node.op_type == "Gemm" && call_of(node, {}, opset).integer("transB", 0) != 0;
  const std::size_t axis = is_transposed ? 0 : 1;
  const std::int64_t columns = w.value.shape()[axis];
  const std::int64_t terms = w.value.shape()[1 - axis];
  if (inputs[0]->value.size() / terms > model_.limits.terms / w.value.size())
    throw GraphError(fmt::format("the sums have more than {} terms", model_.limits.terms));
  const std::int64_t of_part = std::max<std::int64_t>(1, std::min(weights_of_part, model_.limits.elements) / terms);
  const bool has_row_of_bias = inputs.size() > 2 && inputs[2] != nullptr && inputs[2]->value.rank() > 0 &&
                               inputs[2]->value.shape().back() == columns;
  Shape shape;
  Bounds bounds;
  std::optional<ElementType> type;
  for (std::int64_t first = 0; first < columns; first += of_part) {
    const std::int64_t count = std::min(of_part, columns - first);
    const NamedValue part_of_w = part_of(w, axis, first, count);
    std::optional<NamedValue> part_of_bias;
    Inputs parts = inputs;
    parts[1] = &part_of_w;
    if (has_row_of_bias)
      parts[2] = &part_of_bias.emplace(
          part_of(*inputs[2], static_cast<std::size_t>(inputs[2]->value.rank() - 1), first, count));
    const NamedValue part = with_bounds(node, function, parts, opset, {}).at(0);
    if (first == 0) {
      type = part.value.type();
      shape = part.value.shape();
      shape.back() = columns;
      bounds.resize(static_cast<std::size_t>(part.value.size() / count * columns));
    }
    for (std::int64_t i = 0; i < part.value.size(); ++i)
      bounds[static_cast<std::size_t>(i / count * columns + first + i % count)] = part.bounds_of(i);
  }
  return {bounded_value(type.value(), shape, std::move(bounds))};
}

bool OperatorRun::rounds_products(const OperatorFunction& function) const {
  return treatment_of(policy_.reading<spec::FactorPrecision>()).quantizes && function.bound != nullptr;
}

Values OperatorRun::computed(const GraphNode& node, const OperatorFunction& function, const Inputs& inputs, int opset,
                             bool is_exact) {
  OperatorCall call = call_of(node, inputs, opset);
  if (function.bound == nullptr) call.set_most_terms(std::min(model_.limits.terms, most_compared_terms));
  if (function.bound != nullptr) call.set_needs_exact();
  Values values = values_of(function.compute(call));
  notes_.add_consulted(call.consulted());
  if (call.unbounded()) note_inexact(node, *call.unbounded());
  if (!is_exact) note_inexact(node, "there are no bounds for the operator");
  if (call.inexact() && !has_bounds(function)) note_inexact(node, *call.inexact());
  if (call.inexact()) note_rounded(node, *call.inexact());
  if (!has_bounds(function)) return values;
  if (!call.inexact() && rounds_products(function)) {
    values = with_bounds(node, function, inputs, opset, std::move(values));
    for (NamedValue& value : values) value.is_exact = false;
    return values;
  }
  if (call.inexact()) {
    if (call.unbounded()) return values;
    Values bounded = with_bounds(node, function, inputs, opset, {});
    if (std::ranges::all_of(bounded, has_all_bounds)) return bounded;
    OperatorCall whole = call_of(node, inputs, opset);
    values = values_of(function.compute(whole));
    for (std::size_t o = 0; o < bounded.size() && o < values.size(); ++o) keep_unbounded(values[o], bounded[o]);
    return bounded;
  }
  const bool has_bounded_input =
      std::ranges::any_of(inputs, [](const NamedValue* one) { return one != nullptr && one->has_bounds(); });
  return has_bounded_input ? with_bounds(node, function, inputs, opset, std::move(values)) : values;
}

OperatorCall OperatorRun::call_of(const GraphNode& node, const Inputs& inputs, int opset) const {
  std::vector<const Tensor*> tensors;
  std::vector<std::shared_ptr<const Bounds>> bounds;
  std::vector<bool> is_computed, is_constant, is_weight;
  std::vector<double> scales;
  for (const NamedValue* input : inputs) {
    tensors.push_back(input == nullptr ? nullptr : &input->value);
    bounds.push_back(input == nullptr ? nullptr : input->all_bounds());
    is_computed.push_back(input != nullptr && input->is_computed);
    is_constant.push_back(input != nullptr && input->is_constant);
    is_weight.push_back(input != nullptr && input->follows_weights);
    scales.push_back(input != nullptr ? input->scale : 0);
  }
  OperatorCall call(node, opset, std::move(tensors), policy_);
  call.set_bounds(std::move(bounds), std::move(is_computed));
  call.set_constant(std::move(is_constant));
  call.set_scales(std::move(scales), std::move(is_weight));
  return call;
}

std::optional<NamedValue> OperatorRun::as_kept(const NamedValue& value) const {
  const NarrowType* type = treatment_of(policy_.reading<spec::FactorPrecision>()).kept;
  if (type == nullptr || value.value.type() != ElementType::float32) return std::nullopt;
  NamedValue kept = value;
  Bounds bounds = value.has_bounds() ? *value.all_bounds() : exact_bounds(value.value);
  for (Interval& number : bounds) number = perhaps_narrowed(number, type);
  kept.bounds = std::make_shared<const Bounds>(std::move(bounds));
  return kept;
}

Values OperatorRun::with_bounds(const GraphNode& node, const OperatorFunction& function, Inputs inputs, int opset,
                                Values exact) {
  std::deque<NamedValue> kept_inputs;
  if (!consults_factor_precision(node))
    for (const NamedValue*& input : inputs)
      if (std::optional<NamedValue> kept = input != nullptr ? as_kept(*input) : std::nullopt)
        input = &kept_inputs.emplace_back(*std::move(kept));
  Values values;
  if (is_movement(function)) {
    values = moved(node, function, inputs, opset);
  } else if (function.is_monotone) {
    values = between_ends(node, function, inputs, opset);
  } else {
    OperatorCall call = call_of(node, inputs, opset);
    call.set_most_terms(model_.limits.terms);
    call.set_further_roundings(further_roundings(node));
    for (BoundedTensor& bounded : function.bound(call))
      values.push_back(
          bounded_value(bounded.type.value_or(call.input(0).type()), bounded.shape, std::move(bounded.bounds)));
    if (exact.empty()) {
      notes_.add_consulted(call.consulted());
      if (call.unbounded()) note_inexact(node, *call.unbounded());
    }
  }
  for (std::size_t i = 0; i < exact.size(); ++i) {
    exact[i].bounds = values[i].all_bounds();
    values[i] = std::move(exact[i]);
  }
  return values;
}

Values OperatorRun::moved(const GraphNode& node, const OperatorFunction& function, const Inputs& inputs, int opset) {
  const spec::ElementType type = moved_type(inputs);
  Inputs replaced = inputs;
  std::deque<NamedValue> places;
  Bounds bounds{{0, 0}};  // the place 0 is what Pad takes by default
  for (const NamedValue*& input : replaced) {
    if (input == nullptr || input->value.type() != type) continue;
    NamedValue& place = places.emplace_back(NamedValue{Tensor(spec::ElementType::int64, input->value.shape())});
    for (std::int64_t i = 0; i < input->value.size(); ++i) {
      place.value.set_code(i, bounds.size());
      bounds.push_back(input->bounds_of(i));
    }
    input = &place;
  }
  OperatorCall call = call_of(node, replaced, opset);
  call.set_most_terms(std::min(model_.limits.terms, most_compared_terms));
  if (node.op_type == "Pad" && call.number("value", 0) != 0)
    note_inexact(node, "there are no bounds for padding with an attribute");
  Values values;
  for (Tensor& output : function.compute(call)) {
    if (output.type() != ElementType::int64) {  // a mask, not places
      values.push_back({std::move(output)});
      continue;
    }
    Bounds moved;
    for (std::int64_t i = 0; i < output.size(); ++i) moved.push_back(bounds[output.code(i)]);
    values.push_back(bounded_value(type, output.shape(), std::move(moved)));
  }
  return values;
}

Values OperatorRun::between_ends(const GraphNode& node, const OperatorFunction& function, const Inputs& inputs,
                                 int opset) {
  const spec::ElementType type = moved_type(inputs);
  const auto run = [&](double Interval::*end) {
    Inputs replaced = inputs;
    std::deque<NamedValue> numbers;
    for (const NamedValue*& input : replaced) {
      if (input == nullptr || input->value.type() != type) continue;
      NamedValue& made = numbers.emplace_back(NamedValue{Tensor(spec::ElementType::float64, input->value.shape())});
      for (std::int64_t i = 0; i < input->value.size(); ++i)
        made.value.set_code(i, std::bit_cast<std::uint64_t>(input->bounds_of(i).*end));
      made.is_exact = true;
      input = &made;
    }
    OperatorCall call = call_of(node, replaced, opset);
    call.set_most_terms(std::min(model_.limits.terms, most_compared_terms));
    return function.compute(call);
  };
  const Tensors low = run(&Interval::low), high = run(&Interval::high);
  Values values;
  for (std::size_t o = 0; o < low.size(); ++o) {
    Bounds bounds;
    for (std::int64_t i = 0; i < low[o].size(); ++i)
      bounds.push_back({std::bit_cast<double>(low[o].code(i)), std::bit_cast<double>(high[o].code(i))});
    values.push_back(bounded_value(type, low[o].shape(), std::move(bounds)));
  }
  return values;
}

void OperatorRun::note_inexact(const GraphNode& node, std::string_view why) {
  note_rounded(node, why);
  if (!notes_.unbounded) notes_.unbounded = fmt::format("{}: {}", node.op_type, why);
}

void OperatorRun::note_rounded(const GraphNode& node, std::string_view why) {
  if (!notes_.inexact) notes_.inexact = fmt::format("{}: {}", node.op_type, why);
}

void OperatorRun::note_use(const NamedValue& given, const GraphNode& node) {
  if (given.has_unspecified()) note_inexact(node, "an input has an element that the specification leaves open");
}

}  // namespace touchstone::reference
