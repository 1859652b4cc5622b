#include "conformance/graphs/graph_builder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "conformance/generate/stored_tensor.h"
#include "reference/codec.h"
#include "reference/graph/graph_interpreter.h"
#include "reference/host_numbers.h"
#include "spec/opset.h"

namespace touchstone::conformance {

using reference::Shape;
using reference::Tensor;
using spec::ElementType;
using spec::Granularity;

namespace {

/// All numbers of the suite are exact in their types.
std::uint64_t code_of(ElementType type, double number) { return reference::encode(type, reference::exact(number)); }

/// Whether the type of numbers holds all differences of quantized elements and zero points, and so all that
/// DequantizeLinear gives.
bool holds_differences(ElementType number, ElementType quantized) {
  return !spec::is_integer(quantized) || spec::info(quantized).bits <= spec::format_of(number).fraction_bits + 1;
}

/// A range of integers around the zero points of which such a type holds all differences.
int range_of_differences(ElementType number) { return (1 << (spec::format_of(number).fraction_bits + 1)) - 16; }

/// Scales are powers of two, so that fused and unfused implementations compute the same bits. They differ along an
/// axis.
double scale_at(std::int64_t place, bool is_other, bool is_negative) {
  constexpr std::array exponents{-2, -1, -3};
  const int exponent = exponents.at(static_cast<std::size_t>(place) % exponents.size()) + (is_other ? 2 : 0);
  return std::ldexp(is_negative ? -1 : 1, exponent);
}

/// Zero points in the range of every integer type of at least 4 bits; 2-bit types have 0 and 1.
std::int64_t zero_point_at(ElementType type, std::int64_t place, bool is_other) {
  if (spec::info(type).bits == 2) return (place + (is_other ? 1 : 0)) % 2;
  return 1 + place % 3 + (is_other ? 2 : 0);
}

onnx::AttributeProto to_attribute(const std::string& name, const NodeAttribute& value) {
  onnx::AttributeProto attribute;
  attribute.set_name(name);
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(*number);
  } else if (const auto* real = std::get_if<float>(&value)) {
    attribute.set_type(onnx::AttributeProto::FLOAT);
    attribute.set_f(*real);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    attribute.set_type(onnx::AttributeProto::STRING);
    attribute.set_s(*text);
  } else {
    attribute.set_type(onnx::AttributeProto::INTS);
    for (const std::int64_t one : std::get<std::vector<std::int64_t>>(value)) attribute.add_ints(one);
  }
  return attribute;
}

}  // namespace

GraphBuilder::GraphBuilder(const GraphParameters& parameters, std::string id, std::uint64_t seed)
    : parameters_(parameters),
      id_(std::move(id)),
      dealer_(id_, seed),
      graph_(model_.mutable_graph()),
      violation_(parameters.violation) {
  model_.set_ir_version(spec::find_opset(spec::ai_onnx, parameters.opset)->ir_version);
  model_.set_producer_name("touchstone");
  model_.add_opset_import()->set_version(parameters.opset);
  graph_->set_name("pattern");
}

std::string GraphBuilder::new_name(const std::string& stem) { return fmt::format("{}_{}", stem, ++names_); }

void GraphBuilder::import_domain(const std::string& domain, int version) {
  onnx::OperatorSetIdProto& import = *model_.add_opset_import();
  import.set_domain(domain);
  import.set_version(version);
}

// ---- operands

void GraphBuilder::declare(onnx::ValueInfoProto& info, const std::string& name, const Tensor& tensor) const {
  info.set_name(name);
  onnx::TypeProto::Tensor& type = *info.mutable_type()->mutable_tensor_type();
  type.set_elem_type(static_cast<int>(tensor.type()));
  onnx::TensorShapeProto& shape = *type.mutable_shape();
  for (std::size_t d = 0; d < tensor.shape().size(); ++d) {
    auto& dimension = *shape.add_dim();
    if (parameters_.form->dimensions == Dimensions::symbolic)
      dimension.set_dim_param(fmt::format("{}_{}", name, d));
    else
      dimension.set_dim_value(tensor.shape()[d]);
  }
}

std::string GraphBuilder::operand(const std::string& stem, const Tensor& tensor, Source source) {
  const std::string name = new_name(stem);
  switch (source) {
    case Source::graph_input:
      declare(*model_.mutable_graph()->add_input(), name, tensor);
      inputs_.push_back({name, tensor});
      break;
    case Source::initializer:
      *model_.mutable_graph()->add_initializer() = stored_tensor(tensor, name, Storage::raw_data);
      break;
    case Source::constant_node: {
      onnx::NodeProto& constant = *graph_->add_node();
      constant.set_op_type("Constant");
      constant.add_output(name);
      onnx::AttributeProto& value = *constant.add_attribute();
      value.set_name("value");
      value.set_type(onnx::AttributeProto::TENSOR);
      *value.mutable_t() = stored_tensor(tensor, name, Storage::raw_data);
    }
  }
  return name;
}

Tensor GraphBuilder::quantized_tensor(const Shape& shape, Data data) {
  const ElementType type = parameters_.quantized;
  Tensor tensor(type, shape);
  const int bits = spec::info(type).bits;
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    std::uint64_t code = 0;
    if (data == Data::small && spec::is_integer(type)) {
      const auto limit = static_cast<std::size_t>(std::min(1 << (bits - 1), 16));
      code = dealer_.below(limit);
    } else if (!holds_differences(parameters_.number, type)) {
      // Otherwise an implementation that requantizes without rounding in between would get other results.
      code = dealer_.below(static_cast<std::size_t>(range_of_differences(parameters_.number)));
      if (reference::lowest(type) < 0 && dealer_.coin()) code = code_of(type, -static_cast<double>(code));
    } else {
      // The ends of the range first. Infinities and NaN would hide other results.
      do {
        code = dealer_.next() & (~std::uint64_t{0} >> (64 - bits));
        if (spec::is_integer(type) && i < 2)
          code = code_of(type, static_cast<double>(i == 0 ? reference::lowest(type) : reference::highest(type)));
      } while (!reference::decode(type, code).is_finite());
    }
    tensor.set_code(i, code);
  }
  return tensor;
}

std::string GraphBuilder::quantized_x(const Shape& shape, Data data) {
  return operand("x", quantized_tensor(shape, data), parameters_.form->x);
}

std::string GraphBuilder::quantized_constant(const Shape& shape, Data data) {
  return operand("w", quantized_tensor(shape, data), Source::initializer);
}

std::string GraphBuilder::number_x(const Shape& shape, Data data) {
  Tensor tensor(parameters_.number, shape);
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    // Multiples of 1/16 below 8, so that they have 7 bits, and now and then a number that saturates.
    const double sign = dealer_.coin() ? 1 : -1;
    const double small = static_cast<double>(dealer_.below(128)) / 16;
    const bool can_saturate = data == Data::any && holds_differences(parameters_.number, parameters_.quantized);
    const bool saturates = can_saturate && dealer_.below(8) == 0;
    tensor.set_code(i, code_of(parameters_.number, sign * (saturates ? 20480 : small)));
  }
  return operand("x", tensor, parameters_.form->x);
}

std::string GraphBuilder::constant(const Tensor& tensor) { return operand("c", tensor, Source::initializer); }

std::string GraphBuilder::integers(const std::vector<std::int64_t>& values) {
  const std::vector<std::uint64_t> codes(values.begin(), values.end());
  return constant(Tensor::from_codes(ElementType::int64, {std::ssize(values)}, codes));
}

std::string GraphBuilder::number(double value) { return numbers({}, {value}); }

std::string GraphBuilder::numbers(const Shape& shape, const std::vector<double>& values) {
  std::vector<std::uint64_t> codes;
  for (const double value : values) codes.push_back(code_of(parameters_.number, value));
  return constant(Tensor::from_codes(parameters_.number, shape, codes));
}

// ---- parameters of quantization operators

namespace {

/// A length that no dimension of the patterns has.
constexpr std::int64_t no_length = 7;

void lengthen(Shape& shape, std::optional<std::int64_t> axis) {
  if (shape.empty())
    shape = {no_length};
  else
    ++shape.at(shape.size() == 1 ? 0 : static_cast<std::size_t>(*axis));
}

}  // namespace

void GraphBuilder::violate_rule(Layout& layout, std::size_t rank) {
  if (violation_ == Violation::axis_range && !layout.axis) return;
  switch (std::exchange(violation_, Violation::none)) {
    case Violation::none: return;
    case Violation::scale_length:
      lengthen(layout.scale, layout.axis);
      lengthen(layout.zero_point, layout.axis);
      return;
    case Violation::zero_point_shape: lengthen(layout.zero_point, layout.axis); return;
    case Violation::axis_range: layout.axis = static_cast<std::int64_t>(rank); return;
  }
}

Quantization GraphBuilder::quantization(const std::string& stem, const Shape& shape, std::optional<std::int64_t> axis,
                                        Second difference) {
  const Granularity granularity = axis ? parameters_.granularity : Granularity::per_tensor;
  Shape parameter_shape;
  std::int64_t block_size = 0;
  if (granularity == Granularity::per_axis) parameter_shape = {shape.at(static_cast<std::size_t>(*axis))};
  if (granularity == Granularity::blocked) {
    parameter_shape = shape;
    std::int64_t& length = parameter_shape.at(static_cast<std::size_t>(*axis));
    block_size = length > 1 ? 2 : 1;
    length = (length + block_size - 1) / block_size;
  }
  const std::string key = fmt::format("{}/{}/{}", stem, fmt::join(parameter_shape, ","), axis.value_or(-1));
  if (const auto found = known_.find(key); found != known_.end()) return found->second;

  Layout layout{parameter_shape, parameter_shape, granularity == Granularity::per_tensor ? std::nullopt : axis};
  violate_rule(layout, shape.size());
  const bool has_other_type = difference == Second::type;
  const ElementType type = has_other_type ? other_type(parameters_.quantized) : parameters_.quantized;
  Tensor scale(parameters_.number, layout.scale);
  for (std::int64_t i = 0; i < scale.size(); ++i)
    scale.set_code(i, code_of(parameters_.number, scale_at(i, difference == Second::scale, parameters_.is_negative)));
  Tensor zero_point(type, layout.zero_point);
  if (spec::is_integer(type))
    for (std::int64_t i = 0; i < zero_point.size(); ++i)
      zero_point.set_code(i, static_cast<std::uint64_t>(zero_point_at(type, i, difference == Second::zero_point)));

  Quantization made{.type = type, .scale = {}, .zero_point = {}, .axis = layout.axis, .block_size = block_size};
  made.scale = operand("scale", scale, parameters_.form->parameters);
  // QuantizeLinear without a zero point gives uint8, and the old versions have no attribute for the type.
  if (parameters_.has_zero_point) made.zero_point = operand("zero_point", zero_point, parameters_.form->parameters);
  known_.emplace(key, made);
  return made;
}

Quantization GraphBuilder::first(const Shape& shape) { return first(shape, shape.size() > 1 ? 1 : 0); }

Quantization GraphBuilder::first(const Shape& shape, std::int64_t axis) {
  return quantization("first", shape, shape.empty() ? std::nullopt : std::optional(axis), Second::same);
}

Quantization GraphBuilder::second(const Shape& shape) { return second(shape, shape.size() > 1 ? 1 : 0); }

Quantization GraphBuilder::second(const Shape& shape, std::optional<std::int64_t> axis) {
  return second(shape, axis, parameters_.second);
}

Quantization GraphBuilder::second(const Shape& shape, std::optional<std::int64_t> axis, Second difference) {
  // Equal parameters are the same tensors, as quantizers write them.
  return quantization(difference == Second::same ? "first" : fmt::format("second_{}", static_cast<int>(difference)),
                      shape, axis, difference);
}

Quantization GraphBuilder::per_tensor(int exponent) {
  return per_tensor(exponent, zero_point_at(parameters_.quantized, 0, false));
}

Quantization GraphBuilder::from_lowest(int exponent) {
  return per_tensor(exponent, static_cast<std::int64_t>(reference::lowest(parameters_.quantized)));
}

Quantization GraphBuilder::per_tensor(int exponent, std::int64_t zero_point) {
  Layout layout;
  violate_rule(layout, 0);
  Quantization made{.type = parameters_.quantized, .scale = {}, .zero_point = {}, .axis = {}};
  Tensor scale(parameters_.number, layout.scale);
  const std::uint64_t code = code_of(parameters_.number, std::ldexp(parameters_.is_negative ? -1 : 1, exponent));
  for (std::int64_t i = 0; i < scale.size(); ++i) scale.set_code(i, code);
  made.scale = operand("scale", scale, parameters_.form->parameters);
  if (!parameters_.has_zero_point) return made;
  Tensor tensor(parameters_.quantized, layout.zero_point);
  if (spec::is_integer(parameters_.quantized))
    for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, static_cast<std::uint64_t>(zero_point));
  made.zero_point = operand("zero_point", tensor, parameters_.form->parameters);
  return made;
}

Quantization GraphBuilder::of_microsoft(Quantization quantization) {
  if (const auto& imports = model_.opset_import();
      std::ranges::none_of(imports, [](const auto& import) { return import.domain() == spec::com_microsoft; }))
    import_domain(std::string(spec::com_microsoft), 1);
  quantization.domain = spec::com_microsoft;
  return quantization;
}

void GraphBuilder::declare_as_input(const std::string& initializer) {
  const auto& initializers = model_.graph().initializer();
  const auto found = std::ranges::find(initializers, initializer, &onnx::TensorProto::name);
  declare(*model_.mutable_graph()->add_input(), initializer, to_tensor(*found, id_));
}

// ---- nodes

onnx::NodeProto& GraphBuilder::add_node(const std::string& op, const std::vector<std::string>& inputs,
                                        const NodeAttributes& attributes) {
  onnx::NodeProto& added = *graph_->add_node();
  added.set_op_type(op);
  for (const std::string& input : inputs) added.add_input(input);
  for (const auto& [name, value] : attributes) *added.add_attribute() = to_attribute(name, value);
  return added;
}

std::string GraphBuilder::node(const std::string& op, const std::vector<std::string>& inputs,
                               const NodeAttributes& attributes) {
  return node_with_outputs(op, inputs, 1, attributes).front();
}

std::vector<std::string> GraphBuilder::node_with_outputs(const std::string& op, const std::vector<std::string>& inputs,
                                                         std::size_t outputs, const NodeAttributes& attributes) {
  onnx::NodeProto& added = add_node(op, inputs, attributes);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < outputs; ++i) names.push_back(*added.add_output() = new_name("v"));
  return names;
}

namespace {

NodeAttributes attributes_of(const Quantization& quantization) {
  NodeAttributes attributes;
  if (quantization.axis) attributes.emplace("axis", *quantization.axis);
  if (quantization.block_size > 0) attributes.emplace("block_size", quantization.block_size);
  return attributes;
}

std::vector<std::string> inputs_of(const std::string& x, const Quantization& quantization) {
  std::vector<std::string> inputs{x, quantization.scale};
  if (!quantization.zero_point.empty()) inputs.push_back(quantization.zero_point);
  return inputs;
}

}  // namespace

std::string GraphBuilder::quantization_node(const std::string& op, const std::string& x,
                                            const Quantization& quantization, const NodeAttributes& attributes) {
  const std::string output = node(op, inputs_of(x, quantization), attributes);
  if (quantization.domain != spec::ai_onnx)
    graph_->mutable_node()->rbegin()->set_domain(std::string(quantization.domain));
  return output;
}

std::string GraphBuilder::dequantize(const std::string& x, const Quantization& quantization) {
  return quantization_node("DequantizeLinear", x, quantization, attributes_of(quantization));
}

std::string GraphBuilder::quantize(const std::string& x, const Quantization& quantization) {
  NodeAttributes attributes = attributes_of(quantization);
  if (quantization.zero_point.empty() && quantization.type != ElementType::uint8)
    attributes.emplace("output_dtype", static_cast<std::int64_t>(quantization.type));
  return quantization_node("QuantizeLinear", x, quantization, attributes);
}

std::string GraphBuilder::add_if(onnx::GraphProto then_branch, const std::string& then_output,
                                 onnx::GraphProto else_branch, const std::string& else_output) {
  // What violates a rule is in the branch that runs.
  const bool runs_then_branch = parameters_.violation != Violation::none || dealer_.coin();
  const std::string condition =
      operand("condition", Tensor::from_codes(ElementType::boolean, {}, std::array<std::uint64_t, 1>{runs_then_branch}),
              parameters_.form->x);
  onnx::NodeProto& added = add_node("If", {condition}, {});
  const auto add_branch = [&](const char* name, onnx::GraphProto branch, const std::string& output) {
    branch.set_name(name);
    branch.add_output()->set_name(output);
    onnx::AttributeProto& attribute = *added.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::GRAPH);
    *attribute.mutable_g() = std::move(branch);
  };
  add_branch("then_branch", std::move(then_branch), then_output);
  add_branch("else_branch", std::move(else_branch), else_output);
  return *added.add_output() = new_name("v");
}

// ---- the case

Case GraphBuilder::finish() {
  // The type and the shape of an output that a model must declare are those that the reference computes.
  for (const std::string& output : outputs_) model_.mutable_graph()->add_output()->set_name(output);
  const OperatorModel incomplete = parse_model(model_.SerializeAsString(), id_);
  std::vector<Tensor> values;
  for (const NamedTensor& input : inputs_) values.push_back(input.value);
  const reference::GraphOutcome outcome = reference::interpret(*incomplete.graph, values);
  if (outcome.outputs() == nullptr)
    throw reference::GraphError(fmt::format("{}: {}", id_, outcome.rejection()->reason));
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    declare(*model_.mutable_graph()->mutable_output(static_cast<int>(i)), outputs_[i], outcome.outputs()->at(i).value);
  return make_case();
}

Case GraphBuilder::make_case() const {
  return {.id = id_,
          .model = parse_model(model_.SerializeAsString(), id_),
          .data_sets = {{.inputs = inputs_, .expected = {}}},
          .form = std::string(parameters_.form->name)};
}

Case GraphBuilder::finish(const Case& legal) {
  onnx::ModelProto legal_model;
  legal_model.ParseFromString(legal.model.bytes);
  *model_.mutable_graph()->mutable_output() = legal_model.graph().output();
  return make_case();
}

}  // namespace touchstone::conformance
