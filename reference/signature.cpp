#include "reference/signature.h"

#include <algorithm>
#include <array>
#include <variant>

namespace touchstone::reference {

namespace {

void check_attribute_type(const spec::Attribute& row, const AttributeValue& value, Interpretation& in) {
  const bool is_integer = row.type == spec::AttributeType::integer;
  const bool agrees =
      is_integer ? std::holds_alternative<std::int64_t>(value) : std::holds_alternative<std::string>(value);
  if (!agrees)
    in.reject("onnx-attribute-type", "attribute {} is {}", row.name, is_integer ? "not an INT" : "not a STRING");
}

void check_attributes(const spec::OperatorVersion& version, const Node& node, Interpretation& in) {
  for (const auto& [name, value] : node.attributes) {
    in.cite("onnx-known-attributes");
    if (version.attribute(name) == nullptr)
      in.reject("onnx-known-attributes", "{}-{} has no attribute {}", spec::name(version.op), version.since_version,
                name);
    in.cite("onnx-attribute-type");
    check_attribute_type(*version.attribute(name), value, in);
  }
  for (const spec::Attribute& row : version.attributes) {
    if (!row.required) continue;
    in.cite("onnx-required-attributes");
    if (!node.attributes.contains(std::string(row.name)))
      in.reject("onnx-required-attributes", "the node has no attribute {}", row.name);
  }
}

std::array<const Tensor*, 3> check_inputs(const spec::OperatorVersion& version, const Node& node, Interpretation& in) {
  in.cite("onnx-inputs");
  if (node.inputs.size() > version.inputs.size())
    in.reject("onnx-inputs", "the node has {} inputs", node.inputs.size());
  std::array<const Tensor*, 3> inputs{};
  for (std::size_t i = 0; i < version.inputs.size(); ++i) {
    const bool present = i < node.inputs.size() && node.inputs[i].has_value();
    if (present)
      inputs[i] = &*node.inputs[i];
    else if (version.inputs[i].optional)
      in.cite("onnx-absent-zero-point");
    else
      in.reject("onnx-inputs", "the node has no {}", version.inputs[i].name);
  }
  return inputs;
}

void check_type_constraint(const spec::Parameter& parameter, const Tensor& input, Interpretation& in) {
  in.cite("onnx-type-constraint");
  const bool allowed = std::any_of(parameter.types.begin(), parameter.types.end(),
                                   [&](ElementType type) { return spec::tensor_type(type) == input.type(); });
  if (!allowed) in.reject("onnx-type-constraint", "{} has the type {}", parameter.name, spec::name(input.type()));
}

}  // namespace

void cite_storage(ElementType type, Interpretation& in) {
  if (type == ElementType::float8e8m0) in.cite("onnx-e8m0-value");
  switch (spec::info(type).bits) {
    case 2: return in.cite("onnx-2-bit-packing");
    case 4: return in.cite("onnx-4-bit-packing");
    case 6: return in.cite("onnx-6-bit-packing");
    default: return;  // whole bytes
  }
}

std::int64_t Signature::attribute(std::string_view name) const {
  const auto given = node.attributes.find(std::string(name));
  return given == node.attributes.end() ? version.attribute(name)->default_value.value()
                                        : std::get<std::int64_t>(given->second);
}

std::string Signature::text_attribute(std::string_view name) const {
  const auto given = node.attributes.find(std::string(name));
  return given == node.attributes.end() ? std::string() : std::get<std::string>(given->second);
}

Signature read_signature(const spec::OperatorVersion& version, const Node& node, Interpretation& in) {
  check_attributes(version, node, in);
  const std::array<const Tensor*, 3> inputs = check_inputs(version, node, in);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr) continue;
    check_type_constraint(version.inputs[i], *inputs[i], in);
    cite_storage(inputs[i]->type(), in);
  }
  return Signature{version, node, *inputs[0], *inputs[1], inputs[2]};
}

void check_type_bindings(const Signature& signature, Interpretation& in) {
  in.cite("onnx-type-binding");
  const std::array<const Tensor*, 3> inputs{&signature.x, &signature.scale, signature.zero_point};
  const auto& parameters = signature.version.inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (std::size_t j = i + 1; j < inputs.size(); ++j) {
      if (parameters[i].type_variable.empty() || parameters[i].type_variable != parameters[j].type_variable) continue;
      if (inputs[i] == nullptr || inputs[j] == nullptr || inputs[i]->type() == inputs[j]->type()) continue;
      in.reject("onnx-type-binding", "{} has the type {}, {} the type {}; both are {}", parameters[i].name,
                spec::name(inputs[i]->type()), parameters[j].name, spec::name(inputs[j]->type()),
                parameters[i].type_variable);
    }
}

std::string describe_type(std::int64_t code) {
  const auto type = spec::element_type_from_code(code);
  return type ? std::string(spec::name(*type)) : fmt::format("{}, which is not a numeric type of ONNX", code);
}

}  // namespace touchstone::reference
