#include "conformance/session/experiment_case.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "conformance/diagnose/host_arithmetic.h"
#include "conformance/generate/model_builder.h"
#include "conformance/generate/parts.h"
#include "conformance/generate/simpler_nodes.h"
#include "conformance/generate/simpler_values.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

using reference::Node;
using reference::Tensor;
using spec::ElementType;

namespace {

bool is_quantization(const Node& node) { return node.op == spec::Operator::quantize_linear; }

/// Chooses values: revealing ones, those of the case, and ordinary ones.
class Values {
 public:
  Values(const VariedCase& base, Picker& picker) : base_(base), picker_(picker), rows_(directed_values(base.kind)) {}

  void fill(Node& node, const std::set<std::size_t>& operands) {
    if (operands.contains(1)) fill_parameters(node, operands.contains(2));
    if (operands.contains(0)) fill_x(node);
  }

 private:
  std::uint64_t of_base(std::size_t operand) {
    const Tensor& tensor = *base_.node.inputs[operand];
    return tensor.code(static_cast<std::int64_t>(picker_.below(static_cast<std::size_t>(tensor.size()))));
  }

  void fill_parameters(Node& node, bool with_zero_point) {
    Tensor& scale = *node.inputs[1];
    Tensor* zero_point = with_zero_point && node.inputs.size() > 2 && node.inputs[2] ? &*node.inputs[2] : nullptr;
    static constexpr std::array ordinary{1.0, 0.5, 0.25, 2.0, 3.0, 0.1, 0.3, 1.5, 7.0, 0.75};
    for (std::int64_t i = 0; i < scale.size(); ++i) {
      const std::uint64_t own = of_base(1);
      const std::size_t kind = rows_.empty() ? picker_.below(2) : picker_.below(4);
      const DirectedValues* row = kind > 1 ? &picker_.one_of(rows_) : nullptr;
      scale.set_code(i, kind == 0   ? own
                        : kind == 1 ? nearest_code_or(scale.type(), picker_.one_of(ordinary), own)
                                    : row->scale);
      if (zero_point == nullptr || i >= zero_point->size()) continue;
      const bool may_be_other = base_.kind.zero_point.has_value();
      const std::uint64_t small = host::encode(zero_point->type(), static_cast<double>(picker_.below(4)));
      const std::uint64_t of_base_or_small = may_be_other && picker_.coin() ? small : of_base(2);
      zero_point->set_code(i, row != nullptr && may_be_other ? row->zero_point : of_base_or_small);
    }
  }

  void fill_x(Node& node) {
    Tensor& x = *node.inputs[0];
    for (std::int64_t i = 0; i < x.size(); ++i) x.set_code(i, code_of_x(node, x.type()));
  }

  std::uint64_t code_of_x(const Node& node, spec::ElementType type) {
    const std::uint64_t own = of_base(0);
    const std::size_t kind = picker_.below(8);
    if (kind == 0) return own;
    if (kind < 4 && !rows_.empty())
      if (const DirectedValues& row = picker_.one_of(rows_); !row.x.empty()) return picker_.one_of(row.x);
    if (!is_quantization(node)) {
      const int bits = spec::info(type).bits;
      return bits < 32 ? picker_.next() & ((std::uint64_t{1} << bits) - 1) : own;
    }
    // A quotient near or at a tie, or beyond the range.
    static constexpr std::array fractions{0.0, 0.5, 0.25, 0.499, 0.501, 0.9};
    const Tensor& scale = *node.inputs[1];
    const auto place = static_cast<std::int64_t>(picker_.below(static_cast<std::size_t>(scale.size())));
    const double most = std::ldexp(1.0, static_cast<int>(picker_.below(10)));
    const double quotient =
        std::floor(static_cast<double>(picker_.below(1024)) / 1024 * most) + picker_.one_of(fractions);
    const double number = host::decode(scale.type(), scale.code(place)) * (picker_.coin() ? quotient : -quotient);
    return nearest_code_or(type, number, own);
  }

  const VariedCase& base_;
  Picker& picker_;
  const std::vector<DirectedValues>& rows_;
};

/// Exchanges the axis with another dimension, so that other axes fit the scale, or none.
void exchange_axis(Node& node, Picker& picker) {
  const reference::Shape shape = node.inputs[0]->shape();
  const auto found = node.attributes.find("axis");
  const auto* given = found == node.attributes.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  const auto rank = static_cast<std::int64_t>(shape.size());
  const std::int64_t axis = (given == nullptr ? 1 : *given) + (given != nullptr && *given < 0 ? rank : 0);
  if (axis < 0 || axis >= rank) return;
  reference::Shape other = shape;
  std::swap(other[static_cast<std::size_t>(axis)], other[picker.below(shape.size())]);
  const std::int64_t length = other[static_cast<std::size_t>(axis)];
  node.inputs[0] = reshaped(*node.inputs[0], std::move(other));
  for (std::size_t i = 1; i < node.inputs.size(); ++i)
    if (node.inputs[i]) node.inputs[i] = reshaped(*node.inputs[i], {length});
}

/// The node in these other circumstances, and its form; std::nullopt if they are those of the case.
std::optional<std::pair<Node, const Form*>> changed(const VariedCase& base, ExperimentChange change) {
  const bool has_variables = base.form->parameters == Source::graph_input;
  const reference::Outcome outcome = reference::interpret(base.node, {}, {});
  if (outcome.result() == nullptr) return std::nullopt;
  const auto first_of = [&](const std::vector<Node>& nodes) {
    return nodes.empty() ? std::nullopt : std::optional(std::pair(nodes.front(), base.form));
  };
  switch (change) {
    case ExperimentChange::values: return std::pair(base.node, base.form);
    case ExperimentChange::graph_inputs:
      if (has_variables && base.form->x == Source::graph_input) return std::nullopt;
      return std::pair(base.node, &plain_form());
    case ExperimentChange::constants:
      return has_variables ? std::optional(std::pair(base.node, &form_named("initializers"))) : std::nullopt;
    case ExperimentChange::without_zero_point:
      if (base.node.inputs.size() < 3 || !base.node.inputs[2]) return std::nullopt;
      return first_of(fewer_operands(base.node, outcome.result()));
    case ExperimentChange::per_tensor:
      if (base.node.inputs[1]->size() == 1) return std::nullopt;
      return first_of(per_tensor(base.node, *outcome.result()));
  }
  return std::nullopt;
}

/// Codes of the tensor, each chosen at random.
Tensor shuffled(const Tensor& own, Picker& picker) {
  Tensor other = own;
  for (std::int64_t i = 0; i < own.size(); ++i)
    other.set_code(i, own.code(static_cast<std::int64_t>(picker.below(static_cast<std::size_t>(own.size())))));
  return other;
}

/// The same for a scale, times a number that keeps its sign.
Tensor other_scale(const Tensor& own, Picker& picker) {
  static constexpr std::array factors{0.25, 0.5, 2.0, 3.0, 4.0};
  const double factor = picker.one_of(factors);
  Tensor other = shuffled(own, picker);
  for (std::int64_t i = 0; i < other.size(); ++i)
    other.set_code(i, nearest_code_or(own.type(), host::decode(own.type(), other.code(i)) * factor, other.code(i)));
  return other;
}

/// The same for a zero point of an integer type: numbers next to its own.
Tensor other_zero_point(const Tensor& own, Picker& picker) {
  if (!spec::is_integer(own.type()) || own.type() == ElementType::int32) return own;
  Tensor other = own;
  for (std::int64_t i = 0; i < own.size(); ++i) {
    const double number = host::decode(own.type(), own.code(i)) + static_cast<double>(picker.below(7)) - 3;
    other.set_code(i,
                   host::encode(own.type(), std::clamp(number, host::lowest(own.type()), host::highest(own.type()))));
  }
  return other;
}

/// Other constants that quantization operators read: the elements, and also the parameters if `with_parameters`. Equal
/// parameters stay equal, because optimizers compare them.
OperatorModel with_other_constants(const OperatorModel& model, const std::string& id, bool with_parameters,
                                   Picker& picker) {
  onnx::ModelProto proto;
  proto.ParseFromString(model.bytes);   // it was parsed before
  std::map<std::string, int> operands;  // by the name of the constant
  for (const onnx::NodeProto& node : proto.graph().node())
    if (node.op_type() == "QuantizeLinear" || node.op_type() == "DequantizeLinear")
      for (int i = 0; i < std::min(node.input_size(), with_parameters ? 3 : 1); ++i) operands.emplace(node.input(i), i);
  std::map<std::vector<std::uint64_t>, Tensor> others;
  const auto change = [&](onnx::TensorProto& tensor, const std::string& name) {
    const auto operand = operands.find(name);
    if (operand == operands.end()) return;
    const Tensor own = to_tensor(tensor, id);
    if (own.size() == 0) return;
    if (operand->second == 0) {
      tensor = to_tensor_proto(shuffled(own, picker), tensor.name());
      return;
    }
    std::vector<std::uint64_t> key{static_cast<std::uint64_t>(own.type())};
    for (std::int64_t i = 0; i < own.size(); ++i) key.push_back(own.code(i));
    auto found = others.find(key);
    if (found == others.end()) {
      Tensor other = operand->second == 1 ? other_scale(own, picker) : other_zero_point(own, picker);
      found = others.emplace(std::move(key), std::move(other)).first;
    }
    tensor = to_tensor_proto(reshaped(found->second, own.shape()), tensor.name());
  };
  for (onnx::TensorProto& tensor : *proto.mutable_graph()->mutable_initializer()) change(tensor, tensor.name());
  for (onnx::NodeProto& node : *proto.mutable_graph()->mutable_node())
    if (node.op_type() == "Constant" && node.attribute_size() == 1 && node.attribute(0).has_t())
      change(*node.mutable_attribute(0)->mutable_t(), node.output(0));
  return permitting_as(model, parse_model(proto.SerializeAsString(), id, model.graph_inputs.size()));
}

/// The graph with other inputs and constants, whose elements are those of the case. Decimal fractions and other zero
/// points could make results depend on how they are computed; then there is none.
std::optional<ExperimentCase> vary_graph(const Case& graph, ExperimentChange change, Picker& picker) {
  if (change != ExperimentChange::values) return std::nullopt;
  ExperimentCase one{graph, {}, picker.coin()};
  if (one.has_other_parameters || graph.model.graph_inputs.empty())
    one.tested.model = with_other_constants(graph.model, graph.id, one.has_other_parameters, picker);
  for (DataSet& data : one.tested.data_sets) {
    data.expected.clear();
    data.repeats.reset();
    for (NamedTensor& input : data.inputs)
      if (input.value.size() > 0) input.value = shuffled(input.value, picker);
  }
  one.interpreted = interpret(one.tested);
  for (const ReferenceOutcome& row : one.interpreted)
    if (row.outcome.result() == nullptr) return std::nullopt;
  return one;
}

}  // namespace

std::optional<ExperimentCase> vary(const VariedCase& base, ExperimentChange change, Picker& picker) {
  if (base.graph.model.graph != nullptr) return vary_graph(base.graph, change, picker);
  auto other = changed(base, change);
  if (!other) return std::nullopt;
  auto& [node, form] = *other;
  if (change == ExperimentChange::values && base.is_per_axis && picker.below(3) == 0) exchange_axis(node, picker);
  Values values(base, picker);
  values.fill(node, {0, 1, 2});
  ExperimentCase one{case_of(node, *form)};
  if (one.tested.float6_padding_is_set) return std::nullopt;
  if (const std::set<std::size_t> variable = variable_inputs(node, *form); !variable.empty()) {
    values.fill(node, variable);
    one.tested.data_sets.push_back({graph_inputs(node, *form), {}});
  }
  one.interpreted = interpret(one.tested);
  for (const ReferenceOutcome& row : one.interpreted)
    if (row.outcome.result() == nullptr) return std::nullopt;
  return one;
}

}  // namespace touchstone::conformance
