#include "conformance/units/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <string_view>
#include <utility>

#include "conformance/files/attribute.h"
#include "conformance/files/file_error.h"
#include "conformance/files/model_file.h"
#include "conformance/files/tensor_file.h"
#include "conformance/generate/stored_tensor.h"
#include "conformance/units/graph_cycle.h"
#include "conformance/units/quantization_nodes.h"
#include "reference/graph/operators.h"
#include "reference/host_numbers.h"
#include "spec/opset.h"

namespace touchstone::conformance {

namespace {

bool is_quantize(const onnx::NodeProto& node) { return node.op_type() == "QuantizeLinear"; }
bool is_dequantize(const onnx::NodeProto& node) { return node.op_type() == "DequantizeLinear"; }

std::int64_t block_size_of(const onnx::NodeProto& node) {
  const auto found = std::ranges::find(node.attribute(), "block_size", &onnx::AttributeProto::name);
  return found == node.attribute().end() ? 0 : found->i();
}

/// With those of branches and bodies, but without Constant nodes.
std::size_t count_nodes(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes) {
  std::size_t count = 0;
  for (const onnx::NodeProto& node : nodes) {
    if (node.op_type() != "Constant") ++count;
    for_each_inner_graph(node, [&](const onnx::GraphProto& graph, const auto&) { count += count_nodes(graph.node()); });
  }
  return count;
}

/// Disjoint sets of nodes.
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }

  std::size_t find(std::size_t member) {
    while (parent_[member] != member) member = parent_[member] = parent_[parent_[member]];
    return member;
  }
  void join(std::size_t left, std::size_t right) { parent_[find(left)] = find(right); }

 private:
  std::vector<std::size_t> parent_;
};

/// What every part of this file needs to know about the graph.
class Cutter {
 public:
  explicit Cutter(const UserModel& model)
      : model_(model), graph_(model.proto().graph()), quantizes_(std::ranges::any_of(graph_.node(), is_quantization)) {
    for (const onnx::OperatorSetIdProto& import : model.proto().opset_import())
      if (canonical_domain(import.domain()) == spec::ai_onnx) opset_ = static_cast<int>(import.version());
    for (const onnx::TensorProto& tensor : graph_.initializer()) constants_.insert(tensor.name());
    for (const onnx::ValueInfoProto& output : graph_.output()) used_outside_.insert(output.name());
    for (const onnx::NodeProto& node : graph_.node())
      for_each_inner_graph(node, [&](const onnx::GraphProto& inner, const auto&) {
        inner_nodes_ += count_nodes(inner.node());
        add_inner(inner);
      });
    for (int i = 0; i < graph_.node_size(); ++i) add(static_cast<std::size_t>(i));
  }

  CutModel cut() {
    CutModel made;
    if (const std::string cycle = cycle_in_words(graph_); !cycle.empty()) {
      made.all_nodes = count_nodes(graph_.node());
      made.not_in_units["the graph has a cycle, so that it gives no results: " + cycle] = made.all_nodes;
      return made;
    }
    for (std::size_t i = 0; i < size(); ++i) {
      if (is_constant_[i]) continue;
      ++made.all_nodes;
      if (is_quantization(node(i))) add_unit(made.nodes, {i}, /*with_neighbours=*/false);
    }
    for (const auto& [root, members] : connected()) add_set(made, members);
    add_windows(made);
    std::set<std::size_t> covered;
    for (std::size_t i = 0; i < size(); ++i)
      if (!is_constant_[i] && (is_quantization(node(i)) || covered_.contains(i))) covered.insert(i);
    made.in_units = covered.size();
    for (std::size_t i = 0; i < size(); ++i)
      if (!is_constant_[i] && !covered.contains(i)) ++made.not_in_units[why_not(i)];
    const auto leave_out = [&](std::size_t nodes, const char* why) {
      if (nodes > 0) made.not_in_units[why] = nodes;
      made.all_nodes += nodes;
    };
    leave_out(inner_nodes_,
              "in branches and bodies of If, Loop and Scan, of which only quantization nodes are examined");
    std::size_t in_functions = 0;
    for (const onnx::FunctionProto& function : model_.proto().functions()) in_functions += count_nodes(function.node());
    leave_out(in_functions, function_left_out);
    return made;
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(graph_.node_size()); }
  const onnx::NodeProto& node(std::size_t index) const { return graph_.node(static_cast<int>(index)); }

  void add(std::size_t index) {
    const onnx::NodeProto& added = node(index);
    bool has_constant_inputs = true;
    for (const std::string& input : added.input()) {
      if (input.empty()) continue;
      consumers_[input].push_back(index);
      has_constant_inputs = has_constant_inputs && constants_.contains(input);
    }
    const bool is_supported = supports(added);
    is_supported_.push_back(is_supported);
    // A dequantized constant is one for the nodes that use it, but the node itself is judged.
    is_constant_.push_back(has_constant_inputs && is_supported && !is_quantization(added));
    for (const std::string& output : added.output()) {
      if (output.empty()) continue;
      producer_.emplace(output, index);
      if (!has_constant_inputs || !is_supported) continue;
      constants_.insert(output);
      const auto is_dequantized = [&](const std::string& input) { return dequantized_.contains(input); };
      if (is_dequantize(added) || std::ranges::any_of(added.input(), is_dequantized)) dequantized_.insert(output);
    }
  }

  /// Notes what a branch or body reads of the graphs around it.
  void add_inner(const onnx::GraphProto& inner) {
    for (const onnx::ValueInfoProto& output : inner.output()) used_outside_.insert(output.name());
    for (const onnx::NodeProto& node : inner.node()) {
      used_outside_.insert(node.input().begin(), node.input().end());
      for_each_inner_graph(node, [&](const onnx::GraphProto& graph, const auto&) { add_inner(graph); });
    }
  }

  bool supports(const onnx::NodeProto& given) const {
    if (is_quantization(given)) return true;
    if (has_inner_graph(given) || canonical_domain(given.domain()) != spec::ai_onnx) return false;
    return given.op_type() == "Constant" || reference::find_operator_function(given.op_type(), opset_) != nullptr;
  }

  /// Whether a value connects the node that computes it with those that use it.
  bool connects(const std::string& value) const {
    if (constants_.contains(value) || used_outside_.contains(value)) return false;
    const auto producer = producer_.find(value);
    if (producer == producer_.end() || is_dequantize(node(producer->second)) || !is_supported_[producer->second])
      return false;
    // One mask may be the condition of operators in all layers.
    const auto form = model_.form_of(value);
    return !form || (form->type != ElementType::boolean && !is_quantized(form->type));
  }

  /// The sets of connected nodes, without those that dequantize, by one of their members.
  std::map<std::size_t, std::vector<std::size_t>> connected() const {
    Sets sets(size());
    for (const auto& [value, users] : consumers_)
      if (connects(value))
        for (const std::size_t user : users)
          if (is_supported_[user]) sets.join(user, producer_.at(value));
    std::map<std::size_t, std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < size(); ++i)
      if (is_supported_[i] && !is_constant_[i] && !(is_quantization(node(i)) && is_dequantize(node(i))))
        members[sets.find(i)].push_back(i);
    return members;
  }

  const std::size_t* dequantizer_of(const std::string& value) const {
    const auto producer = producer_.find(value);
    return producer != producer_.end() && is_quantization(node(producer->second)) &&
                   is_dequantize(node(producer->second))
               ? &producer->second
               : nullptr;
  }

  bool holds_codes(const std::string& value) const {
    const auto form = model_.form_of(value);
    return form && is_quantized(form->type);
  }

  /// Whether it makes quantized tensors of others, of types that ONNX permits, in a model that quantizes at all.
  bool moves_codes(std::size_t index) const {
    const auto holds = [&](const std::string& value) { return holds_codes(value); };
    return quantizes_ && is_supported_[index] && !is_quantization(node(index)) &&
           std::ranges::any_of(node(index).input(), holds) && std::ranges::all_of(node(index).output(), holds) &&
           permits_types(node(index));
  }

  bool permits_types(const onnx::NodeProto& given) const {
    const onnx::OpSchema* schema = onnx::OpSchemaRegistry::Schema(given.op_type(), opset_, "");
    if (schema == nullptr || schema->inputs().empty()) return false;
    for (int i = 0; i < given.input_size(); ++i) {
      const auto form = model_.form_of(given.input(i));
      if (!form) continue;
      const auto place = std::min(static_cast<std::size_t>(i), schema->inputs().size() - 1);  // the last may repeat
      onnx::TypeProto type;
      type.mutable_tensor_type()->set_elem_type(static_cast<int>(form->type));
      if (!schema->inputs()[place].GetTypes().contains(onnx::Utils::DataTypeUtils::ToType(type))) return false;
    }
    return true;
  }

  bool has_quantized_input(std::size_t index) const {
    return std::ranges::any_of(node(index).input(), [&](const std::string& input) {
      return dequantizer_of(input) != nullptr || dequantized_.contains(input);
    });
  }

  std::vector<std::size_t> quantizers_after(std::size_t index) const {
    std::vector<std::size_t> found;
    for (const std::string& output : node(index).output())
      if (const auto users = consumers_.find(output); users != consumers_.end())
        for (const std::size_t user : users->second)
          if (is_quantization(node(user)) && is_quantize(node(user))) found.push_back(user);
    return found;
  }

  void add_set(CutModel& made, const std::vector<std::size_t>& members) {
    const bool touches_quantization =
        std::ranges::any_of(members, [&](std::size_t i) { return is_quantization(node(i)) || has_quantized_input(i); });
    if (!touches_quantization) {
      for (const std::size_t member : members)
        if (moves_codes(member)) add_unit(made.units, {member}, true);
      return;
    }
    // Kernels for different weights may differ in precision, but a reading gives all products the same.
    if (members.size() <= most_nodes_per_unit && kinds_of_weights(members).size() <= 1) {
      add_unit(made.units, members, /*with_neighbours=*/true);
      add_products_of_computed_operands(made, members);
      return;
    }
    for (const std::size_t member : members) {
      if (is_quantization(node(member))) {
        if (has_quantized_input(member)) add_unit(made.units, {member}, true);
        continue;
      }
      std::vector<std::size_t> small = quantizers_after(member);
      if (small.empty() && !has_quantized_input(member) && !moves_codes(member)) continue;
      small.insert(small.begin(), member);
      add_unit(made.units, small, true);
    }
  }

  bool is_weight(const std::string& value) const {
    const auto form = model_.form_of(value);
    return dequantized_.contains(value) && form && form->shape.size() > 1;  // a bias has one dimension
  }

  bool has_weight(std::size_t index) const {
    return std::ranges::any_of(node(index).input(), [&](const std::string& input) { return is_weight(input); });
  }

  /// The types of the codes of weights, and the sizes of their blocks.
  std::set<std::pair<ElementType, std::int64_t>> kinds_of_weights(const std::vector<std::size_t>& members) const {
    std::set<std::pair<ElementType, std::int64_t>> kinds;
    std::vector<std::string> rest;
    for (const std::size_t member : members)
      std::ranges::copy_if(node(member).input(), std::back_inserter(rest),
                           [&](const std::string& input) { return is_weight(input); });
    while (!rest.empty()) {
      const std::string value = std::move(rest.back());
      rest.pop_back();
      const auto producer = producer_.find(value);
      if (producer == producer_.end()) continue;
      const onnx::NodeProto& source = node(producer->second);
      if (const auto form = is_dequantize(source) ? model_.form_of(source.input(0)) : std::nullopt)
        kinds.emplace(form->type, block_size_of(source));
      else
        rest.insert(rest.end(), source.input().begin(), source.input().end());
    }
    return kinds;
  }

  /// The unit's inputs hardly decide the operands of these nodes, and other nodes widen the bounds of what they give.
  /// So each that has a weight is also a unit on its own.
  void add_products_of_computed_operands(CutModel& made, const std::vector<std::size_t>& members) {
    const auto is_computed = [&](const std::string& input) { return connects(input); };
    for (const std::size_t member : members)
      if (has_weight(member) && std::ranges::any_of(node(member).input(), is_computed)) {
        std::vector<std::size_t> alone = quantizers_after(member);
        alone.insert(alone.begin(), member);
        if (alone.size() < members.size()) add(made.units, closed(alone, /*with_neighbours=*/true));
      }
  }

  /// `with_neighbours`: with the nodes that dequantize its inputs.
  void add_unit(std::vector<ModelUnit>& units, const std::vector<std::size_t>& members, bool with_neighbours) {
    ModelUnit unit = closed(members, with_neighbours);
    if (with_neighbours) {
      const auto counted = std::ranges::count_if(unit.nodes, [&](std::size_t i) { return !is_constant_[i]; });
      if (counted < 2 && !moves_codes(members.front())) return;
      covered_.insert(unit.nodes.begin(), unit.nodes.end());
      members_of_units_.push_back(members);
    }
    add(units, std::move(unit));
  }

  /// Units of one structure are one. Windows are many, so for them only the constants of the first one are looked at.
  void add(std::vector<ModelUnit>& units, ModelUnit unit, bool is_window = false) const {
    unit.structure = structure_of(unit, /*with_parameters=*/!is_window);
    const auto same = std::ranges::find(units, unit.structure, &ModelUnit::structure);
    if (same == units.end()) {
      units.push_back(std::move(unit));
    } else {
      ++same->stands_for;
      same->represented.insert(same->represented.end(), unit.represented.begin(), unit.represented.end());
    }
  }

  /// The units that read the quantized outputs of each unit, by their indices in members_of_units_.
  std::vector<std::vector<std::size_t>> following() const {
    std::map<std::size_t, std::vector<std::size_t>> readers;  // units, by the nodes that read their inputs
    for (std::size_t u = 0; u < members_of_units_.size(); ++u)
      for (const std::size_t member : members_of_units_[u]) {
        if (moves_codes(member)) readers[member].push_back(u);
        for (const std::string& input : node(member).input())
          if (const std::size_t* dequantizer = dequantizer_of(input)) readers[*dequantizer].push_back(u);
      }
    std::vector<std::vector<std::size_t>> next(members_of_units_.size());
    for (std::size_t u = 0; u < members_of_units_.size(); ++u)
      for (const std::size_t member : members_of_units_[u])
        for (const std::string& output : node(member).output())
          if (const auto users = consumers_.find(output); users != consumers_.end())
            for (const std::size_t user : users->second)
              if (const auto found = readers.find(user); found != readers.end())
                next[u].insert(next[u].end(), found->second.begin(), found->second.end());
    return next;
  }

  void add_windows(CutModel& made) const {
    const std::vector<std::vector<std::size_t>> next = following();
    const auto add_window = [&](const std::set<std::size_t>& units) {
      std::vector<std::size_t> members;
      for (const std::size_t u : units)
        members.insert(members.end(), members_of_units_[u].begin(), members_of_units_[u].end());
      ModelUnit window = closed(members, /*with_neighbours=*/true);
      if (members.size() > most_nodes_per_unit || window.weights > most_weights_per_window)
        ++made.too_large_windows;
      else
        add(made.windows, std::move(window), /*is_window=*/true);
    };
    std::set<std::set<std::size_t>> seen;
    for (std::size_t first = 0; first < next.size(); ++first)
      for (const std::size_t second : next[first]) {
        if (seen.insert({first, second}).second) add_window({first, second});
        for (const std::size_t third : next[second])
          if (seen.insert({first, second, third}).second) add_window({first, second, third});
      }
  }

  /// The members, what computes their constants, and `with_neighbours` what dequantizes their inputs.
  std::set<std::size_t> closure(const std::vector<std::size_t>& members, bool with_neighbours) const {
    std::set<std::size_t> inside;
    std::vector<std::size_t> rest = members;
    while (!rest.empty()) {
      const std::size_t next = rest.back();
      rest.pop_back();
      if (!inside.insert(next).second) continue;
      for (const std::string& input : node(next).input()) {
        const auto producer = producer_.find(input);
        if (producer == producer_.end()) continue;
        const bool is_taken = constants_.contains(input) ? with_neighbours || is_constant_[producer->second]
                                                         : with_neighbours && dequantizer_of(input) != nullptr;
        if (is_taken) rest.push_back(producer->second);
      }
    }
    return inside;
  }

  ModelUnit closed(const std::vector<std::size_t>& members, bool with_neighbours) const {
    const std::set<std::size_t> inside = closure(members, with_neighbours);
    ModelUnit unit{
        .first = *std::ranges::min_element(members), .nodes = {}, .inputs = {}, .outputs = {}, .structure = {}};
    unit.nodes.assign(inside.begin(), inside.end());
    std::ranges::copy_if(unit.nodes, std::back_inserter(unit.represented),
                         [&](std::size_t i) { return !is_constant_[i]; });
    add_inputs(unit);
    const auto add_outputs = [&](const auto& is_one) {
      for (const std::size_t i : std::set<std::size_t>(members.begin(), members.end()))
        std::ranges::copy_if(node(i).output(), std::back_inserter(unit.outputs),
                             [&](const std::string& output) { return !output.empty() && is_one(output); });
    };
    add_outputs([&](const std::string& output) { return is_used_outside(output, inside); });
    if (unit.outputs.empty()) add_outputs([&](const std::string& output) { return !consumers_.contains(output); });
    return unit;
  }

  void add_inputs(ModelUnit& unit) const {
    std::set<std::string> known;
    for (const std::size_t i : unit.nodes) known.insert(node(i).output().begin(), node(i).output().end());
    for (const std::size_t i : unit.nodes)
      for (const std::string& input : node(i).input()) {
        if (input.empty() || !known.insert(input).second) continue;
        if (!is_initializer(input))
          unit.inputs.push_back(input);
        else if (const auto form = model_.form_of(input))
          unit.weights += form->elements();
      }
  }

  bool is_initializer(const std::string& value) const {
    return constants_.contains(value) && !producer_.contains(value);
  }

  bool is_used_outside(const std::string& value, const std::set<std::size_t>& inside) const {
    if (used_outside_.contains(value)) return true;
    const auto users = consumers_.find(value);
    return users != consumers_.end() &&
           std::ranges::any_of(users->second, [&](std::size_t user) { return !inside.contains(user); });
  }

  std::string form_text(const std::string& value) const {
    const auto form = model_.form_of(value);
    return form ? fmt::format("{}[{}]", spec::name(form->type), fmt::join(form->shape, ",")) : "?";
  }

  /// The tensor of an initializer or of a Constant node; null for other constants.
  const onnx::TensorProto* constant_tensor(const std::string& value) const {
    const auto found = std::ranges::find(graph_.initializer(), value, &onnx::TensorProto::name);
    if (found != graph_.initializer().end()) return &*found;
    for (const onnx::NodeProto& node : graph_.node())
      if (node.op_type() == "Constant" && node.output_size() == 1 && node.output(0) == value)
        for (const onnx::AttributeProto& attribute : node.attribute())
          if (attribute.has_t()) return &attribute.t();
    return nullptr;
  }

  /// What is known to decide defects: whether zero points are 0, and scales negative or powers of two.
  std::string kind_of_parameter(const std::string& value) const try {
    const onnx::TensorProto* given = constant_tensor(value);
    if (given == nullptr) return "";
    const Tensor tensor = to_tensor(model_.with_data(*given), value);
    bool has_zero_only = true, has_negative = false, has_powers_only = true;
    for (std::int64_t i = 0; i < tensor.size(); ++i) {
      const double number = reference::number_of(tensor.type(), tensor.code(i));
      int exponent = 0;
      has_zero_only = has_zero_only && number == 0;
      has_negative = has_negative || number < 0;
      has_powers_only = has_powers_only && std::fabs(std::frexp(number, &exponent)) == 0.5;
    }
    if (spec::is_integer(tensor.type())) return has_zero_only ? "zero" : "";
    return fmt::format("{}{}", has_negative ? "negative" : "", has_powers_only ? "powers" : "");
  } catch (const FileError&) {  // the part says so
    return "";
  }

  const std::string& known_kind_of_parameter(const std::string& value) const {
    auto found = kinds_.find(value);
    if (found == kinds_.end()) found = kinds_.emplace(value, kind_of_parameter(value)).first;
    return found->second;
  }

  std::string structure_of(const ModelUnit& unit, bool with_parameters) const {
    std::map<std::string, std::string> names;
    std::string text;
    for (const std::size_t i : unit.nodes) {
      text += fmt::format("{}.{}(", node(i).domain(), node(i).op_type());
      for (int k = 0; k < node(i).input_size(); ++k) {
        const std::string& input = node(i).input(k);
        if (with_parameters && k > 0 && is_quantization(node(i)) && constants_.contains(input))
          text += known_kind_of_parameter(input);
        if (const auto known = names.find(input); input.empty() || known != names.end()) {
          text += input.empty() ? "," : known->second + ",";
          continue;
        }
        const std::string name = fmt::format("{}{}", is_initializer(input) ? 'c' : 'x', names.size());
        text += fmt::format("{}:{},", name, form_text(input));
        names.emplace(input, name);
      }
      std::map<std::string, std::string> attributes;
      for (const onnx::AttributeProto& attribute : node(i).attribute())
        attributes.emplace(attribute.name(),
                           attribute.has_t() ? shape_text(attribute.t()) : attribute.SerializeAsString());
      for (const auto& [name, value] : attributes) text += fmt::format(";{}={}", name, value);
      text += ")->";
      for (const std::string& output : node(i).output()) {
        const std::string name = fmt::format("y{}", names.size());
        text += name + ",";
        if (!output.empty()) names.emplace(output, name);
      }
    }
    for (const std::string& output : unit.outputs) text += ">" + names.at(output);
    return text;
  }

  static std::string shape_text(const onnx::TensorProto& tensor) {
    return fmt::format("{}[{}]", tensor.data_type(), fmt::join(tensor.dims(), ","));
  }

  std::string why_not(std::size_t index) const {
    const bool reads_codes =
        std::ranges::any_of(node(index).input(), [&](const std::string& input) { return holds_codes(input); });
    if (is_supported_[index])
      return reads_codes ? "of quantized tensors, which it does not dequantize" : "not next to quantization";
    const std::string domain = canonical_domain(node(index).domain());
    return fmt::format("{}{}: the interpreter does not have it",
                       domain == spec::ai_onnx ? "" : printable(domain, 60) + ".",
                       printable(node(index).op_type(), 60));
  }

  const UserModel& model_;
  const onnx::GraphProto& graph_;
  mutable std::map<std::string, std::string> kinds_;  ///< of constant scales and zero points, by name
  int opset_ = 0;
  bool quantizes_;                      ///< a node of the graph is a quantization operator
  std::set<std::string> constants_;     ///< names of values
  std::set<std::string> dequantized_;   ///< constants that depend on dequantized ones
  std::set<std::string> used_outside_;  ///< graph outputs, and what branches and bodies read
  std::size_t inner_nodes_ = 0;         ///< of branches and bodies
  std::map<std::string, std::size_t> producer_;
  std::map<std::string, std::vector<std::size_t>> consumers_;
  std::vector<bool> is_supported_;
  std::vector<bool> is_constant_;  ///< the node only computes constants, and is not a quantization operator
  std::set<std::size_t> covered_;
  std::vector<std::vector<std::size_t>> members_of_units_;
};

}  // namespace

CutModel cut(const UserModel& model) { return Cutter(model).cut(); }

onnx::ModelProto model_of(const UserModel& model, const ModelUnit& unit) {
  const onnx::GraphProto& graph = model.proto().graph();
  onnx::ModelProto made;
  made.set_ir_version(model.proto().ir_version());
  made.set_producer_name("touchstone");
  *made.mutable_opset_import() = model.proto().opset_import();
  onnx::GraphProto& part = *made.mutable_graph();
  part.set_name("unit");
  std::set<std::string> read;
  for (const std::size_t index : unit.nodes) {
    const onnx::NodeProto& node = graph.node(static_cast<int>(index));
    *part.add_node() = node;
    read.insert(node.input().begin(), node.input().end());
  }
  for (const onnx::TensorProto& tensor : graph.initializer())
    if (read.contains(tensor.name())) *part.add_initializer() = model.with_data(tensor);
  const auto add = [&](onnx::ValueInfoProto& value, const std::string& name) {
    const std::optional<ValueForm> form = model.form_of(name);
    if (!form) throw FileError(in_quotes(name), "the type or the shape of this value is not known");
    declare(value, name, form->type, form->shape);
  };
  for (const std::string& name : unit.inputs) add(*part.add_input(), name);
  for (const std::string& name : unit.outputs) add(*part.add_output(), name);
  return made;
}

std::vector<std::string> operators_of(const UserModel& model, const ModelUnit& unit) {
  std::vector<std::string> all, others;
  for (const std::size_t index : unit.nodes) {
    const onnx::NodeProto& node = model.proto().graph().node(static_cast<int>(index));
    if (node.op_type() == "Constant") continue;
    all.push_back(printable(node.op_type(), 60));
    if (!is_quantization(node)) others.push_back(all.back());
  }
  return others.empty() ? all : others;
}

}  // namespace touchstone::conformance
