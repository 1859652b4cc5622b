#include "conformance/graphs/graph_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>

namespace touchstone::conformance {

using spec::ElementType;
using spec::Granularity;

namespace {

std::string_view name(Second second) {
  constexpr std::array<std::string_view, 4> names{"same", "other_scale", "other_zero_point", "other_type"};
  return names.at(static_cast<std::size_t>(second));
}

constexpr std::string_view must_reject = "must_reject/";

std::string_view name(Violation violation) {
  constexpr std::array<std::string_view, 4> names{"", "scale_length", "zero_point_shape", "axis_range"};
  return names.at(static_cast<std::size_t>(violation));
}

/// Removes the violation from the beginning of an id without its pattern.
Violation take_violation(std::string_view& id) {
  if (!id.starts_with(must_reject)) return Violation::none;
  for (const Violation violation : violations) {
    const std::string beginning = fmt::format("{}{}/", must_reject, name(violation));
    if (!id.starts_with(beginning)) continue;
    id.remove_prefix(beginning.size());
    return violation;
  }
  return Violation::none;
}

/// The forms whose differences matter to optimizers.
constexpr std::array form_names{"initializers", "constant_nodes", "inputs", "all_constant", "symbolic_initializers"};

/// The opsets of ai.onnx that introduced a version of both operators.
std::vector<int> opsets() {
  std::vector<int> found;
  for (const spec::OperatorVersion& version : spec::operator_versions)
    if (version.domain == spec::ai_onnx && version.op == spec::Operator::quantize_linear)
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

}  // namespace

std::string to_string(const GraphParameters& p) {
  const std::string violation =
      p.violation == Violation::none ? "" : fmt::format("{}{}/", must_reject, name(p.violation));
  return fmt::format("{}{}/{}/{}/{}/{}/{}/{}/{}", violation, p.opset, spec::info(p.quantized).short_name,
                     spec::info(p.number).short_name, spec::name(p.granularity), p.has_zero_point ? "zp" : "no_zp",
                     p.is_negative ? "negative" : "positive", name(p.second), p.form->name);
}

namespace {

constexpr std::string_view prefix = "graphs/";

}  // namespace

std::string_view pattern_of(std::string_view id) {
  if (!id.starts_with(prefix)) return {};
  id.remove_prefix(prefix.size());
  return id.substr(0, id.find('/'));
}

std::optional<GraphParameters> find_graph_parameters(std::string_view id) {
  const std::string_view pattern = pattern_of(id);
  if (pattern.empty()) return std::nullopt;
  static const std::map<std::string, GraphParameters, std::less<>> known = [] {
    std::map<std::string, GraphParameters, std::less<>> all;
    for (const GraphParameters& parameters : all_graph_parameters()) all.emplace(to_string(parameters), parameters);
    return all;
  }();
  const std::size_t start = prefix.size() + pattern.size() + 1;
  if (start > id.size()) return std::nullopt;
  id.remove_prefix(start);
  const Violation violation = take_violation(id);
  const auto found = known.find(id);
  if (found == known.end()) return std::nullopt;
  GraphParameters parameters = found->second;
  parameters.violation = violation;
  return parameters;
}

bool can_violate(Violation violation, const GraphParameters& p) {
  switch (violation) {
    case Violation::none: return true;
    case Violation::scale_length: return true;
    case Violation::zero_point_shape: return p.has_zero_point;
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

namespace {

std::vector<GraphParameters> make_all_graph_parameters() {
  std::vector<GraphParameters> all;
  for (const int opset : opsets()) {
    const spec::OperatorVersion& ql = *spec::resolve(spec::ai_onnx, spec::Operator::quantize_linear, opset);
    const spec::OperatorVersion& dq = *spec::resolve(spec::ai_onnx, spec::Operator::dequantize_linear, opset);
    const spec::OperatorVersion* older = spec::resolve(spec::ai_onnx, spec::Operator::quantize_linear, opset - 1);
    for (const ElementType quantized : ql.output.types) {
      const bool is_new = older == nullptr || !spec::contains(older->output.types, quantized);
      const bool is_usual = quantized == ElementType::uint8 || quantized == ElementType::int8;
      if (!(is_new || is_usual) || !spec::contains(dq.inputs[0].types, quantized)) continue;
      for (const ElementType number : dq.inputs[1].types) {
        if (number == ElementType::float8e8m0 || !spec::contains(ql.inputs[0].types, number)) continue;
        for (const Granularity granularity : ql.granularities)
          for (const bool has_zero_point : {true, false})
            for (const bool is_negative : {false, true})
              for (const Second second : {Second::same, Second::scale, Second::zero_point, Second::type})
                for (const char* form : form_names) {
                  const GraphParameters p{opset,          quantized,   number, granularity,
                                          has_zero_point, is_negative, second, &form_named(form)};
                  // The zero point of a floating-point type can only be 0, and without a zero point y is uint8.
                  const bool has_zero_point_of_type = has_zero_point && spec::is_integer(quantized);
                  if (second == Second::zero_point && !has_zero_point_of_type) continue;
                  if (second == Second::type && other_type(quantized) == quantized) continue;
                  // Without a zero point, older versions give uint8.
                  if (!has_zero_point && quantized != ElementType::uint8 && opset < 21) continue;
                  if (!has_zero_point && second == Second::type && opset < 21) continue;
                  if (suits(p)) all.push_back(p);
                }
      }
    }
  }
  return all;
}

}  // namespace

const std::vector<GraphParameters>& all_graph_parameters() {
  static const std::vector<GraphParameters> all = make_all_graph_parameters();
  return all;
}

}  // namespace touchstone::conformance
