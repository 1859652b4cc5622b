#include "conformance/units/unit_cases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "conformance/files/case_size.h"
#include "conformance/files/graph_file.h"
#include "conformance/files/limits.h"
#include "conformance/files/model_file.h"
#include "conformance/generate/picker.h"
#include "reference/codec.h"
#include "reference/graph/graph_interpreter.h"
#include "reference/host_numbers.h"

namespace touchstone::conformance {

namespace {

// ---- data

/// How the elements of the inputs are chosen. Equal extremes overflow narrow accumulators; alternating ones do so in
/// pairs; sums of mostly zeros stay exact for long. What quantizes numbers once more loses small ones among large ones.
/// Moderate ones are codes close to zero, where Softmax and Sigmoid are not saturated, or floats with few bits.
enum class Filling { any, alternating, outliers, sparse, lowest, highest, moderate };
constexpr std::array fillings{Filling::any,    Filling::alternating, Filling::outliers, Filling::sparse,
                              Filling::lowest, Filling::highest,     Filling::moderate};

/// How much data a case has.
struct DataAmount {
  std::int64_t most_elements;  ///< of all data sets together, unless there are as few as possible
  std::int64_t fewest_sets;
};
constexpr DataAmount of_unit{std::int64_t{1} << 18, 2};
constexpr DataAmount of_window{std::int64_t{1} << 16, 1};  // its units have cases of their own

/// What the elements of an input mean, as far as the unit's constants say.
struct Meaning {
  std::uint64_t zero = 0;   ///< the code of zero
  double scale = 1;         ///< that a float input is divided by
  bool is_divided = false;  ///< by QuantizeLinear
  int bits = 8;             ///< of the type to which it is quantized
  /// So many indices or conditions, from 0 on, are valid.
  std::int64_t choices = 1;
};

/// Halfway between two codes, next to that, or too large for integers.
double rounding_number(Picker& picker, const Meaning& meaning) {
  const auto codes = std::size_t{1} << std::min(meaning.bits + 1, 16);
  const double middle =
      (static_cast<double>(picker.below(codes)) - static_cast<double>(codes / 2) + 0.5) * meaning.scale;
  switch (picker.below(8)) {
    case 0: return middle * (1 + 0x1p-23);
    case 1: return middle * (1 - 0x1p-23);
    case 2: return middle * 0x1p40;
    default: return middle;
  }
}

double number(Picker& picker, Filling filling, const Meaning& meaning) {
  const double range = meaning.scale * static_cast<double>(1 << std::min(meaning.bits, 16));
  const auto anywhere = [&] { return static_cast<double>(picker.below(std::size_t{1} << 24)) / (1 << 24) - 0.5; };
  switch (filling) {
    case Filling::any:
      return meaning.is_divided && picker.coin() ? rounding_number(picker, meaning) : 2.5 * range * anywhere();
    case Filling::moderate: return static_cast<double>(picker.below(257)) / 256 * range - range / 2;
    case Filling::lowest: return -range;
    case Filling::highest: return range;
    case Filling::alternating: return picker.coin() ? range : -range;
    case Filling::outliers:  // see place_outliers
    case Filling::sparse: return picker.below(16) == 0 ? range * anywhere() : 0;
  }
  return 0;
}

std::uint64_t code(Picker& picker, Filling filling, ElementType type, const Meaning& meaning) {
  const ElementTypeInfo& info = spec::info(type);
  if (info.kind == NumberKind::floating_point && info.bits >= 16)
    return reference::rounded_code(type, number(picker, filling, meaning));
  const bool is_signed = info.kind == NumberKind::signed_integer;
  const std::uint64_t lowest = is_signed ? std::uint64_t{1} << (info.bits - 1) : 0;
  const std::uint64_t highest = lowest == 0 ? (std::uint64_t{1} << info.bits) - 1 : lowest - 1;
  const std::uint64_t all = (std::uint64_t{1} << info.bits) - 1;
  switch (filling) {
    case Filling::any:
    case Filling::outliers: return picker.next() & all;
    case Filling::moderate: {
      if (!spec::is_integer(type)) return picker.next() & all;
      const auto place = static_cast<std::int64_t>((meaning.zero - lowest) & all);  // in the order of numbers
      const auto moved = place + static_cast<std::int64_t>(picker.below(17)) - 8;
      return (static_cast<std::uint64_t>(std::clamp(moved, std::int64_t{0}, static_cast<std::int64_t>(all))) + lowest) &
             all;
    }
    case Filling::lowest: return lowest;
    case Filling::highest: return highest;
    case Filling::alternating: return picker.coin() ? highest : lowest;
    case Filling::sparse: return picker.below(16) == 0 ? picker.next() : meaning.zero;
  }
  return 0;
}

std::uint64_t chosen(Picker& picker, Filling filling, std::int64_t choices) {
  const auto last = static_cast<std::uint64_t>(choices - 1);
  switch (filling) {
    case Filling::lowest: return 0;
    case Filling::highest: return last;
    case Filling::alternating: return picker.coin() ? last : 0;
    default: return picker.below(last + 1);
  }
}

/// Zeros, but for a part of each row: one large number among small ones. No rounding to a floating-point type loses as
/// much of such a sum as what gives all of them one scale.
void place_outliers(Tensor& made, Meaning meaning, Picker& picker) {
  meaning.is_divided = false;
  constexpr std::int64_t most_places = 32;
  const std::int64_t row = made.rank() == 0 ? 1 : made.shape().back();
  const std::int64_t places = std::min(row, most_places);
  for (std::int64_t start = 0; row > 0 && start < made.size(); start += row) {
    const auto first = static_cast<std::int64_t>(picker.below(static_cast<std::size_t>(row / places))) * places;
    const auto largest = static_cast<std::int64_t>(picker.below(static_cast<std::size_t>(places)));
    for (std::int64_t i = 0; i < row; ++i) {
      const bool is_inside = i >= first && i < first + places;
      const double large = number(picker, Filling::highest, meaning),
                   small = number(picker, Filling::any, meaning) / 320;
      const double chosen = !is_inside ? 0 : i == first + largest ? large : small;
      made.set_code(start + i, reference::rounded_code(made.type(), chosen));
    }
  }
}

Tensor data_for(const ValueForm& form, Filling filling, const Meaning& meaning, Picker& picker) {
  Tensor made(form.type, form.shape);
  // Other integers are indices, lengths or conditions, for which only zero is valid everywhere.
  const ElementTypeInfo& info = spec::info(form.type);
  const bool is_number = info.bits <= 16 || form.type == ElementType::float32 || form.type == ElementType::float64;
  if (!is_number || form.type == ElementType::boolean) {
    if (meaning.choices > 1)
      for (std::int64_t i = 0; i < made.size(); ++i) made.set_code(i, chosen(picker, filling, meaning.choices));
    return made;
  }
  if (filling == Filling::outliers && info.bits >= 16 && !spec::is_integer(form.type)) {
    place_outliers(made, meaning, picker);
    return made;
  }
  for (std::int64_t i = 0; i < made.size(); ++i) made.set_code(i, code(picker, filling, form.type, meaning));
  return made;
}

/// See Meaning::choices.
std::int64_t choices_of(const std::string& value, const reference::Graph& graph, const UserModel& model) {
  std::int64_t choices = std::numeric_limits<std::int64_t>::max();
  for (const reference::GraphNode& node : graph.nodes)
    for (std::size_t place = 0; place < node.inputs.size(); ++place) {
      if (node.inputs[place] != value) continue;
      std::int64_t of_node = 1;
      if (node.op_type == "Where" && place == 0) of_node = 2;
      if (const auto data = model.form_of(node.inputs[0]); data && node.op_type == "Gather" && place == 1) {
        const auto found = node.attributes.find("axis");
        const auto* given = found == node.attributes.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
        const std::int64_t axis = given == nullptr ? 0 : *given < 0 ? *given + std::ssize(data->shape) : *given;
        if (0 <= axis && axis < std::ssize(data->shape)) of_node = data->shape[static_cast<std::size_t>(axis)];
      }
      choices = std::min(choices, of_node);
    }
  return choices;
}

/// What the constants of the quantization operators that read the value say of it.
Meaning meaning_of(const std::string& value, const OperatorModel& parsed, const UserModel& model) {
  Meaning meaning;
  const auto take = [&](bool quantizes, const Tensor* scale, const Tensor* zero_point) {
    if (zero_point != nullptr && zero_point->size() > 0) {
      if (!quantizes) meaning.zero = zero_point->code(0);
      meaning.bits = spec::info(zero_point->type()).bits;
    }
    if (quantizes && scale != nullptr && scale->size() > 0) {
      const double number = std::abs(reference::number_of(scale->type(), scale->code(0)));
      if (number > 0 && number < reference::inf) meaning.scale = number;
      meaning.is_divided = true;
    }
  };
  if (parsed.graph == nullptr) {
    const auto& inputs = parsed.node.inputs;
    const auto constant = [&](std::size_t place) {
      return place < inputs.size() && inputs[place] ? &*inputs[place] : nullptr;
    };
    take(parsed.node.op == Operator::quantize_linear, constant(1), constant(2));
    return meaning;
  }
  const reference::Graph& graph = parsed.graph->graph;
  meaning.choices = choices_of(value, graph, model);
  for (const reference::GraphNode& node : graph.nodes) {
    const auto op = reference::quantization_operator(node);
    if (!op || node.inputs.empty() || node.inputs.front() != value) continue;
    const auto constant = [&](std::size_t place) -> const Tensor* {
      if (place >= node.inputs.size()) return nullptr;
      const auto found = graph.initializers.find(node.inputs[place]);
      return found == graph.initializers.end() ? nullptr : &found->second;
    };
    take(*op == Operator::quantize_linear, constant(1), constant(2));
  }
  return meaning;
}

// ---- the user's data

using Values = std::map<std::string, Tensor>;

/// A node of a model as a graph: constants are initializers, and its other inputs are inputs.
std::optional<reference::GraphModel> graph_of_node(
    int index, const UserModel& model, const std::map<std::string, const onnx::TensorProto*>& constants) try {
  const onnx::NodeProto& node = model.proto().graph().node(index);
  onnx::ModelProto single;
  *single.mutable_opset_import() = model.proto().opset_import();
  onnx::GraphProto& graph = *single.mutable_graph();
  *graph.add_node() = node;
  std::set<std::string> added;
  for (const std::string& input : node.input()) {
    if (input.empty() || !added.insert(input).second) continue;
    if (const auto constant = constants.find(input); constant != constants.end())
      *graph.add_initializer() = model.with_data(*constant->second);
    else
      graph.add_input()->set_name(input);
  }
  for (const std::string& output : node.output())
    if (!output.empty()) graph.add_output()->set_name(output);
  reference::GraphModel made = to_graph_model(single, "a node");
  made.graph.nodes.back().label = node_label(static_cast<std::size_t>(index), node);
  return made;
} catch (const FileError&) {
  return std::nullopt;
}

/// Adds the outputs of the node for these values; none if one of its inputs is not known, or it cannot be computed.
/// Returns why these values make it invalid; empty if they do not, or if it is invalid whatever they are.
std::string add_outputs(const reference::GraphModel& node, Values& values) {
  std::vector<Tensor> inputs;
  for (const std::string& input : node.graph.inputs) {
    const auto found = values.find(input);
    if (found == values.end()) return "";
    inputs.push_back(found->second);
  }
  try {
    const reference::GraphOutcome outcome = reference::interpret(node, inputs);
    if (const auto* outputs = outcome.outputs())
      for (std::size_t o = 0; o < outputs->size(); ++o)
        values.insert_or_assign(node.graph.outputs[o], (*outputs)[o].value);
    return "";
  } catch (const reference::InvalidNode&) {
    return "";
  } catch (const std::exception&) {
    reference::GraphModel with_constants = node;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      with_constants.graph.initializers.insert_or_assign(node.graph.inputs[i], std::move(inputs[i]));
    with_constants.graph.inputs.clear();
    return invalidity(std::move(with_constants), {});
  }
}

/// The values with these names that the user's inputs give, for each set. Each node gets the rounded values of those
/// before it, so bounds do not grow through the model. Adds to `invalid` why nodes are invalid, by node and set.
std::vector<Values> values_of(const UserModel& model, const std::set<std::string>& names,
                              std::map<std::size_t, std::map<std::size_t, std::string>>& invalid) {
  const onnx::GraphProto& graph = model.proto().graph();
  std::map<std::string, const onnx::TensorProto*> constants;
  for (const onnx::TensorProto& tensor : graph.initializer()) constants.emplace(tensor.name(), &tensor);
  std::map<std::string, int> uses;
  for (const onnx::NodeProto& node : graph.node())
    for (const std::string& input : node.input()) ++uses[input];
  std::vector<Values> sets;
  for (const UserInputs& inputs : model.inputs()) {
    Values& values = sets.emplace_back();
    for (const UserInput& input : inputs) values.emplace(input.name, input.value);
  }
  for (int index = 0; index < graph.node_size(); ++index) {
    const auto single = graph_of_node(index, model, constants);
    for (std::size_t set = 0; single && set < sets.size(); ++set)
      if (std::string why = add_outputs(*single, sets[set]); !why.empty())
        invalid[static_cast<std::size_t>(index)].emplace(set, std::move(why));
    for (const std::string& input : graph.node(index).input())
      if (--uses[input] == 0 && !names.contains(input))
        for (Values& values : sets) values.erase(input);
  }
  return sets;
}

void refuse_more(std::uint64_t count, std::uint64_t limit, const char* what, const char* name) {
  if (count > limit)
    throw FileError("too large", fmt::format("{} {} elements; the limit is {} ({})", what, count, limit, name));
}

/// The constants of the part by name. Throws FileError if they exceed a limit.
std::set<std::string> constants_of(const UserModel& model, const ModelUnit& unit) {
  const onnx::GraphProto& graph = model.proto().graph();
  std::set<std::string> read, constants;
  for (const std::size_t index : unit.nodes) {
    const onnx::NodeProto& node = graph.node(static_cast<int>(index));
    read.insert(node.input().begin(), node.input().end());
    if (node.op_type() == "Constant") constants.insert(node.output(0));
  }
  CaseSize size;
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    if (!read.contains(tensor.name())) continue;
    constants.insert(tensor.name());
    if (const auto form = model.form_of(tensor.name())) size.add(form->bytes(), form->elements(), "its constants");
  }
  return constants;
}

/// Throws FileError if the values of the part exceed a limit of the interpreter.
void refuse_large_values(const UserModel& model, const ModelUnit& unit, const std::set<std::string>& constants) {
  std::uint64_t elements = 0, weights = 0;
  std::set<std::string> large;
  for (const std::size_t index : unit.nodes) {
    const onnx::NodeProto& node = model.proto().graph().node(static_cast<int>(index));
    const bool is_weight =
        node.op_type() == "DequantizeLinear" && std::ranges::all_of(node.input(), [&](const std::string& input) {
          return input.empty() || constants.contains(input);
        });
    const bool takes_parts = node.op_type() == "MatMul" || node.op_type() == "Gemm";
    for (int i = 0; i < node.input_size(); ++i)
      if (large.contains(node.input(i)) && !(takes_parts && i == 1))
        refuse_more(model.form_of(node.input(i))->elements(), limits().graph_elements,
                    "a dequantized constant that is not the second operand of MatMul or Gemm has", "graph_elements");
    for (const std::string& output : node.output())
      if (const auto form = model.form_of(output); form && !constants.contains(output)) {
        (is_weight ? weights : elements) += form->elements();
        if (is_weight && form->elements() > limits().graph_elements) large.insert(output);
      }
  }
  for (const std::string& output : unit.outputs)
    if (const auto form = model.form_of(output)) elements += form->elements();
  refuse_more(elements, limits().graph_elements, "its values have", "graph_elements");
  refuse_more(weights, limits().graph_weights, "its dequantized constants have", "graph_weights");
}

bool has_float_output(const UserModel& model, const ModelUnit& unit) {
  return std::ranges::any_of(unit.outputs, [&](const std::string& value) {
    const auto form = model.form_of(value);
    return form && form->type == ElementType::float32;
  });
}

}  // namespace

ModelParts::ModelParts(const std::filesystem::path& path, const DimensionLengths& dimensions,
                       const std::filesystem::path& inputs)
    : model_(path, dimensions, inputs), cut_(conformance::cut(model_)) {
  std::map<std::string, int> uses;
  for (std::size_t number = 0; number < size(); ++number) {
    std::string id = fmt::format("model/{}/{}/{}/{}", path.stem().string(), kind_of(number), part(number).first,
                                 fmt::join(operators_of(model_, part(number)), "+"));
    const int count = ++uses[id];
    ids_.push_back(count == 1 ? std::move(id) : fmt::format("{}-{}", id, count));
  }
  if (model_.inputs().empty()) return;
  std::set<std::string> names;
  for (std::size_t number = 0; number < size(); ++number)
    names.insert(part(number).inputs.begin(), part(number).inputs.end());
  values_ = values_of(model_, names, invalid_inputs_);
}

std::vector<const std::map<std::string, Tensor>*> ModelParts::inputs_of(std::size_t number) const {
  const std::vector<std::string>& names = part(number).inputs;
  const auto is_invalid = [&](std::size_t set) {
    return std::ranges::any_of(part(number).nodes, [&](std::size_t node) {
      const auto found = invalid_inputs_.find(node);
      return found != invalid_inputs_.end() && found->second.contains(set);
    });
  };
  std::vector<const std::map<std::string, Tensor>*> sets;
  for (std::size_t set = 0; set < values_.size(); ++set) {
    const Values& values = values_[set];
    if (!names.empty() && !is_invalid(set) && std::ranges::all_of(names, [&](const std::string& name) {
          const auto form = model_.form_of(name);
          const auto found = values.find(name);
          return form && found != values.end() && found->second.shape() == form->shape &&
                 found->second.type() == form->type;
        }))
      sets.push_back(&values);
  }
  return sets;
}

std::vector<std::string> ModelParts::invalid_inputs() const {
  std::vector<std::string> texts;
  for (const auto& [node, reasons] : invalid_inputs_) {
    const auto& [set, why] = *reasons.begin();
    const UserInputs& inputs = model_.inputs()[set];
    const std::filesystem::path file = inputs.front().file;
    texts.push_back(fmt::format("{}: {}", (inputs.size() == 1 ? file : file.parent_path()).string(), why));
  }
  return texts;
}

std::size_t ModelParts::parts_with_inputs() const {
  std::size_t count = 0;
  for (std::size_t number = 0; number < size(); ++number) count += inputs_of(number).empty() ? 0 : 1;
  return count;
}

const ModelUnit& ModelParts::part(std::size_t number) const {
  if (number < cut_.nodes.size()) return cut_.nodes[number];
  number -= cut_.nodes.size();
  return number < cut_.units.size() ? cut_.units[number] : cut_.windows.at(number - cut_.units.size());
}

std::string_view ModelParts::kind_of(std::size_t number) const {
  if (number < cut_.nodes.size()) return "node";
  return number < cut_.nodes.size() + cut_.units.size() ? "unit" : "window";
}

Case ModelParts::make_case(std::size_t number, std::uint64_t seed) const {
  const ModelUnit& unit = part(number);
  // The shapes show it, so that nobody waits for a part that is not judged.
  const std::set<std::string> constants = constants_of(model_, unit);
  if (kind_of(number) != "node") refuse_large_values(model_, unit, constants);
  Case made{.id = id_of(number), .model = {}, .data_sets = {}};
  {
    const onnx::ModelProto proto = model_of(model_, unit);
    made.model = parse_model(proto, made.id, unit.nodes);
    made.model.bytes = proto.SerializeAsString();
  }
  if (made.model.graph != nullptr) {
    auto part = std::make_shared<reference::GraphModel>(*made.model.graph);
    part->is_part = has_float_output(model_, unit);
    part->fuses_scales = true;
    made.model.graph = std::move(part);
  }
  std::vector<std::pair<ValueForm, Meaning>> inputs;
  // A data set costs about as much for 256 weights as for an element of its inputs.
  constexpr std::int64_t weights_per_element = 256;
  std::int64_t elements = 1 + std::ssize(made.model.bytes) / weights_per_element;
  for (const std::string& name : made.model.graph_inputs) {
    inputs.emplace_back(model_.form_of(name).value(), meaning_of(name, made.model, model_));
    refuse_large(inputs.back().first, name);
    elements += reference::element_count(inputs.back().first.shape).value_or(0);
  }
  const std::int64_t most_sets = made.model.graph_inputs.empty() ? 1 : std::ssize(fillings);
  const DataAmount& amount = kind_of(number) == "window" ? of_window : of_unit;
  const std::int64_t sets =
      std::clamp(amount.most_elements / elements, std::min(amount.fewest_sets, most_sets), most_sets);
  for (const Values* values : inputs_of(number)) {
    DataSet& data = made.data_sets.emplace_back();
    for (const std::string& name : made.model.graph_inputs) data.inputs.push_back({name, values->at(name)});
  }
  Picker picker(made.id, seed);
  for (const Filling filling : std::span(fillings).first(static_cast<std::size_t>(sets))) {
    DataSet& data = made.data_sets.emplace_back();
    for (std::size_t i = 0; i < inputs.size(); ++i)
      data.inputs.push_back({made.model.graph_inputs[i], data_for(inputs[i].first, filling, inputs[i].second, picker)});
  }
  return made;
}

std::string invalidity(reference::GraphModel node, std::span<const Tensor> inputs) try {
  node.limits.terms = 0;  // so that it is checked, and not computed
  reference::interpret(node, inputs);
  return "";
} catch (const reference::InvalidNode& error) {
  return error.what();
} catch (const std::exception&) {
  return "";
}

std::vector<PlannedCase> plan_parts(std::shared_ptr<const ModelParts> parts, std::uint64_t seed) {
  std::vector<PlannedCase> cases;
  for (std::size_t number = 0; number < parts->size(); ++number) {
    const auto read = [parts, number, seed] { return parts->make_case(number, seed); };
    cases.push_back({.id = parts->id_of(number), .source = made_by({read}), .is_from_files = true});
  }
  return cases;
}

}  // namespace touchstone::conformance
