#include "conformance/exhaustive/elements_case.h"

#include <utility>

#include "conformance/generate/form.h"
#include "conformance/generate/model_builder.h"

namespace touchstone::conformance {

namespace {

/// The node names the type of y only if it does not follow from the other types.
bool needs_output_dtype(const Cell& cell) {
  return cell.version->output_type_rule == spec::OutputTypeRule::output_dtype_else_scale_type && cell.y != cell.scale;
}

Tensor column(ElementType type, const Shape& shape, const std::vector<ChosenElement>& elements,
              std::uint64_t ChosenElement::*member) {
  Tensor tensor(type, shape);
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, elements[static_cast<std::size_t>(i)].*member);
  return tensor;
}

}  // namespace

Node node_of(const Cell& cell, Tensor x, Tensor scale, Tensor zero_point) {
  Node node{.domain = std::string(cell.version->domain), .op = cell.version->op, .opset = cell.version->since_version};
  node.inputs.emplace_back(std::move(x));
  node.inputs.emplace_back(std::move(scale));
  node.inputs.emplace_back(std::move(zero_point));
  if (cell.granularity == Granularity::per_axis) node.attributes.emplace("axis", std::int64_t{0});
  if (needs_output_dtype(cell)) node.attributes.emplace("output_dtype", static_cast<std::int64_t>(cell.y));
  return node;
}

const Form& form_of(const Cell& cell) {
  return form_named(cell.granularity == Granularity::per_tensor ? "initializers" : "inputs");
}

Case elements_case(std::string id, const Cell& cell, const Form& form, const std::vector<ChosenElement>& elements) {
  const auto count = static_cast<std::int64_t>(elements.size());
  const bool per_axis = cell.granularity == Granularity::per_axis;
  const Shape x_shape = per_axis ? Shape{count, 1} : Shape{count};
  const Shape shape = per_axis ? Shape{count} : Shape{};
  const Node node = node_of(cell, column(cell.x, x_shape, elements, &ChosenElement::x),
                            column(cell.scale, shape, elements, &ChosenElement::scale),
                            column(*cell.zero_point, shape, elements, &ChosenElement::zero_point));
  Case made;
  made.id = std::move(id);
  made.model = build_model(node, form, cell.y, x_shape);
  made.data_sets.push_back({graph_inputs(node, form), {}});
  made.form = form.name;
  return made;
}

Case elements_case(std::string id, const Cell& cell, const std::vector<ChosenElement>& elements) {
  return elements_case(std::move(id), cell, form_of(cell), elements);
}

}  // namespace touchstone::conformance
