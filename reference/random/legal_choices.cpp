#include "reference/random/legal_choices.h"

#include <limits>
#include <set>
#include <variant>

#include "reference/model/shape.h"
#include "spec/opset.h"

namespace touchstone::reference {

using spec::AttributeMeaning;
using spec::Granularity;
using spec::OperatorVersion;

namespace {

std::vector<int> opsets_of(const OperatorVersion& version) {
  std::vector<int> opsets;
  for (const spec::Opset& row : spec::opsets)
    if (row.domain == version.domain && spec::resolve(row.domain, version.op, row.number) == &version)
      opsets.push_back(row.number);
  return opsets;
}

const std::int64_t* integer(const Node& node, const OperatorVersion& version, AttributeMeaning meaning) {
  const spec::Attribute* row = version.attribute(meaning);
  if (row == nullptr) return nullptr;
  const auto found = node.attributes.find(std::string(row->name));
  return found == node.attributes.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
}

std::int64_t default_of(const OperatorVersion& version, AttributeMeaning meaning, std::int64_t otherwise) {
  const spec::Attribute* row = version.attribute(meaning);
  return row == nullptr ? otherwise : row->default_value.value_or(otherwise);
}

void add_codes(NumberChoices& choices, spec::TypeList types) {
  for (const ElementType type : types) choices.add(static_cast<std::int64_t>(type));
}

}  // namespace

const std::vector<int>& opsets(const OperatorVersion& version) {
  static const auto all = [] {
    std::vector<std::vector<int>> lists;
    for (const OperatorVersion& row : spec::operator_versions) lists.push_back(opsets_of(row));
    return lists;
  }();
  return all[static_cast<std::size_t>(&version - spec::operator_versions.data())];
}

const TypeChoices& all_types() {
  static const TypeChoices types = [] {
    TypeChoices choices;
    for (const spec::ElementTypeInfo& row : spec::element_types)
      if (!row.carrier) choices.add(row.type);
    return choices;
  }();
  return types;
}

const std::vector<std::string>& attribute_names() {
  static const auto names = [] {
    std::set<std::string> all{"rounding"};
    for (const OperatorVersion& version : spec::operator_versions)
      for (const spec::Attribute& row : version.attributes) all.emplace(row.name);
    return std::vector<std::string>(all.begin(), all.end());
  }();
  return names;
}

Shape unpacked(const OperatorVersion& version, ElementType type, Shape x) {
  for (const ElementType one : version.inputs[0].types)
    if (spec::info(one).carrier == type && !x.empty() && x[0] <= std::numeric_limits<int>::max())
      x[0] *= spec::elements_per_carrier(one);
  return x;
}

std::optional<Shape> parameter_shape(const OperatorVersion& version, const ParameterLayout& layout, const Shape& x) {
  const Granularity granularity = version.granularities[layout.granularity];
  if (granularity == Granularity::per_tensor || x.empty()) return std::nullopt;
  const auto dimension = static_cast<std::size_t>(layout.dimension);
  Shape shape = x;
  if (granularity == Granularity::blocked) {
    shape[dimension] = ceiling_quotient(x[dimension], layout.block);
    return shape;
  }
  if (version.shapes.per_axis_scale == spec::PerAxisScale::along_axis) return Shape{x[dimension]};
  shape[dimension] = 1;
  return shape;
}

ParameterLayout layout_of(const Node& node, const OperatorVersion& version, const Shape& x, const Shape& scale) {
  const auto rank = static_cast<std::int64_t>(x.size());
  const std::int64_t* axis = integer(node, version, AttributeMeaning::axis);
  const std::int64_t* block = integer(node, version, AttributeMeaning::block_size);
  ParameterLayout layout;
  layout.dimension = axis != nullptr ? *axis : default_of(version, AttributeMeaning::axis, 0);
  if (layout.dimension < 0 && layout.dimension >= -rank) layout.dimension += rank;
  if (layout.dimension < 0 || layout.dimension >= rank) layout.dimension = 0;
  layout.block = block != nullptr ? *block : default_of(version, AttributeMeaning::block_size, 1);
  if (layout.block < 1 || layout.block > largest_block) layout.block = 1;
  if (is_scalar_or_single(scale)) return layout;
  for (; layout.granularity < version.granularities.size(); ++layout.granularity)
    if (parameter_shape(version, layout, x) == scale) return layout;
  layout.granularity = 0;
  return layout;
}

NumberChoices axis_choices(const OperatorVersion& version, const spec::Attribute& row, const ParameterLayout& layout,
                           std::int64_t rank) {
  NumberChoices choices;
  const bool is_idle = version.granularities[layout.granularity] == Granularity::per_tensor || rank == 0;
  if (row.default_value ? is_idle || layout.dimension == *row.default_value : is_idle) choices.add(std::nullopt);
  if (is_idle && !row.default_value) return choices;
  choices.add(layout.dimension);
  if (version.shapes.negative_axis && rank > 0) choices.add(layout.dimension - rank);
  return choices;
}

NumberChoices block_size_choices(const OperatorVersion& version, const spec::Attribute& row,
                                 const ParameterLayout& layout, std::int64_t rank) {
  NumberChoices choices;
  if (version.granularities[layout.granularity] == Granularity::blocked && rank > 0) {
    choices.add(layout.block);
    if (layout.block == row.default_value) choices.add(std::nullopt);
    return choices;
  }
  choices.add(0);
  if (row.default_value == 0) choices.add(std::nullopt);
  return choices;
}

NumberChoices output_dtype_choices(const OperatorVersion& version, ElementType scale, const ElementType* zero_point) {
  NumberChoices choices;
  const bool quantizes = version.op == spec::Operator::quantize_linear;
  if (quantizes || spec::contains(version.output.types, scale)) {
    choices.add(std::nullopt);
    choices.add(0);
  }
  add_codes(choices, quantizes && zero_point != nullptr ? spec::TypeList(zero_point, 1) : version.output.types);
  return choices;
}

NumberChoices flag_choices(bool may_be_false, bool may_be_true) {
  NumberChoices choices;
  if (may_be_false) choices.add(std::nullopt);
  if (may_be_false) choices.add(0);
  if (may_be_true) choices.add(1);
  if (may_be_true) choices.add(2);
  return choices;
}

NumberChoices precision_choices(const OperatorVersion& version) {
  NumberChoices choices = flag_choices(true, false);
  add_codes(choices, version.precisions);
  choices.add(static_cast<std::int64_t>(ElementType::float64));  // amb-precision-values
  return choices;
}

}  // namespace touchstone::reference
