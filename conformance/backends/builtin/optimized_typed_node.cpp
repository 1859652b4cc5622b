#include "conformance/backends/builtin/optimized_typed_node.h"

#include <algorithm>
#include <array>
#include <variant>

#include "spec/opset.h"

namespace touchstone::conformance {

namespace {

/// The newest version not above the opset is the right one only if all versions up to that opset are known.
const OperatorVersion& version_of(const Node& node) {
  const OperatorVersion* version =
      spec::find_opset(node.domain, node.opset) != nullptr ? spec::resolve(node.domain, node.op, node.opset) : nullptr;
  if (version == nullptr)
    refuse("onnx-opset-resolution", "{} has no {} at opset {}", node.domain, spec::name(node.op), node.opset);
  return *version;
}

void check_attributes(const OperatorVersion& version, const Node& node) {
  for (const auto& [name, value] : node.attributes) {
    const spec::Attribute* row = version.attribute(name);
    if (row == nullptr)
      refuse("onnx-known-attributes", "{}-{} has no attribute {}", spec::name(version.op), version.since_version, name);
    const bool has_type = row->type == spec::AttributeType::integer ? std::holds_alternative<std::int64_t>(value)
                                                                    : std::holds_alternative<std::string>(value);
    if (!has_type) refuse("onnx-attribute-type", "attribute {} has another type than its version gives it", name);
  }
  for (const spec::Attribute& row : version.attributes)
    if (row.required && !node.attributes.contains(std::string(row.name)))
      refuse("onnx-required-attributes", "attribute {} is missing", row.name);
}

using Inputs = std::array<const Tensor*, std::tuple_size_v<decltype(OperatorVersion::inputs)>>;

/// Null if they are absent.
Inputs inputs_of(const OperatorVersion& version, const Node& node) {
  Inputs inputs{};
  if (node.inputs.size() > inputs.size()) refuse("onnx-inputs", "there are {} inputs", node.inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const spec::Parameter& row = version.inputs[i];
    if (i < node.inputs.size() && node.inputs[i])
      inputs[i] = &*node.inputs[i];
    else if (!row.optional)
      refuse("onnx-inputs", "{} is missing", row.name);
  }
  return inputs;
}

void check_types(const OperatorVersion& version, const Inputs& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr) continue;
    const spec::Parameter& row = version.inputs[i];
    const ElementType type = inputs[i]->type();
    if (std::none_of(row.types.begin(), row.types.end(), [=](ElementType one) { return tensor_type(one) == type; }))
      refuse("onnx-type-constraint", "{} has the type {}", row.name, spec::name(type));
    for (std::size_t k = 0; k < i; ++k) {
      const bool bound = !row.type_variable.empty() && row.type_variable == version.inputs[k].type_variable;
      if (bound && inputs[k] != nullptr && inputs[k]->type() != type)
        refuse("onnx-type-binding", "{} has the type {}, {} the type {}; both are {}", version.inputs[k].name,
               spec::name(inputs[k]->type()), row.name, spec::name(type), row.type_variable);
    }
  }
}

const reference::AttributeValue* given(const TypedNode& node, const spec::Attribute& row) {
  const auto found = node.node.attributes.find(std::string(row.name));
  return found == node.node.attributes.end() ? nullptr : &found->second;
}

}  // namespace

std::optional<std::int64_t> TypedNode::integer(AttributeMeaning meaning) const {
  const spec::Attribute* row = version.attribute(meaning);
  if (row == nullptr) return std::nullopt;
  const reference::AttributeValue* value = given(*this, *row);
  return value == nullptr ? row->default_value : std::get<std::int64_t>(*value);
}

std::string TypedNode::text(AttributeMeaning meaning) const {
  const spec::Attribute* row = version.attribute(meaning);
  const reference::AttributeValue* value = row == nullptr ? nullptr : given(*this, *row);
  return value == nullptr ? std::string() : std::get<std::string>(*value);
}

TypedNode read_typed_node(const Node& node) {
  const OperatorVersion& version = version_of(node);
  check_attributes(version, node);
  const Inputs inputs = inputs_of(version, node);
  check_types(version, inputs);
  return {version, node, *inputs[0], *inputs[1], inputs[2]};
}

}  // namespace touchstone::conformance
