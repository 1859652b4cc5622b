#include "conformance/generate/model_builder.h"

#include <onnx/onnx_pb.h>

#include <array>
#include <map>
#include <stdexcept>

#include "conformance/generate/stored_tensor.h"
#include "conformance/version.h"
#include "spec/opset.h"

namespace touchstone::conformance {

namespace {

/// The standard's names of formal parameters differ between the operators. These names are used for both.
/// None tells that a node is illegal.
constexpr std::array<const char*, 4> input_names{"x", "scale", "zero_point", "fourth"};
constexpr const char* output_name = "y";

Source source_of(std::size_t operand, const Form& form) { return operand == 0 ? form.x : form.parameters; }

/// The opset that a node imports, or the newest of its domain if that opset does not exist.
const spec::Opset& opset_of(const Node& node) {
  if (const spec::Opset* row = spec::find_opset(node.domain, node.opset)) return *row;
  if (const spec::Opset* newest = spec::newest_of(node.domain)) return *newest;
  throw std::invalid_argument("no domain of operators: " + node.domain);
}

/// The default domain has an empty name in files.
std::string name_in_file(const std::string& domain) { return domain == spec::ai_onnx ? "" : domain; }

void import_opsets(onnx::ModelProto& model, const Node& node) {
  const spec::Opset& opset = opset_of(node);
  model.set_ir_version(opset.ir_version);
  std::map<std::string, int> imports{{"", opset_of_onnx(opset)}};
  imports[name_in_file(node.domain)] = node.opset;
  for (const auto& [domain, version] : imports) {
    onnx::OperatorSetIdProto& import = *model.add_opset_import();
    if (!domain.empty()) import.set_domain(domain);
    import.set_version(version);
  }
}

void add_operand(onnx::GraphProto& graph, std::size_t operand, const Tensor& tensor, const Form& form) {
  const std::string name = input_names.at(operand);
  switch (source_of(operand, form)) {
    case Source::graph_input: declare(*graph.add_input(), name, tensor.type(), tensor.shape(), form.dimensions); return;
    case Source::initializer: *graph.add_initializer() = stored_tensor(tensor, name, form.storage); return;
    case Source::constant_node:
      make_constant(*graph.add_node(), stored_tensor(tensor, name, form.storage), name);
      return;
  }
}

void add_attribute(onnx::NodeProto& node, const std::string& name, const reference::AttributeValue& value) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(*number);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    attribute.set_type(onnx::AttributeProto::STRING);
    attribute.set_s(*text);
  } else {
    attribute.set_type(onnx::AttributeProto::FLOAT);
    attribute.set_f(1);
  }
}

}  // namespace

int opset_of_onnx(const spec::Opset& opset) {
  if (opset.domain == spec::ai_onnx) return opset.number;
  int newest = 0;
  for (const spec::Opset& row : spec::opsets)
    if (row.domain == spec::ai_onnx && row.ir_version == opset.ir_version) newest = row.number;
  return newest;
}

std::string model_file(const Node& node, const Form& form, ElementType y, const Shape& y_shape) {
  onnx::ModelProto model;
  import_opsets(model, node);
  model.set_producer_name("touchstone");
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name(std::string(spec::name(node.op)));
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (node.inputs[i]) add_operand(graph, i, *node.inputs[i], form);

  onnx::NodeProto& operation = *graph.add_node();
  operation.set_op_type(std::string(spec::name(node.op)));
  if (const std::string domain = name_in_file(node.domain); !domain.empty()) operation.set_domain(domain);
  for (std::size_t i = 0; i < node.inputs.size(); ++i) operation.add_input(node.inputs[i] ? input_names.at(i) : "");
  if (form.empty_name && node.inputs.size() == 2) operation.add_input("");
  operation.add_output(output_name);
  for (const auto& [name, value] : node.attributes) add_attribute(operation, name, value);
  declare(*graph.add_output(), output_name, y, y_shape, form.dimensions);
  return model.SerializeAsString();
}

OperatorModel build_model(const Node& node, const Form& form, ElementType y, const Shape& y_shape) {
  return parse_model(model_file(node, form, y, y_shape), "generated model");
}

std::set<std::size_t> variable_inputs(const Node& node, const Form& form) {
  std::set<std::size_t> places;
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (node.inputs[i] && source_of(i, form) == Source::graph_input) places.insert(i);
  return places;
}

std::vector<NamedTensor> graph_inputs(const Node& node, const Form& form) {
  std::vector<NamedTensor> inputs;
  for (const std::size_t i : variable_inputs(node, form)) inputs.push_back({input_names.at(i), *node.inputs[i]});
  return inputs;
}

}  // namespace touchstone::conformance
