#include "reference/model/graph.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <span>

namespace touchstone::reference {

namespace {

/// The name of the attribute's type in AttributeProto.AttributeType.
std::string type_name(const GraphAttribute& attribute) {
  struct Name {
    std::string operator()(std::int64_t) const { return "INT"; }
    std::string operator()(float) const { return "FLOAT"; }
    std::string operator()(const std::string&) const { return "STRING"; }
    std::string operator()(const std::vector<std::int64_t>&) const { return "INTS"; }
    std::string operator()(const std::vector<float>&) const { return "FLOATS"; }
    std::string operator()(const std::shared_ptr<const Tensor>&) const { return "TENSOR"; }
    std::string operator()(const std::shared_ptr<const Graph>&) const { return "GRAPH"; }
    std::string operator()(const ForeignAttribute& value) const { return value.type; }
    std::string operator()(const AttributeReference& value) const {
      throw GraphError(fmt::format("an attribute refers to '{}', which the function does not have", value.name));
    }
  };
  return std::visit(Name(), attribute);
}

Tensor tensor_of(Shape shape, std::span<const float> numbers) {
  std::vector<std::uint64_t> codes;
  for (const float number : numbers) codes.push_back(std::bit_cast<std::uint32_t>(number));
  return Tensor::from_codes(ElementType::float32, std::move(shape), codes);
}

Tensor tensor_of(Shape shape, std::span<const std::int64_t> numbers) {
  const std::vector<std::uint64_t> codes(numbers.begin(), numbers.end());
  return Tensor::from_codes(ElementType::int64, std::move(shape), codes);
}

}  // namespace

AttributeValue to_attribute_value(const GraphAttribute& attribute) {
  if (const auto* number = std::get_if<std::int64_t>(&attribute)) return *number;
  if (const auto* text = std::get_if<std::string>(&attribute)) return *text;
  return ForeignAttribute{type_name(attribute)};
}

bool is_constant(const GraphNode& node) { return node.op_type == "Constant" && node.domain == spec::ai_onnx; }

Tensor constant_value(const GraphNode& node) {
  if (!node.inputs.empty()) throw GraphError("a Constant node has no inputs");
  if (node.attributes.size() != 1)
    throw GraphError(fmt::format("{} attributes; a Constant node has one", node.attributes.size()));
  const auto& [name, attribute] = *node.attributes.begin();
  const auto given = [&]<class T>(const T& example) -> const T& {
    if (const T* value = std::get_if<T>(&attribute)) return *value;
    throw GraphError(fmt::format("attribute \"{}\" is of type {}, not {}", name, type_name(attribute),
                                 type_name(GraphAttribute(example))));
  };
  if (name == "value") return *given(std::shared_ptr<const Tensor>());
  if (name == "value_float") return tensor_of({}, std::array{given(float())});
  if (name == "value_int") return tensor_of({}, std::array{given(std::int64_t())});
  if (name == "value_floats") {
    const auto& numbers = given(std::vector<float>());
    return tensor_of({std::ssize(numbers)}, numbers);
  }
  if (name == "value_ints") {
    const auto& numbers = given(std::vector<std::int64_t>());
    return tensor_of({std::ssize(numbers)}, numbers);
  }
  throw GraphError(fmt::format(
      "attribute \"{}\" is not supported; a Constant node needs value, sparse_value, value_float, value_floats, "
      "value_int or value_ints",
      name));
}

}  // namespace touchstone::reference
