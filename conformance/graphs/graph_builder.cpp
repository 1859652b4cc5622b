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

namespace {

/// All numbers of the suite but decimal scales are exact in their types.
std::uint64_t code_of(ElementType type, double number) { return reference::encode(type, reference::exact(number)); }

/// Whether the type of numbers holds all differences of quantized elements and zero points, and so all that
/// DequantizeLinear gives.
bool holds_differences(ElementType number, ElementType quantized) {
  return !spec::is_integer(quantized) || spec::info(quantized).bits <= spec::format_of(number).fraction_bits + 1;
}

/// A range of integers around the zero points of which such a type holds all differences.
int range_of_differences(ElementType number) { return (1 << (spec::format_of(number).fraction_bits + 1)) - 16; }

Tensor number_tensor(ElementType type, const Shape& shape, const std::vector<double>& values) {
  std::vector<std::uint64_t> codes;
  for (const double value : values) codes.push_back(code_of(type, value));
  return Tensor::from_codes(type, shape, codes);
}

/// Neighbouring scales differ, and so do the rows of a table of them.
double scale_at(Scales scales, std::int64_t place, int exponent) {
  const auto choice = static_cast<std::size_t>((place + place / 3) % 3);
  const double power = std::ldexp(1, std::array{-2, -1, -3}.at(choice) + exponent);
  switch (scales) {
    case Scales::positive: return power;
    case Scales::negative: return -power;
    case Scales::decimal: return std::ldexp(std::array{0.3, 0.7, 0.11}.at(choice), exponent);
    case Scales::odd: return std::array{0.75, 1.25, 1.75}.at(choice) * power;
  }
  return power;
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

/// A length that no quantized dimension of the patterns has.
constexpr std::int64_t no_length = 7;

void lengthen(Shape& shape, std::optional<std::int64_t> axis) {
  if (shape.empty())
    shape = {no_length};
  else
    ++shape.at(shape.size() == 1 ? 0 : static_cast<std::size_t>(*axis));
}

std::vector<std::string> inputs_of(const std::string& x, const Quantization& quantization) {
  std::vector<std::string> inputs{x, quantization.scale};
  if (!quantization.zero_point.empty()) inputs.push_back(quantization.zero_point);
  return inputs;
}

}  // namespace

GraphBuilder::GraphBuilder(const GraphParameters& parameters, std::string id, std::uint64_t seed,
                           GraphVariation variation)
    : parameters_(parameters),
      id_(std::move(id)),
      seed_(seed),
      variation_(variation),
      picker_(id_, seed),
      has_distinct_lengths_(picker_.coin()),
      cube_(has_distinct_lengths_ ? Shape{2, 6, 4} : Shape{4, 4, 4}),
      image_(has_distinct_lengths_ ? Shape{2, 4, 5, 7} : Shape{1, 4, 5, 5}),
      graph_(model_.mutable_graph()),
      violation_(parameters.violation) {
  cube_[0] = rows(cube_[0]);
  image_[0] = rows(image_[0]);
  if (variation.is_longer_inside) {
    cube_[1] += 2;
    image_[2] += 2;
  }
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

void GraphBuilder::import_domain_first(const std::string& domain, int version) {
  import_domain(domain, version);
  auto& imports = *model_.mutable_opset_import();
  for (int i = imports.size() - 1; i > 0; --i) imports.SwapElements(i, i - 1);
}

void GraphBuilder::add_metadata() {
  onnx::StringStringEntryProto& entry = *model_.add_metadata_props();
  entry.set_key("quantization");
  entry.set_value("static");
  model_.set_producer_version("1.0");
  model_.set_doc_string("DequantizeLinear and QuantizeLinear");
  graph_->set_doc_string("DequantizeLinear and QuantizeLinear");
}

// ---- shapes

std::int64_t GraphBuilder::quantized_axis(std::size_t rank) const {
  if (rank < 2 || parameters_.axis == QuantizedAxis::first) return 0;
  return parameters_.axis == QuantizedAxis::last ? static_cast<std::int64_t>(rank) - 1 : 1;
}

std::int64_t GraphBuilder::written_axis(std::int64_t axis, std::size_t rank) {
  // All operators with an axis accept negative ones since version 11, and those of 13 say so alike.
  return parameters_.opset >= 13 && picker_.coin() ? axis - static_cast<std::int64_t>(rank) : axis;
}

// ---- operands

void GraphBuilder::declare(onnx::ValueInfoProto& info, const std::string& name, const Tensor& tensor) const {
  conformance::declare(info, name, tensor.type(), tensor.shape(), parameters_.form->dimensions);
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
    case Source::constant_node:
      make_constant(*graph_->add_node(), stored_tensor(tensor, name, Storage::raw_data), name);
  }
  return name;
}

std::int64_t GraphBuilder::zero_point_at(ElementType type, std::int64_t place, bool is_other) const {
  const auto lowest = static_cast<std::int64_t>(reference::lowest(type)),
             highest = static_cast<std::int64_t>(reference::highest(type));
  const std::int64_t step = place % 3 + (is_other ? 2 : 0);
  std::int64_t zero_point = 0;
  switch (parameters_.zero_points) {
    case ZeroPoints::none: break;
    case ZeroPoints::small: zero_point = 1 + step; break;
    case ZeroPoints::middle:
      zero_point = (lowest + highest + 1) / 2 + (is_other ? -step : step == 2 ? -1 : step);
      break;
    case ZeroPoints::lowest: zero_point = lowest + step; break;
    case ZeroPoints::highest: zero_point = highest - step; break;
  }
  // 2-bit types have four numbers.
  while (zero_point > highest) zero_point -= highest - lowest + 1;
  while (zero_point < lowest) zero_point += highest - lowest + 1;
  return zero_point;
}

std::uint64_t GraphBuilder::quantized_code(ElementType type, Data data, std::int64_t place, Picker& picker) const {
  const int bits = spec::info(type).bits;
  if (data == Data::small && !spec::is_integer(type))  // types of 4 bits with fractions hold -4 to 3
    return code_of(type, static_cast<double>(picker.below(8)) - 4);
  if (!spec::is_integer(type)) {
    // Infinities and NaN would hide other results.
    std::uint64_t code = 0;
    do code = picker.next() & (~std::uint64_t{0} >> (64 - bits));
    while (!reference::decode(type, code).is_finite());
    return code;
  }
  const auto lowest = static_cast<double>(reference::lowest(type)),
             highest = static_cast<double>(reference::highest(type));
  if (data == Data::small) {
    const auto count = static_cast<double>(std::min(1 << bits, 16)),
               zero_point = static_cast<double>(zero_point_at(type, 0, false));
    const double start = std::clamp(zero_point - count / 2, lowest, highest - count + 1);
    return code_of(type, start + static_cast<double>(picker.below(static_cast<std::size_t>(count))));
  }
  if (!holds_differences(parameters_.number, type)) {
    // Otherwise an implementation that requantizes without rounding in between would get other results.
    const auto limit = static_cast<std::size_t>(range_of_differences(parameters_.number));
    const auto bits_of_numbers = static_cast<std::size_t>(spec::format_of(parameters_.number).fraction_bits);
    const auto difference = static_cast<double>(picker.below(limit) >> picker.below(bits_of_numbers));
    const double zero_point = static_cast<double>(zero_point_at(type, 0, false));
    return code_of(type, std::clamp(zero_point + (picker.coin() ? difference : -difference), lowest, highest));
  }
  // The ends of the range first.
  if (place < 2) return code_of(type, place == 0 ? lowest : highest);
  return code_of(type, lowest + static_cast<double>(picker.below(std::size_t{1} << bits)));
}

Tensor GraphBuilder::quantized_tensor(ElementType type, const Shape& shape, Data data) const {
  Tensor tensor(type, shape);
  Picker picker = next_picker();
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, quantized_code(type, data, i, picker));
  return tensor;
}

std::string GraphBuilder::quantized_x(const Shape& shape, Data data) {
  return operand("x", quantized_tensor(parameters_.quantized, shape, data), parameters_.form->x);
}

std::string GraphBuilder::quantized_x(const Shape& shape, const std::vector<std::int64_t>& values) {
  const std::vector<double> numbers(values.begin(), values.end());
  return operand("x", number_tensor(parameters_.quantized, shape, numbers), parameters_.form->x);
}

std::string GraphBuilder::tensor_x(const Tensor& tensor) { return operand("x", tensor, parameters_.form->x); }

std::string GraphBuilder::int32_x(const Shape& shape) {
  return operand("x", quantized_tensor(ElementType::int32, shape, Data::any), parameters_.form->x);
}

std::string GraphBuilder::quantized_constant(const Shape& shape, Data data) {
  return quantized_constant(parameters_.quantized, shape, data);
}

std::string GraphBuilder::quantized_constant(ElementType type, const Shape& shape, Data data) {
  return operand("w", quantized_tensor(type, shape, data), Source::initializer);
}

std::string GraphBuilder::number_x(const Shape& shape, Data data) {
  // A number that saturates, but whose quotient is not 0 modulo 2^8 or 2^16.
  const double large = parameters_.number == ElementType::bfloat16 ? 648 : 20496;
  Picker picker = next_picker();
  std::vector<double> values;
  for (std::int64_t i = 0; i < *reference::element_count(shape); ++i) {
    // Multiples of 1/16 below 8, so that they have 7 bits, and now and then a number that saturates.
    const double sign = picker.coin() ? 1 : -1;
    const double small = static_cast<double>(picker.below(128)) / 16;
    const bool can_saturate = data == Data::any && holds_differences(parameters_.number, parameters_.quantized);
    const bool saturates = can_saturate && picker.below(8) == 0;
    values.push_back(sign * (saturates ? large : small));
  }
  return numbers_x(shape, values);
}

std::string GraphBuilder::numbers_x(const Shape& shape, const std::vector<double>& values) {
  return operand("x", number_tensor(parameters_.number, shape, values), parameters_.form->x);
}

std::string GraphBuilder::constant(const Tensor& tensor) { return operand("c", tensor, Source::initializer); }

std::string GraphBuilder::integers(const std::vector<std::int64_t>& values) {
  const std::vector<std::uint64_t> codes(values.begin(), values.end());
  return constant(Tensor::from_codes(ElementType::int64, {std::ssize(values)}, codes));
}

std::string GraphBuilder::number(double value) { return numbers({}, {value}); }

std::string GraphBuilder::numbers(const Shape& shape, const std::vector<double>& values) {
  return constant(number_tensor(parameters_.number, shape, values));
}

// ---- parameters of quantization operators

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
                                        Second difference, std::int64_t block_size, int exponent) {
  const Granularity granularity = axis ? parameters_.granularity : Granularity::per_tensor;
  Shape parameter_shape;
  if (granularity == Granularity::per_axis) parameter_shape = {shape.at(static_cast<std::size_t>(*axis))};
  if (granularity == Granularity::blocked) {
    parameter_shape = shape;
    std::int64_t& length = parameter_shape.at(static_cast<std::size_t>(*axis));
    block_size = std::clamp<std::int64_t>(length, 1, block_size);
    length = (length + block_size - 1) / block_size;
  } else {
    block_size = 0;
  }
  const std::string key = fmt::format("{}/{}/{}", stem, fmt::join(parameter_shape, ","), axis.value_or(-1));
  if (const auto found = known_.find(key); found != known_.end()) return found->second;

  Layout layout{parameter_shape, parameter_shape, granularity == Granularity::per_tensor ? std::nullopt : axis};
  if (layout.axis && parameters_.axis == QuantizedAxis::last) *layout.axis -= static_cast<std::int64_t>(shape.size());
  violate_rule(layout, shape.size());
  const bool has_other_type = difference == Second::type;
  const ElementType type = has_other_type ? other_type(parameters_.quantized) : parameters_.quantized;
  Tensor scale(parameters_.number, layout.scale);
  for (std::int64_t i = 0; i < scale.size(); ++i)
    scale.set_code(
        i, reference::rounded_code(parameters_.number,
                                   scale_at(parameters_.scales, i, exponent + (difference == Second::scale ? 2 : 0))));
  Tensor zero_point(type, layout.zero_point);
  if (spec::is_integer(type))
    for (std::int64_t i = 0; i < zero_point.size(); ++i)
      zero_point.set_code(i, static_cast<std::uint64_t>(zero_point_at(type, i, difference == Second::zero_point)));

  Quantization made{.type = type, .scale = {}, .zero_point = {}, .axis = layout.axis, .block_size = block_size};
  made.scale = operand("scale", scale, parameters_.form->parameters);
  // QuantizeLinear without a zero point gives uint8, and the old versions have no attribute for the type.
  if (parameters_.has_zero_point()) made.zero_point = operand("zero_point", zero_point, parameters_.form->parameters);
  known_.emplace(key, made);
  return made;
}

Quantization GraphBuilder::first(const Shape& shape) { return first(shape, quantized_axis(shape.size())); }

Quantization GraphBuilder::first(const Shape& shape, std::int64_t axis, std::int64_t block_size) {
  return quantization("first", shape, shape.empty() ? std::nullopt : std::optional(axis), Second::same, block_size, 0);
}

Quantization GraphBuilder::second(const Shape& shape) { return second(shape, quantized_axis(shape.size())); }

Quantization GraphBuilder::second(const Shape& shape, std::optional<std::int64_t> axis) {
  return second(shape, axis, parameters_.second);
}

Quantization GraphBuilder::second(const Shape& shape, std::optional<std::int64_t> axis, Second difference) {
  // Equal parameters are the same tensors, as quantizers write them.
  return quantization(difference == Second::same ? "first" : fmt::format("second_{}", static_cast<int>(difference)),
                      shape, axis, difference, 2, 0);
}

Quantization GraphBuilder::results(const Shape& shape, std::int64_t axis, int exponent) {
  // A graph that violates a rule of scales along an axis has them.
  const bool is_along = picker_.coin() || variation_.has_twin;
  const GraphParameters own = parameters_;
  // Products of numbers of one sign are positive, so a zero point at an end would saturate all of them. A small one of
  // a signed type is odd, which matters where ties are rounded to even.
  if (own.zero_points == ZeroPoints::lowest || own.zero_points == ZeroPoints::highest)
    parameters_.zero_points = reference::lowest(own.quantized) < 0 ? ZeroPoints::small : ZeroPoints::middle;
  // Quotients of other scales than powers of two would be rounded.
  if (own.scales == Scales::odd) parameters_.scales = Scales::positive;
  Quantization made = quantization(fmt::format("results_{}", exponent), shape,
                                   is_along ? std::optional(axis) : std::nullopt, Second::same, 2, exponent + 2);
  parameters_ = own;
  return made;
}

double GraphBuilder::first_scale(std::int64_t place) const {
  return std::abs(scale_at(parameters_.scales, parameters_.granularity == Granularity::per_tensor ? 0 : place, 0));
}

std::uint64_t GraphBuilder::scale_of_tensor(int exponent) const {
  const double factor = parameters_.scales == Scales::odd ? 0.75 : parameters_.is_negative() ? -1 : 1;
  return code_of(parameters_.number, std::ldexp(factor, exponent));
}

Quantization GraphBuilder::per_tensor(int exponent) {
  return per_tensor(scale_of_tensor(exponent), zero_point_at(parameters_.quantized, 0, false));
}

Quantization GraphBuilder::from_lowest(int exponent) {
  return per_tensor(scale_of_tensor(exponent), static_cast<std::int64_t>(reference::lowest(parameters_.quantized)));
}

Quantization GraphBuilder::from_0_to_1() {
  const auto lowest = static_cast<std::int64_t>(reference::lowest(parameters_.quantized)),
             highest = static_cast<std::int64_t>(reference::highest(parameters_.quantized));
  const double scale = 1.0 / static_cast<double>(highest - lowest);
  return per_tensor(reference::rounded_code(parameters_.number, scale), lowest);
}

Quantization GraphBuilder::per_tensor(std::uint64_t scale_code, std::int64_t zero_point) {
  Layout layout;
  violate_rule(layout, 0);
  Quantization made{.type = parameters_.quantized, .scale = {}, .zero_point = {}, .axis = {}};
  Tensor scale(parameters_.number, layout.scale);
  for (std::int64_t i = 0; i < scale.size(); ++i) scale.set_code(i, scale_code);
  made.scale = operand("scale", scale, parameters_.form->parameters);
  if (!parameters_.has_zero_point()) return made;
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

void GraphBuilder::replace_scale(const std::string& initializer) {
  declare_as_input(initializer);
  const auto& initializers = model_.graph().initializer();
  Tensor scale = to_tensor(*std::ranges::find(initializers, initializer, &onnx::TensorProto::name), id_);
  for (std::int64_t i = 0; i < scale.size(); ++i)
    scale.set_code(i, reference::encode(scale.type(),
                                        multiply(reference::decode(scale.type(), scale.code(i)), reference::exact(2))));
  inputs_.push_back({initializer, scale});
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

NodeAttributes GraphBuilder::attributes_of(const Quantization& quantization) const {
  NodeAttributes attributes;
  const bool is_default = parameters_.axis == QuantizedAxis::default_value && quantization.axis == 1;
  if (quantization.axis && !is_default) attributes.emplace("axis", *quantization.axis);
  if (quantization.block_size > 0) attributes.emplace("block_size", quantization.block_size);
  return attributes;
}

std::string GraphBuilder::quantization_node(const std::string& op, const std::string& x,
                                            const Quantization& quantization, const NodeAttributes& attributes) {
  const std::string output = node(op, inputs_of(x, quantization), attributes);
  if (quantization.domain != spec::ai_onnx)
    graph_->mutable_node()->rbegin()->set_domain(std::string(quantization.domain));
  return output;
}

std::string GraphBuilder::dequantize(const QuantizationOperands& operands) {
  const auto& [x, quantization] = operands;
  return quantization_node("DequantizeLinear", x, quantization, attributes_of(quantization));
}

std::string GraphBuilder::quantize(const QuantizationOperands& operands) {
  const auto& [x, quantization] = operands;
  NodeAttributes attributes = attributes_of(quantization);
  const bool has_zero_point = !quantization.zero_point.empty();
  // Readings of version 23 differ in the attribute. Elsewhere, it may repeat the type of the zero point.
  const bool repeats_type = quantization.domain == spec::ai_onnx && parameters_.opset >= 21 &&
                            parameters_.opset != 23 && picker_.below(4) == 0;
  if (has_zero_point ? repeats_type : quantization.type != ElementType::uint8)
    attributes.emplace("output_dtype", static_cast<std::int64_t>(quantization.type));
  return quantization_node("QuantizeLinear", x, quantization, attributes);
}

std::string GraphBuilder::add_if(onnx::GraphProto then_branch, const std::string& then_output,
                                 onnx::GraphProto else_branch, const std::string& else_output) {
  // What violates a rule is in the branch that runs.
  const bool runs_then_branch = parameters_.violation != Violation::none || picker_.coin();
  const std::string condition =
      operand("condition", Tensor::from_codes(ElementType::boolean, {}, std::array<std::uint64_t, 1>{runs_then_branch}),
              parameters_.form->x);
  onnx::NodeProto& added = add_node("If", {condition}, {});
  then_branch.add_output()->set_name(then_output);
  else_branch.add_output()->set_name(else_output);
  add_graph(added, "then_branch", std::move(then_branch));
  add_graph(added, "else_branch", std::move(else_branch));
  return *added.add_output() = new_name("v");
}

void GraphBuilder::add_graph(onnx::NodeProto& node, const char* name, onnx::GraphProto graph) const {
  graph.set_name(name);
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::GRAPH);
  *attribute.mutable_g() = std::move(graph);
}

std::string GraphBuilder::add_loop(std::int64_t iterations, const std::string& value, const Shape& shape,
                                   const std::string& last, onnx::GraphProto body, const std::string& next) {
  const std::string count = constant(
      Tensor::from_codes(ElementType::int64, {}, std::array<std::uint64_t, 1>{static_cast<std::uint64_t>(iterations)}));
  const Tensor index(ElementType::int64, {}), condition(ElementType::boolean, {}), number(parameters_.number, shape);
  const std::string condition_in = new_name("condition"), condition_out = new_name("condition");
  declare(*body.add_input(), new_name("index"), index);
  declare(*body.add_input(), condition_in, condition);
  declare(*body.add_input(), last, number);
  onnx::NodeProto& same = *body.add_node();
  same.set_op_type("Identity");
  same.add_input(condition_in);
  same.add_output(condition_out);
  declare(*body.add_output(), condition_out, condition);
  declare(*body.add_output(), next, number);
  onnx::NodeProto& added = add_node("Loop", {count, "", value}, {});
  add_graph(added, "body", std::move(body));
  return *added.add_output() = new_name("v");
}

std::string GraphBuilder::add_scan(const std::string& value, const Shape& shape, const std::string& part,
                                   onnx::GraphProto body, const std::string& result) {
  declare(*body.add_input(), part, Tensor(parameters_.quantized, shape));
  declare(*body.add_output(), result, Tensor(parameters_.number, shape));
  onnx::NodeProto& added = add_node("Scan", {value}, {{"num_scan_inputs", std::int64_t{1}}});
  add_graph(added, "body", std::move(body));
  return *added.add_output() = new_name("v");
}

// ---- the case

Case GraphBuilder::finish() {
  // The type and the shape of an output that a model must declare are those that the reference computes.
  for (const std::string& output : outputs_) model_.mutable_graph()->add_output()->set_name(output);
  const OperatorModel incomplete = parse_model(model_.SerializeAsString(), id_, inputs_.size());
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
          .model = parse_model(model_.SerializeAsString(), id_, inputs_.size()),
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
