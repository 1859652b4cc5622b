#include "conformance/plan/cell.h"

#include <fmt/format.h>

#include <unordered_map>
#include <variant>

namespace touchstone::conformance {

using spec::OutputTypeRule;

namespace {

/// Whether the types agree if both parameters share a type variable.
bool bound_alike(const spec::Parameter& left, ElementType left_type, const spec::Parameter& right,
                 ElementType right_type) {
  const bool bound = !left.type_variable.empty() && left.type_variable == right.type_variable;
  return !bound || left_type == right_type;
}

/// Whether y can have the type, given the type of the scale and whether there is a zero point.
bool output_type_is_reachable(const OperatorVersion& version, ElementType scale, ElementType y, bool has_zero_point) {
  switch (version.output_type_rule) {
    case OutputTypeRule::zero_point_else_uint8: return has_zero_point || y == ElementType::uint8;
    case OutputTypeRule::scale_type: return y == scale;
    case OutputTypeRule::zero_point_else_output_dtype_else_uint8:
    case OutputTypeRule::float32:
    case OutputTypeRule::output_dtype_else_scale_type: return true;
  }
  return false;
}

/// Whether the zero point always has the quantized type.
bool zero_point_is_bound(const OperatorVersion& version) {
  const spec::Parameter& quantized = version.op == Operator::quantize_linear ? version.output : version.inputs[0];
  return version.inputs[2].type_variable == quantized.type_variable;
}

std::vector<std::optional<ElementType>> zero_points(const OperatorVersion& version, ElementType x, ElementType y) {
  if (zero_point_is_bound(version)) return {version.op == Operator::quantize_linear ? y : x, std::nullopt};
  const spec::TypeList types = version.inputs[2].types;
  std::vector<std::optional<ElementType>> found(types.begin(), types.end());
  found.push_back(std::nullopt);
  return found;
}

std::vector<std::optional<bool>> saturate_values(const OperatorVersion& version, ElementType y) {
  if (version.attribute(AttributeMeaning::saturate) != nullptr && spec::is_float8(y)) return {true, false};
  return {std::nullopt};
}

std::vector<std::optional<ElementType>> precision_values(const OperatorVersion& version) {
  std::vector<std::optional<ElementType>> values{std::nullopt};
  values.insert(values.end(), version.precisions.begin(), version.precisions.end());
  return values;
}

std::int64_t value_or_default(const spec::Attribute& attribute, const Node& node) {
  const auto given = node.attributes.find(std::string(attribute.name));
  return given != node.attributes.end() ? std::get<std::int64_t>(given->second) : attribute.default_value.value();
}

std::vector<Cell> make_legal_cells(const OperatorVersion& version) {
  std::vector<Cell> cells;
  const auto& [x_parameter, scale_parameter, zero_point_parameter] = version.inputs;
  for (ElementType x : x_parameter.types)
    for (ElementType scale : scale_parameter.types) {
      if (!bound_alike(x_parameter, x, scale_parameter, scale)) continue;
      for (ElementType y : version.output.types)
        for (Granularity granularity : version.granularities)
          for (std::optional<ElementType> zero_point : zero_points(version, x, y)) {
            if (!output_type_is_reachable(version, scale, y, zero_point.has_value())) continue;
            for (std::optional<bool> saturate : saturate_values(version, y))
              for (std::optional<ElementType> precision : precision_values(version))
                cells.push_back({&version, x, scale, y, granularity, zero_point, saturate, precision});
          }
    }
  return cells;
}

}  // namespace

std::string id_of(const OperatorVersion& version) {
  const bool is_default = version.domain == spec::ai_onnx;  // which has an empty name in models, too
  return fmt::format("{}{}{}/{}", is_default ? "" : version.domain, is_default ? "" : "/",
                     version.op == Operator::quantize_linear ? "quantize_linear" : "dequantize_linear",
                     version.since_version);
}

std::string to_string(const Cell& cell) {
  const auto type = [](ElementType element) { return spec::info(element).short_name; };
  std::string text = fmt::format("{}/{}-{}-{}/{}/{}", id_of(*cell.version), type(cell.x), type(cell.scale),
                                 type(cell.y), spec::name(cell.granularity), cell.has_zero_point() ? "zp" : "no_zp");
  if (cell.has_zero_point() && !zero_point_is_bound(*cell.version)) text += fmt::format("={}", type(*cell.zero_point));
  if (cell.saturate) text += fmt::format("/saturate={}", *cell.saturate ? 1 : 0);
  if (cell.precision) text += fmt::format("/precision={}", type(*cell.precision));
  return text;
}

std::optional<Cell> find_cell(const std::string& text) {
  static const std::unordered_map<std::string, Cell> cells = [] {
    std::unordered_map<std::string, Cell> by_text;
    for (const OperatorVersion& version : spec::operator_versions)
      for (const Cell& cell : legal_cells(version)) by_text.emplace(to_string(cell), cell);
    return by_text;
  }();
  const auto found = cells.find(text);
  return found != cells.end() ? std::optional(found->second) : std::nullopt;
}

const std::vector<Cell>& legal_cells(const OperatorVersion& version) {
  static const auto all = [] {
    std::unordered_map<const OperatorVersion*, std::vector<Cell>> cells;
    for (const OperatorVersion& one : spec::operator_versions) cells.emplace(&one, make_legal_cells(one));
    return cells;
  }();
  return all.at(&version);
}

bool is_in_lattice(const Cell& cell) {
  return !cell.precision || spec::contains(cell.version->precisions, *cell.precision);
}

std::size_t count_legal_cells() {
  std::size_t count = 0;
  for (const OperatorVersion& version : spec::operator_versions) count += legal_cells(version).size();
  return count;
}

Cell cell_of(const Node& node, const OperatorVersion& version, const reference::Result& result) {
  Cell cell{.version = &version,
            .x = result.x.type(),
            .scale = node.inputs[1]->type(),
            .y = result.y.type(),
            .granularity = result.parameters.granularity};
  if (const Tensor* zero_point = reference::zero_point_of(node, result)) cell.zero_point = zero_point->type();
  const spec::Attribute* saturate = version.attribute(AttributeMeaning::saturate);
  if (saturate != nullptr && spec::is_float8(cell.y)) cell.saturate = value_or_default(*saturate, node) != 0;
  if (const spec::Attribute* precision = version.attribute(AttributeMeaning::precision))
    cell.precision = spec::element_type_from_code(value_or_default(*precision, node));
  return cell;
}

}  // namespace touchstone::conformance
