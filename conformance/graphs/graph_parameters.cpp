#include "conformance/graphs/graph_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "conformance/generate/picker.h"

namespace touchstone::conformance {

namespace {

constexpr std::string_view must_reject = "must_reject/";

constexpr std::array<std::string_view, 5> names_of_zero_points{"no_zp", "zp", "zp_middle", "zp_lowest", "zp_highest"};
constexpr std::array<std::string_view, 4> names_of_scales{"positive", "negative", "decimal", "odd"};
constexpr std::array<std::string_view, 4> names_of_axes{"", "_first", "_last", "_default"};
constexpr std::array<std::string_view, 4> names_of_seconds{"same", "other_scale", "other_zero_point", "other_type"};
constexpr std::array<std::string_view, 4> names_of_violations{"", "scale_length", "zero_point_shape", "axis_range"};

template <std::size_t size, class Value>
std::string_view name_in(const std::array<std::string_view, size>& names, Value value) {
  return names.at(static_cast<std::size_t>(value));
}

/// Sets the value that has this name. Returns whether there is one.
template <class Value, std::size_t size>
bool find_value(const std::array<std::string_view, size>& names, std::string_view name, Value& value) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return false;
  value = static_cast<Value>(found - names.begin());
  return true;
}

bool find_type(std::string_view short_name, ElementType& type) {
  const auto found = std::ranges::find(spec::element_types, short_name, &ElementTypeInfo::short_name);
  if (found == spec::element_types.end()) return false;
  type = found->type;
  return true;
}

bool find_granularity(std::string_view text, GraphParameters& p) {
  for (const Granularity granularity : {Granularity::per_tensor, Granularity::per_axis, Granularity::blocked}) {
    if (!text.starts_with(spec::name(granularity))) continue;
    p.granularity = granularity;
    return find_value(names_of_axes, text.substr(spec::name(granularity).size()), p.axis);
  }
  return false;
}

bool find_opset(std::string_view text, int& opset) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), opset);
  return error == std::errc{} && end == text.data() + text.size();
}

/// Removes the first part of a path, and returns it.
std::string_view take_part(std::string_view& path) {
  const std::string_view part = path.substr(0, path.find('/'));
  path.remove_prefix(std::min(path.size(), part.size() + 1));
  return part;
}

/// The forms whose differences matter to optimizers.
constexpr std::array form_names{"initializers", "constant_nodes", "inputs", "all_constant", "symbolic_initializers"};

/// The opsets of ai.onnx that introduced a version of both operators.
std::vector<int> opsets() {
  std::vector<int> found;
  for (const OperatorVersion& version : spec::operator_versions)
    if (version.domain == spec::ai_onnx && version.op == Operator::quantize_linear)
      found.push_back(version.since_version);
  return found;
}

/// Whether constants of these types can have the form.
bool suits(const GraphParameters& p) {
  const auto can_hold = [&](Source source, ElementType type) {
    return source != Source::constant_node || constant_can_hold(type, p.opset);
  };
  return can_hold(p.form->parameters, p.quantized) && can_hold(p.form->parameters, p.number);
}

constexpr std::string_view prefix = "graphs/";

/// Whether graphs of this opset have quantized tensors of this type with this granularity: those that are new in it,
/// and those that most models have, bytes and weights of int4 in blocks.
bool has_graphs(int opset, ElementType type, Granularity granularity) {
  const OperatorVersion* older = spec::resolve(spec::ai_onnx, Operator::quantize_linear, opset - 1);
  const bool is_new = older == nullptr || !spec::contains(older->output.types, type) ||
                      std::ranges::find(older->granularities, granularity) == older->granularities.end();
  return is_new || type == ElementType::uint8 || type == ElementType::int8 ||
         (type == ElementType::int4 && granularity == Granularity::blocked);
}

bool is_legal(const GraphParameters& p) {
  // The zero point of a floating-point type can only be 0.
  if (p.second == Second::zero_point && !(p.has_zero_point() && spec::is_integer(p.quantized))) return false;
  if (p.second == Second::type && other_type(p.quantized) == p.quantized) return false;
  // Without a zero point, older versions give uint8.
  const bool can_lack_zero_point = p.opset >= 21 || (p.quantized == ElementType::uint8 && p.second != Second::type);
  return suits(p) && (p.has_zero_point() || can_lack_zero_point);
}

/// Adds the legal graphs that differ in nothing else.
void add_graphs(int opset, ElementType quantized, ElementType number, Granularity granularity,
                std::vector<GraphParameters>& all) {
  for (const ZeroPoints zero_points : {ZeroPoints::small, ZeroPoints::none})
    for (const Scales scales : {Scales::positive, Scales::negative})
      for (const Second second : {Second::same, Second::scale, Second::zero_point, Second::type})
        for (const char* form : form_names) {
          const GraphParameters p{.opset = opset,
                                  .quantized = quantized,
                                  .number = number,
                                  .granularity = granularity,
                                  .zero_points = zero_points,
                                  .scales = scales,
                                  .second = second,
                                  .form = &form_named(form)};
          if (is_legal(p)) all.push_back(p);
        }
}

std::vector<GraphParameters> make_all_graph_parameters() {
  std::vector<GraphParameters> all;
  for (const int opset : opsets()) {
    const OperatorVersion& ql = *spec::resolve(spec::ai_onnx, Operator::quantize_linear, opset);
    const OperatorVersion& dq = *spec::resolve(spec::ai_onnx, Operator::dequantize_linear, opset);
    for (const ElementType quantized : ql.output.types)
      for (const ElementType number : dq.inputs[1].types) {
        const bool is_possible = spec::contains(dq.inputs[0].types, quantized) &&
                                 spec::contains(ql.inputs[0].types, number) && number != ElementType::float8e8m0;
        for (const Granularity granularity : ql.granularities)
          if (is_possible && has_graphs(opset, quantized, granularity))
            add_graphs(opset, quantized, number, granularity, all);
      }
  }
  return all;
}

}  // namespace

std::string_view name(ZeroPoints zero_points) { return name_in(names_of_zero_points, zero_points); }
std::string_view name(QuantizedAxis axis) { return name_in(names_of_axes, axis); }
std::string_view name(Scales scales) { return name_in(names_of_scales, scales); }

std::string to_string(const GraphParameters& p) {
  const std::string violation = p.violation == Violation::none
                                    ? ""
                                    : fmt::format("{}{}/", must_reject, name_in(names_of_violations, p.violation));
  return fmt::format("{}{}/{}/{}/{}{}/{}/{}/{}/{}", violation, p.opset, spec::info(p.quantized).short_name,
                     spec::info(p.number).short_name, spec::name(p.granularity), name(p.axis), name(p.zero_points),
                     name(p.scales), name_in(names_of_seconds, p.second), p.form->name);
}

std::string_view pattern_of(std::string_view id) {
  if (!id.starts_with(prefix)) return {};
  id.remove_prefix(prefix.size());
  return id.substr(0, id.find('/'));
}

std::optional<GraphParameters> find_graph_parameters(std::string_view id) {
  const std::string_view pattern = pattern_of(id);
  if (pattern.empty()) return std::nullopt;
  std::string_view rest = id.substr(std::min(id.size(), prefix.size() + pattern.size() + 1));
  const std::string_view parameters = rest;
  GraphParameters p{};
  if (rest.starts_with(must_reject)) {
    rest.remove_prefix(must_reject.size());
    if (!find_value(names_of_violations, take_part(rest), p.violation)) return std::nullopt;
  }
  const bool is_known = find_opset(take_part(rest), p.opset) && find_type(take_part(rest), p.quantized) &&
                        find_type(take_part(rest), p.number) && find_granularity(take_part(rest), p) &&
                        find_value(names_of_zero_points, take_part(rest), p.zero_points) &&
                        find_value(names_of_scales, take_part(rest), p.scales) &&
                        find_value(names_of_seconds, take_part(rest), p.second);
  if (!is_known) return std::nullopt;
  p.form = find_form(rest);
  if (p.form == nullptr || to_string(p) != parameters) return std::nullopt;
  return p;
}

bool can_violate(Violation violation, const GraphParameters& p) {
  switch (violation) {
    case Violation::none: return true;
    case Violation::scale_length: return true;
    case Violation::zero_point_shape: return p.has_zero_point();
    case Violation::axis_range: return p.granularity != Granularity::per_tensor;
  }
  return false;
}

ElementType other_type(ElementType type) {
  using enum ElementType;
  constexpr std::array<std::pair<ElementType, ElementType>, 7> pairs{std::pair{uint8, int8},
                                                                     {uint16, int16},
                                                                     {uint4, int4},
                                                                     {uint2, int2},
                                                                     {float8e4m3fn, float8e5m2},
                                                                     {float8e4m3fnuz, float8e5m2fnuz},
                                                                     {float6e2m3, float6e3m2}};
  for (const auto& [one, other] : pairs) {
    if (type == one) return other;
    if (type == other) return one;
  }
  return type;
}

const std::vector<GraphParameters>& all_graph_parameters() {
  static const std::vector<GraphParameters> all = make_all_graph_parameters();
  return all;
}

void for_each_variant(const GraphParameters& parameters, const std::function<void(const GraphParameters&)>& take) {
  const bool has_zero_points = parameters.has_zero_point() && spec::is_integer(parameters.quantized);
  const std::size_t zero_points = has_zero_points ? names_of_zero_points.size() - 1 : 1;
  const std::size_t axes = parameters.granularity == Granularity::per_tensor ? 1 : names_of_axes.size();
  GraphParameters variant = parameters;
  for (std::size_t z = 0; z < zero_points; ++z)
    for (std::size_t axis = 0; axis < axes; ++axis)
      for (const Scales scales : {Scales::positive, Scales::decimal, Scales::odd}) {
        if (has_zero_points) variant.zero_points = static_cast<ZeroPoints>(z + 1);
        variant.axis = static_cast<QuantizedAxis>(axis);
        if (parameters.scales == Scales::positive)
          variant.scales = scales;
        else if (scales != Scales::positive)
          continue;
        take(variant);
      }
}

GraphParameters varied(const GraphParameters& parameters, std::string_view text,
                       const std::function<bool(const GraphParameters&)>& is_possible) {
  std::vector<GraphParameters> possible;
  for_each_variant(parameters, [&](const GraphParameters& variant) {
    if (is_possible(variant)) possible.push_back(variant);
  });
  return Picker(fmt::format("{}/{}", text, to_string(parameters)), 0).one_of(possible);
}

}  // namespace touchstone::conformance
