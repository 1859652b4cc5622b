#include "conformance/generate/node_case.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <variant>

#include "conformance/generate/model_builder.h"
#include "conformance/plan/digest.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

namespace {

/// The type of y that a model of an illegal node declares, as far as the node shows it. With another one, a backend
/// would refuse the model for its declaration.
ElementType declared_type(const Node& node) {
  const OperatorVersion& version = reference::operator_version(node);
  if (const spec::Attribute* row = version.attribute(AttributeMeaning::output_dtype))
    if (const auto given = node.attributes.find(std::string(row->name)); given != node.attributes.end())
      if (const auto* code = std::get_if<std::int64_t>(&given->second))
        if (const auto type = spec::element_type_from_code(*code)) return *type;
  const bool quantizes = version.op == Operator::quantize_linear;
  const std::size_t operand = quantizes ? 2 : 1;
  if (operand < node.inputs.size() && node.inputs[operand]) return node.inputs[operand]->type();
  return quantizes ? ElementType::uint8 : ElementType::float32;
}

/// Whether the model, not its run-time inputs, has nonzero padding that only the 6-bit types forbid.
bool sets_float6_padding(const Node& node, const Form& form) {
  if (form.storage != Storage::raw_data_with_garbage) return false;
  const std::set<std::size_t> given = variable_inputs(node, form);
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const std::optional<Tensor>& input = node.inputs[i];
    const bool is_float6 = input && spec::is_float6(input->type()) && !given.contains(i);
    if (is_float6 && input->size() * spec::info(input->type()).bits % 8 != 0) return true;
  }
  return false;
}

}  // namespace

Case case_of(const Node& node, const Form& form) {
  // A model must declare an output type and shape, even if the node is rejected.
  const reference::Outcome outcome = reference::interpret(node, {}, {});  // of no element
  const reference::Result* result = outcome.result();
  const ElementType y = result != nullptr ? result->y.type() : declared_type(node);
  const Shape& y_shape = result != nullptr ? result->y.shape() : node.inputs.front()->shape();
  Case made;
  made.float6_padding_is_set = sets_float6_padding(node, form);
  // A model with such a fault cannot be read, so the node comes from a model without it.
  const Form& readable = made.float6_padding_is_set ? form_named("all_constant") : form;
  made.model = build_model(node, readable, y, y_shape);
  if (made.float6_padding_is_set) made.model.bytes = model_file(node, form, y, y_shape);
  made.data_sets.push_back({graph_inputs(node, form), {}});
  made.form = form.name;
  made.id = fmt::format("{}-{}-{:016x}", spec::name(node.op), node.opset, digest_of(made));
  return made;
}

}  // namespace touchstone::conformance
