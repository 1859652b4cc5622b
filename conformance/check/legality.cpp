#include "conformance/check/legality.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>
#include <numeric>
#include <set>
#include <unordered_set>

#include "conformance/files/graph_file.h"
#include "conformance/files/text.h"
#include "conformance/judge/alternatives.h"
#include "conformance/plan/cell.h"
#include "conformance/plan/number.h"
#include "conformance/units/quantization_nodes.h"
#include "reference/graph/bounds.h"
#include "reference/graph/graph_interpreter.h"
#include "reference/host_numbers.h"
#include "reference/interpreter.h"
#include "reference/rounding.h"

namespace touchstone::conformance {

namespace {

using reference::Outcome;
using reference::Policy;

/// The most elements of y that are computed to compare readings, each of which takes microseconds: any of them, and in
/// addition those that are likely to decide.
constexpr std::size_t most_compared = 1024, most_likely_compared = std::size_t{1} << 15;

/// What is likely to decide under one scale: the ends of the products, a product of zero, and the smallest other one.
struct Extremes {
  static constexpr std::int64_t none = -1;
  std::int64_t lowest = none, highest = none, zero = none, smallest = none;  ///< elements
};

/// The codes that were met, by scale.
class MetCodes {
 public:
  MetCodes(ElementType type, std::int64_t scales) {
    constexpr std::int64_t most_bits = std::int64_t{1} << 28;
    const int bits = spec::info(type).bits;
    if (bits <= 8 && scales <= most_bits >> bits) of_all_.resize(static_cast<std::size_t>(scales << bits));
    bits_ = bits;
  }

  /// Whether the code is new. Forgets some if there are many.
  bool insert(std::uint64_t code, std::int64_t scale) {
    if (!of_all_.empty()) {
      const auto place = (static_cast<std::size_t>(scale) << bits_) | static_cast<std::size_t>(code);
      const bool is_new = !of_all_[place];
      of_all_[place] = true;
      return is_new;
    }
    constexpr std::size_t most_codes = std::size_t{1} << 20;
    if (scale != last_scale_ || of_last_.size() == most_codes) of_last_.clear();
    last_scale_ = scale;
    return of_last_.insert(code).second;
  }

 private:
  int bits_ = 0;
  std::vector<bool> of_all_;  ///< empty if there are too many
  std::unordered_set<std::uint64_t> of_last_;
  std::int64_t last_scale_ = -1;
};

/// The numbers that codes of a type denote, of which narrow types have few.
class Numbers {
 public:
  explicit Numbers(ElementType type) : type_(type) {
    if (const int bits = spec::info(type).bits; bits <= 8)
      for (std::uint64_t code = 0; code < std::uint64_t{1} << bits; ++code)
        all_.push_back(reference::number_of(type, code));
  }

  double operator[](std::uint64_t code) const {
    return all_.empty() ? reference::number_of_code(type_, code) : all_[static_cast<std::size_t>(code)];
  }

 private:
  ElementType type_;
  std::vector<double> all_;
};

/// The elements of y that are computed to compare readings.
struct Compared {
  std::vector<std::int64_t> elements = {};
  std::size_t different = 0;  ///< elements with another code of x or another scale than those before
};

/// One element for each code of x with each scale, as far as there are not too many: equal operands have equal results.
Compared elements_to_compare(const Node& node, const reference::Result& form) {
  const Tensor &x = form.x, &scales = node.inputs.at(1).value();
  const Tensor* zero_points = node.inputs.size() > 2 && node.inputs[2] ? &*node.inputs[2] : nullptr;
  const Numbers numbers(x.type()), numbers_of_scales(scales.type());
  const Numbers numbers_of_zero_points(zero_points == nullptr ? x.type() : zero_points->type());
  const auto number = [&](std::int64_t i) { return numbers[x.code(i)]; };
  reference::ParameterCursor scale_of(form.parameters.scale), zero_point_of(form.parameters.zero_point);
  std::vector<Extremes> extremes(static_cast<std::size_t>(scales.size()));
  MetCodes met(x.type(), scales.size());
  std::set<std::int64_t> chosen;
  Compared made;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const std::int64_t scale = scale_of.at(i);
    if (!met.insert(x.code(i), scale)) continue;
    if (++made.different <= most_compared) chosen.insert(i);
    const double zero_point =
        zero_points == nullptr ? 0 : numbers_of_zero_points[zero_points->code(zero_point_of.at(i))];
    auto& [lowest, highest, zero, smallest] = extremes[static_cast<std::size_t>(scale)];
    if (lowest == Extremes::none || number(i) < number(lowest)) lowest = i;
    if (highest == Extremes::none || number(i) > number(highest)) highest = i;
    if (number(i) == zero_point)
      zero = i;
    else if (smallest == Extremes::none || std::fabs(number(i) - zero_point) < std::fabs(number(smallest) - zero_point))
      smallest = i;
  }
  // Zero, subnormal, tiny and infinite scales come first, and NaN.
  std::vector<std::int64_t> order(extremes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_partition(order, [&](std::int64_t scale) {
    const double size = numbers_of_scales[scales.code(scale)];
    return !(size > 0x1p-100 && size < reference::inf);
  });
  for (const std::int64_t scale : order) {
    if (chosen.size() >= most_likely_compared) break;
    const Extremes& of = extremes[static_cast<std::size_t>(scale)];
    for (const std::int64_t element : {of.lowest, of.highest, of.zero, of.smallest})
      if (element != Extremes::none) chosen.insert(element);
  }
  made.elements.assign(chosen.begin(), chosen.end());
  return made;
}

/// What is not constant is zero, but a scale is one: nothing is known about it.
Node node_of(const ModelNode& given) {
  const OperatorModel parsed = parse_model(given.model(), "the node");
  const std::string x = given.proto().input_size() > 0 ? given.proto().input(0) : "";
  std::vector<NamedTensor> inputs;
  for (const std::string& name : parsed.graph_inputs) {
    const ValueForm form = given.form_of(name).value();
    refuse_large(form, name);
    Tensor& value = inputs.emplace_back(name, Tensor(form.type, form.shape)).value;
    if (name != x && !spec::is_integer(form.type))
      for (std::int64_t i = 0; i < value.size(); ++i) value.set_code(i, reference::rounded_code(form.type, 1));
  }
  return bind_inputs(parsed, inputs);
}

bool differ(const Outcome& left, const Outcome& right) {
  const reference::Result* a = left.result();
  const reference::Result* b = right.result();
  if (a == nullptr || b == nullptr) return (a == nullptr) != (b == nullptr);
  return a->y.type() != b->y.type() || a->y.shape() != b->y.shape() || a->unspecified != b->unspecified ||
         !std::ranges::equal(a->y.bytes(), b->y.bytes());
}

/// "18 of 32 scales are negative, 1 of 32 is zero"; empty if all are positive normal numbers.
std::string unusual_scales(const Node& node) {
  if (node.inputs.size() < 2 || !node.inputs[1] || node.variable_inputs.contains(1)) return "";
  const Tensor& scales = *node.inputs[1];
  if (spec::is_integer(scales.type())) return "";
  const double smallest = std::ldexp(1, reference::smallest_exponent(spec::format_of(scales.type())));
  std::map<std::string_view, std::int64_t> counts;
  for (std::int64_t i = 0; i < scales.size(); ++i) {
    const double scale = reference::number_of(scales.type(), scales.code(i));
    if (scale < 0) ++counts["negative"];
    if (scale == 0) ++counts["zero"];
    if (scale != 0 && std::fabs(scale) < smallest) ++counts["subnormal"];
    if (std::isinf(scale)) ++counts["infinite"];
    if (std::isnan(scale)) ++counts["not a number"];
  }
  std::vector<std::string> parts;
  for (const auto& [kind, count] : counts)
    parts.push_back(scales.size() == 1
                        ? fmt::format("the scale is {}", kind)
                        : fmt::format("{} of {} scales {} {}", count, scales.size(), count == 1 ? "is" : "are", kind));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void examine_node(const Node& node, ExaminedNode& examined) {
  examined.unusual_scales = unusual_scales(node);
  const Outcome legality = reference::interpret(node, {}, {});
  if (const reference::Rejection* rejection = legality.rejection()) {
    for (const Choice& choice : alternatives(reference::operator_version(node), legality.consulted, {}))
      if (reference::interpret(node, policy_of({&choice, 1}), {}).result() != nullptr) {
        examined.ambiguities.push_back(spec::ambiguities.at(choice.ambiguity)->id);
        return;
      }
    examined.illegal = *rejection;
    return;
  }
  examined.cell = to_string(cell_of(node, reference::operator_version(node), *legality.result()));
  const auto [elements, different] = elements_to_compare(node, *legality.result());
  if (elements.size() < different)
    examined.compared =
        fmt::format("{} of {} different elements", with_commas(elements.size()), with_commas(different));
  const Outcome primary = reference::interpret(node, {}, elements);
  for (const Choice& choice : alternatives(reference::operator_version(node), primary.consulted, {})) {
    const std::string_view id = spec::ambiguities.at(choice.ambiguity)->id;
    if (std::ranges::find(examined.ambiguities, id) != examined.ambiguities.end()) continue;
    if (differ(primary, reference::interpret(node, policy_of({&choice, 1}), elements)))
      examined.ambiguities.push_back(id);
  }
}

const std::string& name_of(const onnx::NodeProto& node) {
  return node.name().empty() && node.output_size() > 0 ? node.output(0) : node.name();
}

ExaminedNode described(const ModelNode& node) {
  return {
      .index = node.index(), .place = node.place(), .name = name_of(node.proto()), .op_type = node.proto().op_type()};
}

/// Whether it has a constant whose elements may be invalid, which ONNX's checker does not see.
bool has_deciding_constant(const ModelNode& node) {
  // Shapes in a graph may depend on inputs that are not known.
  if (is_quantization(node.proto()) || has_inner_graph(node.proto())) return false;
  for (int i = 1; i < node.proto().input_size(); ++i) {
    const std::string& input = node.proto().input(i);
    if (input.empty() || !node.is_constant(input)) continue;
    const auto form = node.form_of(input);
    if (form && (form->type == ElementType::int64 || form->type == ElementType::int32)) return true;
  }
  return node.proto().op_type() == "Resize";
}

/// Why the node is invalid; empty if it is not known to be.
std::string invalidity(const ModelNode& node) try {
  reference::GraphModel model = to_graph_model(node.model(), "the node");
  model.graph.nodes.back().label = node_label(node.index(), node.proto());
  if (!node.place().empty()) model.graph.nodes.back().label += " in " + node.place();
  std::vector<Tensor> zeros;
  for (const std::string& name : model.graph.inputs) {
    const ValueForm form = node.form_of(name).value();
    refuse_large(form, name);
    zeros.emplace_back(form.type, form.shape);
  }
  return conformance::invalidity(std::move(model), zeros);
} catch (const std::exception&) {
  return "";
}

}  // namespace

std::vector<ExaminedNode> examine(const ModelParts& parts) {
  std::vector<ExaminedNode> nodes;
  for_each_node(parts.model(), [&](const ModelNode& node) {
    if (!is_quantization(node.proto())) return;
    ExaminedNode& examined = nodes.emplace_back(described(node));
    try {
      examine_node(node_of(node), examined);
    } catch (const reference::OpsetTooNew& error) {
      examined.unexamined = error.what();
    } catch (const reference::NoSuchOperator& error) {
      examined.illegal = reference::Rejection{reference::NoSuchOperator::clause, error.what()};
    } catch (const std::exception& error) {
      examined.unexamined = error.what();
    }
  });
  for (const onnx::FunctionProto& function : parts.model().proto().functions())
    for (int i = 0; i < function.node_size(); ++i)
      if (const onnx::NodeProto& proto = function.node(i); is_quantization(proto))
        nodes.push_back({.index = static_cast<std::size_t>(i),
                         .place = "function " + printable(function.name(), 60),
                         .name = name_of(proto),
                         .op_type = proto.op_type(),
                         .unexamined = function_left_out});
  return nodes;
}

std::vector<ExaminedNode> invalid_nodes(const ModelParts& parts) {
  std::vector<ExaminedNode> nodes;
  for_each_node(parts.model(), [&](const ModelNode& node) {
    if (!has_deciding_constant(node)) return;
    if (std::string why = invalidity(node); !why.empty()) nodes.emplace_back(described(node)).invalid = std::move(why);
  });
  return nodes;
}

}  // namespace touchstone::conformance
