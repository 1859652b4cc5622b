#include "conformance/session/experiments.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "conformance/causes/causes.h"
#include "conformance/diagnose/computation.h"
#include "conformance/diagnose/host_arithmetic.h"
#include "conformance/diagnose/hypotheses.h"
#include "conformance/generate/directed_values.h"
#include "conformance/generate/form.h"
#include "conformance/generate/model_builder.h"
#include "conformance/generate/node_case.h"
#include "conformance/generate/parts.h"
#include "conformance/generate/picker.h"
#include "conformance/generate/simpler_nodes.h"
#include "conformance/generate/simpler_values.h"
#include "conformance/judge/compare.h"
#include "conformance/judge/digests.h"
#include "conformance/judge/oracle.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

using reference::Node;
using reference::Tensor;
using spec::ElementType;

namespace {

/// The limits of causes that are tested, of their cases that are varied, and of experiments with other values.
constexpr std::size_t most_causes = 24;
constexpr std::size_t most_bases = 4;
constexpr std::size_t most_experiments = 14;

/// A hypothesis that no rival shares is tested by so many.
constexpr std::size_t enough_experiments = 6;

/// How many models and inputs are made to choose an experiment from, and how many of few elements.
constexpr std::size_t most_tries = 12;
constexpr std::size_t most_tries_of_large = 2;
constexpr std::int64_t most_elements_of_many_tries = 512;

/// Larger cases are not varied: computing hypotheses for them takes longer than the backend.
constexpr std::int64_t most_elements_of_base = std::int64_t{1} << 17;

/// Two other causes are combined only if both are among the first ones, which explain the most cases.
constexpr std::size_t most_others_in_pairs = 6;

/// How often in succession the search may find nothing before it ends, and how often the backend may break down.
constexpr std::size_t most_misses = 6;
constexpr std::size_t most_breakdowns = 3;

/// How often the causes are found again because experiments refuted some.
constexpr std::size_t most_rounds = 3;

/// A case that is varied: a node, or a graph.
struct Base {
  std::size_t place;
  Case graph;  ///< only of a graph
  Node node = {};
  const Form* form = nullptr;
  ValueKind kind = {};
  bool is_per_axis = false;
  std::int64_t elements = 0;
};

/// A model and its inputs, with what the reference knows about them.
struct Made {
  Case tested;
  std::vector<ReferenceOutcome> interpreted = {};
  /// Whether a graph got other scales and zero points. An optimizer may leave such a graph alone, so a right answer
  /// refutes nothing.
  bool has_other_parameters = false;
};

// ---- other values

bool is_quantization(const Node& node) { return node.op == spec::Operator::quantize_linear; }

/// Chooses values: revealing ones, those of the case, and ordinary ones.
class Values {
 public:
  Values(const Base& base, Picker& picker) : base_(base), picker_(picker), rows_(directed_values(base.kind)) {}

  void fill(Node& node, const std::set<std::size_t>& operands) {
    if (operands.contains(1)) fill_parameters(node, operands.contains(2));
    if (operands.contains(0)) fill_x(node);
  }

 private:
  std::uint64_t of_base(std::size_t operand) {
    const Tensor& tensor = *base_.node.inputs[operand];
    return tensor.code(static_cast<std::int64_t>(picker_.below(static_cast<std::size_t>(tensor.size()))));
  }

  void fill_parameters(Node& node, bool with_zero_point) {
    Tensor& scale = *node.inputs[1];
    Tensor* zero_point = with_zero_point && node.inputs.size() > 2 && node.inputs[2] ? &*node.inputs[2] : nullptr;
    static constexpr std::array ordinary{1.0, 0.5, 0.25, 2.0, 3.0, 0.1, 0.3, 1.5, 7.0, 0.75};
    for (std::int64_t i = 0; i < scale.size(); ++i) {
      const std::uint64_t own = of_base(1);
      const std::size_t kind = rows_.empty() ? picker_.below(2) : picker_.below(4);
      const DirectedValues* row = kind > 1 ? &picker_.one_of(rows_) : nullptr;
      scale.set_code(i, kind == 0   ? own
                        : kind == 1 ? nearest_code_or(scale.type(), picker_.one_of(ordinary), own)
                                    : row->scale);
      if (zero_point == nullptr || i >= zero_point->size()) continue;
      const bool may_be_other = base_.kind.zero_point.has_value();
      const std::uint64_t small = host::encode(zero_point->type(), static_cast<double>(picker_.below(4)));
      const std::uint64_t of_base_or_small = may_be_other && picker_.coin() ? small : of_base(2);
      zero_point->set_code(i, row != nullptr && may_be_other ? row->zero_point : of_base_or_small);
    }
  }

  void fill_x(Node& node) {
    Tensor& x = *node.inputs[0];
    for (std::int64_t i = 0; i < x.size(); ++i) x.set_code(i, code_of_x(node, x.type()));
  }

  std::uint64_t code_of_x(const Node& node, spec::ElementType type) {
    const std::uint64_t own = of_base(0);
    const std::size_t kind = picker_.below(8);
    if (kind == 0) return own;
    if (kind < 4 && !rows_.empty())
      if (const DirectedValues& row = picker_.one_of(rows_); !row.x.empty()) return picker_.one_of(row.x);
    if (!is_quantization(node)) {
      const int bits = spec::info(type).bits;
      return bits < 32 ? picker_.next() & ((std::uint64_t{1} << bits) - 1) : own;
    }
    // A quotient near or at a tie, or beyond the range.
    static constexpr std::array fractions{0.0, 0.5, 0.25, 0.499, 0.501, 0.9};
    const Tensor& scale = *node.inputs[1];
    const auto place = static_cast<std::int64_t>(picker_.below(static_cast<std::size_t>(scale.size())));
    const double most = std::ldexp(1.0, static_cast<int>(picker_.below(10)));
    const double quotient =
        std::floor(static_cast<double>(picker_.below(1024)) / 1024 * most) + picker_.one_of(fractions);
    const double number = host::decode(scale.type(), scale.code(place)) * (picker_.coin() ? quotient : -quotient);
    return nearest_code_or(type, number, own);
  }

  const Base& base_;
  Picker& picker_;
  const std::vector<DirectedValues>& rows_;
};

/// Exchanges the axis with another dimension, so that other axes fit the scale, or none.
void exchange_axis(Node& node, Picker& picker) {
  const reference::Shape shape = node.inputs[0]->shape();
  const auto found = node.attributes.find("axis");
  const auto* given = found == node.attributes.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  const auto rank = static_cast<std::int64_t>(shape.size());
  const std::int64_t axis = (given == nullptr ? 1 : *given) + (given != nullptr && *given < 0 ? rank : 0);
  if (axis < 0 || axis >= rank) return;
  reference::Shape other = shape;
  std::swap(other[static_cast<std::size_t>(axis)], other[picker.below(shape.size())]);
  const std::int64_t length = other[static_cast<std::size_t>(axis)];
  node.inputs[0] = reshaped(*node.inputs[0], std::move(other));
  for (std::size_t i = 1; i < node.inputs.size(); ++i)
    if (node.inputs[i]) node.inputs[i] = reshaped(*node.inputs[i], {length});
}

/// The node in these other circumstances, and its form; std::nullopt if they are those of the case.
std::optional<std::pair<Node, const Form*>> changed(const Base& base, ExperimentChange change) {
  const bool has_variables = base.form->parameters == Source::graph_input;
  const reference::Outcome outcome = reference::interpret(base.node, {}, {});
  if (outcome.result() == nullptr) return std::nullopt;
  const auto first_of = [&](const std::vector<Node>& nodes) {
    return nodes.empty() ? std::nullopt : std::optional(std::pair(nodes.front(), base.form));
  };
  switch (change) {
    case ExperimentChange::values: return std::pair(base.node, base.form);
    case ExperimentChange::graph_inputs:
      if (has_variables && base.form->x == Source::graph_input) return std::nullopt;
      return std::pair(base.node, &plain_form());
    case ExperimentChange::constants:
      return has_variables ? std::optional(std::pair(base.node, &form_named("initializers"))) : std::nullopt;
    case ExperimentChange::without_zero_point:
      if (base.node.inputs.size() < 3 || !base.node.inputs[2]) return std::nullopt;
      return first_of(fewer_operands(base.node, outcome.result()));
    case ExperimentChange::per_tensor:
      if (base.node.inputs[1]->size() == 1) return std::nullopt;
      return first_of(per_tensor(base.node, *outcome.result()));
  }
  return std::nullopt;
}

/// Codes of the tensor, each chosen at random.
Tensor shuffled(const Tensor& own, Picker& picker) {
  Tensor other = own;
  for (std::int64_t i = 0; i < own.size(); ++i)
    other.set_code(i, own.code(static_cast<std::int64_t>(picker.below(static_cast<std::size_t>(own.size())))));
  return other;
}

/// The same for a scale, times a number that keeps its sign.
Tensor other_scale(const Tensor& own, Picker& picker) {
  static constexpr std::array factors{0.25, 0.5, 2.0, 3.0, 4.0};
  const double factor = picker.one_of(factors);
  Tensor other = shuffled(own, picker);
  for (std::int64_t i = 0; i < other.size(); ++i)
    other.set_code(i, nearest_code_or(own.type(), host::decode(own.type(), other.code(i)) * factor, other.code(i)));
  return other;
}

/// The same for a zero point of an integer type: numbers next to its own.
Tensor other_zero_point(const Tensor& own, Picker& picker) {
  if (!spec::is_integer(own.type()) || own.type() == ElementType::int32) return own;
  Tensor other = own;
  for (std::int64_t i = 0; i < own.size(); ++i) {
    const double number = host::decode(own.type(), own.code(i)) + static_cast<double>(picker.below(7)) - 3;
    other.set_code(i,
                   host::encode(own.type(), std::clamp(number, host::lowest(own.type()), host::highest(own.type()))));
  }
  return other;
}

/// Other constants that quantization operators read: the elements, and also the parameters if `with_parameters`. Equal
/// parameters stay equal, because optimizers compare them.
OperatorModel with_other_constants(const OperatorModel& model, const std::string& id, bool with_parameters,
                                   Picker& picker) {
  onnx::ModelProto proto;
  proto.ParseFromString(model.bytes);   // it was parsed before
  std::map<std::string, int> operands;  // by the name of the constant
  for (const onnx::NodeProto& node : proto.graph().node())
    if (node.op_type() == "QuantizeLinear" || node.op_type() == "DequantizeLinear")
      for (int i = 0; i < std::min(node.input_size(), with_parameters ? 3 : 1); ++i) operands.emplace(node.input(i), i);
  std::map<std::vector<std::uint64_t>, Tensor> others;
  const auto change = [&](onnx::TensorProto& tensor, const std::string& name) {
    const auto operand = operands.find(name);
    if (operand == operands.end()) return;
    const Tensor own = to_tensor(tensor, id);
    if (own.size() == 0) return;
    if (operand->second == 0) {
      tensor = to_tensor_proto(shuffled(own, picker), tensor.name());
      return;
    }
    std::vector<std::uint64_t> key{static_cast<std::uint64_t>(own.type())};
    for (std::int64_t i = 0; i < own.size(); ++i) key.push_back(own.code(i));
    auto found = others.find(key);
    if (found == others.end()) {
      Tensor other = operand->second == 1 ? other_scale(own, picker) : other_zero_point(own, picker);
      found = others.emplace(std::move(key), std::move(other)).first;
    }
    tensor = to_tensor_proto(reshaped(found->second, own.shape()), tensor.name());
  };
  for (onnx::TensorProto& tensor : *proto.mutable_graph()->mutable_initializer()) change(tensor, tensor.name());
  for (onnx::NodeProto& node : *proto.mutable_graph()->mutable_node())
    if (node.op_type() == "Constant" && node.attribute_size() == 1 && node.attribute(0).has_t())
      change(*node.mutable_attribute(0)->mutable_t(), node.output(0));
  return permitting_as(model, parse_model(proto.SerializeAsString(), id, model.graph_inputs.size()));
}

/// The graph with other inputs and constants, whose elements are those of the case. Decimal fractions and other zero
/// points could make results depend on how they are computed; then there is none.
std::optional<Made> made_graph(const Case& graph, ExperimentChange change, Picker& picker) {
  if (change != ExperimentChange::values) return std::nullopt;
  Made one{graph, {}, picker.coin()};
  if (one.has_other_parameters || graph.model.graph_inputs.empty())
    one.tested.model = with_other_constants(graph.model, graph.id, one.has_other_parameters, picker);
  for (DataSet& data : one.tested.data_sets) {
    data.expected.clear();
    data.repeats.reset();
    for (NamedTensor& input : data.inputs)
      if (input.value.size() > 0) input.value = shuffled(input.value, picker);
  }
  one.interpreted = interpret(one.tested);
  for (const ReferenceOutcome& row : one.interpreted)
    if (row.outcome.result() == nullptr) return std::nullopt;
  return one;
}

/// Other values in the same or other circumstances; std::nullopt if the model would be illegal. It has two runs if
/// something differs between them.
std::optional<Made> made(const Base& base, ExperimentChange change, Picker& picker) {
  if (base.graph.model.graph != nullptr) return made_graph(base.graph, change, picker);
  auto other = changed(base, change);
  if (!other) return std::nullopt;
  auto& [node, form] = *other;
  if (change == ExperimentChange::values && base.is_per_axis && picker.below(3) == 0) exchange_axis(node, picker);
  Values values(base, picker);
  values.fill(node, {0, 1, 2});
  Made one{case_of(node, *form)};
  if (one.tested.float6_padding_is_set) return std::nullopt;
  if (const std::set<std::size_t> variable = variable_inputs(node, *form); !variable.empty()) {
    values.fill(node, variable);
    one.tested.data_sets.push_back({graph_inputs(node, *form), {}});
  }
  one.interpreted = interpret(one.tested);
  for (const ReferenceOutcome& row : one.interpreted)
    if (row.outcome.result() == nullptr) return std::nullopt;
  return one;
}

// ---- predictions

using Prediction = std::vector<std::optional<Tensor>>;  ///< the first output of each data set, unless it is rejected

bool shows(const std::string& hypothesis, const Made& made, const JudgeOptions& judge) {
  const HypothesisOptions compared{.sign_of_zero = judge.sign_of_zero};
  return made.tested.model.graph != nullptr ? distinguishes_graph(hypothesis, made.tested, made.interpreted, compared)
                                            : distinguishes(hypothesis, made.interpreted, compared);
}

Prediction prediction(const std::string& hypothesis, const Made& made) {
  const std::vector<const WrongModel*> models = find_hypothesis(hypothesis);
  Prediction outputs;
  for (std::size_t i = 0; i < made.interpreted.size(); ++i) {
    if (made.tested.model.graph != nullptr) {
      std::vector<Tensor> inputs;
      for (const NamedTensor& input : made.tested.data_sets[i].inputs) inputs.push_back(input.value);
      auto all = compute(*made.tested.model.graph, inputs, models, i);
      auto* computed = std::get_if<std::vector<reference::Output>>(&all);
      outputs.push_back(computed != nullptr ? std::optional(std::move(computed->front().value)) : std::nullopt);
      continue;
    }
    auto y = compute(made.interpreted[i].node, models, {i, made.interpreted.front().node.inputs});
    auto* tensor = std::get_if<Tensor>(&y);
    outputs.push_back(tensor != nullptr ? std::optional(std::move(*tensor)) : std::nullopt);
  }
  return outputs;
}

bool differ(const Prediction& one, const Prediction& other, const Made& made) {
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i].has_value() != other[i].has_value()) return true;
    if (!one[i]) continue;
    const reference::Result& result = *made.interpreted[i].outcome.result();
    const bool has_form = one[i]->shape() == result.y.shape();
    if (!compare(*one[i], *other[i], {.sign_of_zero = false, .open = has_form ? &result.unspecified : nullptr}).none())
      return true;
  }
  return false;
}

// ---- the experiments of a cause

class CauseTest {
 public:
  CauseTest(const Cause& cause, std::span<const Cause> causes, std::span<const PlannedCase> plan,
            std::span<const CaseRecord> records, const ExperimentOptions& options)
      : first_id_(records[cause.cases.front()].id),
        plan_(plan),
        options_(options),
        tested_(rivals(cause, causes, records)),
        alive_(tested_) {
    for (const Cause& other : causes)
      if (!other.name.empty() && other.name != cause.name) others_.push_back(other.name);
    choose_bases(cause, records);
  }

  bool is_over() const { return is_over_; }

  /// Makes an experiment, and asks the backend. Throws BackendError.
  void step(Backend& backend, std::vector<Experiment>& experiments) {
    if (bases_.empty() || misses_ == most_misses || alive_.empty()) return finish(experiments);
    const ExperimentChange change = next_change();
    if (is_over_) return finish(experiments);
    const Base& base = bases_[number_ % bases_.size()];
    const std::size_t number = number_++;
    if (options_.on_experiment) options_.on_experiment(plan_[base.place].id);
    const std::optional<Made> chosen = choose(base, change, number, backend);
    if (!chosen) {
      if (change == ExperimentChange::values) ++misses_;
      return;
    }
    ask(*chosen, {.base = plan_[base.place].id, .number = number, .change = change}, backend, experiments);
  }

  /// Records why the experiments end.
  void end(ExperimentOutcome outcome, std::vector<Experiment>& experiments) {
    is_over_ = true;
    experiments.push_back({.base = first_id_, .number = number_, .outcome = outcome});
  }

 private:
  /// Small cases, of different circumstances if possible.
  void choose_bases(const Cause& cause, std::span<const CaseRecord> records) {
    std::set<std::pair<std::string, std::string>> seen;
    std::vector<std::size_t> places = cause.cases;
    std::ranges::stable_sort(places, {}, [&](std::size_t place) { return records[place].elements; });
    for (const bool may_be_alike : {false, true})
      for (const std::size_t place : places) {
        if (bases_.size() == most_bases) break;
        const CaseRecord& record = records[place];
        if (!record.flaky.empty()) is_flaky_ = true;
        const bool is_graph = !record.subject;
        if ((!is_graph && record.cells.empty()) || plan_[place].is_sweep() || !record.flaky.empty()) continue;
        if (std::ranges::find(bases_, place, &Base::place) != bases_.end()) continue;
        std::string types;
        if (!is_graph) {
          const Cell& cell = record.cells->front();
          types = fmt::format("{} {} {}", spec::name(cell.x), spec::name(cell.y), spec::name(cell.granularity));
        }
        if (!seen.emplace(std::move(types), *record.form).second && !may_be_alike) continue;
        add_base(place, record);
      }
  }

  void add_base(std::size_t place, const CaseRecord& record) try {
    Case whole = plan_[place].read();
    if (whole.model.graph != nullptr) {
      bases_.push_back({.place = place, .graph = std::move(whole), .elements = record.elements});
      return;
    }
    const Cell& cell = record.cells->front();
    const std::size_t data_set = std::min<std::size_t>(record.data_set, whole.data_sets.size() - 1);
    Node node = bind_inputs(whole.model, whole.data_sets[data_set].inputs);
    const std::int64_t elements = node.inputs.front()->size();
    if (elements == 0 || elements > most_elements_of_base || node.inputs[1]->size() == 0) return;
    const Form* form = find_form(whole.form);
    bases_.push_back(
        {.place = place,
         .graph = {},
         .node = std::move(node),
         .form = form != nullptr ? form : &plain_form(),
         .kind = value_kind(cell),
         .is_per_axis = cell.granularity == spec::Granularity::per_axis && cell.version->domain == spec::ai_onnx,
         .elements = elements});
  } catch (const std::exception&) {  // a file that is gone
  }

  /// Other values until enough experiments agree, and then other circumstances.
  ExperimentChange next_change() {
    const bool has_enough = agreeing_ >= enough_experiments && (alive_.size() == 1 || agreeing_ >= most_experiments);
    if (!has_enough && values_ < most_experiments) return ExperimentChange::values;
    if (!has_shown_ || ++change_ == experiment_changes.size()) {
      is_over_ = true;
      return ExperimentChange::values;
    }
    return experiment_changes[change_].change;
  }

  /// Ends without more experiments, and says why if there was none that shows anything.
  void finish(std::vector<Experiment>& experiments) {
    is_over_ = true;
    if (has_shown_ || alive_.empty()) return;
    end(bases_.empty() && is_flaky_ ? ExperimentOutcome::unstable : ExperimentOutcome::none, experiments);
  }

  /// The model and inputs that separate the most hypotheses from the first one that is left, and that one from the
  /// specification; std::nullopt if none separates anything.
  std::optional<Made> choose(const Base& base, ExperimentChange change, std::size_t number, Backend& backend) const {
    Picker picker(fmt::format("{}/{}", plan_[base.place].id, number), options_.seed);
    std::optional<Made> best;
    std::size_t best_score = 0;
    const std::size_t tries = base.elements > most_elements_of_many_tries ? most_tries_of_large : most_tries;
    for (std::size_t i = 0; i < tries; ++i) try {
        std::optional<Made> one = made(base, change, picker);
        if (!one || backend.declines(one->tested.model)) continue;
        const std::size_t score = score_of(*one, change);
        if (score <= best_score) continue;
        best_score = score;
        best = std::move(one);
        if (score == (change == ExperimentChange::values ? alive_.size() * 2 + 1 : 1)) break;  // it separates all
      } catch (const BackendError&) {
        throw;
      } catch (const std::exception&) {  // no such model can be written
      }
    return best;
  }

  /// 3 if the first hypothesis that is left differs from the specification, and 2 for each other that differs from it.
  std::size_t score_of(const Made& one, ExperimentChange change) const {
    const std::size_t own = shows(alive_.front(), one, options_.judge) ? 1 : 0;
    if (change != ExperimentChange::values) return own;
    std::size_t separated = 0;
    if (alive_.size() > 1) {
      const Prediction first = prediction(alive_.front(), one);
      for (std::size_t i = 1; i < alive_.size(); ++i)
        if (differ(first, prediction(alive_[i], one), one)) ++separated;
    }
    return separated * 2 + own * 3;
  }

  void ask(const Made& one, Experiment row, Backend& backend, std::vector<Experiment>& experiments) {
    Unit unit{one.tested.id, one.tested.model.bytes, {}};
    for (const DataSet& data : one.tested.data_sets) unit.inputs.emplace_back(data.inputs);
    const UnitAnswer answer = backend.run(unit);
    if (const std::optional<ExperimentOutcome> breakdown = breakdown_of(answer)) return end(*breakdown, experiments);
    row.verdict = judge(one.tested, one.interpreted, answer, options_.judge).verdict;
    if (row.verdict != Verdict::fail && (row.verdict != Verdict::pass || one.has_other_parameters)) {
      ++misses_;
      return;
    }
    const std::vector<std::string> others = others_in(one);
    // Without this hypothesis, other causes explain the answer as well.
    if (row.verdict == Verdict::fail && is_explained_with({}, others, one, answer)) {
      ++misses_;
      return;
    }
    row.tested = tested_;
    std::ranges::copy_if(tested_, std::back_inserter(row.consistent),
                         [&](const std::string& name) { return predicts(name, others, one, answer, row.verdict); });
    const bool agrees = std::ranges::find(row.consistent, alive_.front()) != row.consistent.end();
    if (!agrees || experiments_ == 0) {
      const UnitAnswer again = backend.run(unit);
      if (const std::optional<ExperimentOutcome> breakdown = breakdown_of(again)) return end(*breakdown, experiments);
      const auto digest = [&](const UnitAnswer& of) {
        return answer_digest(of, one.interpreted, options_.judge.sign_of_zero);
      };
      if (digest(again) != digest(answer)) return end(ExperimentOutcome::unstable, experiments);
    }
    misses_ = 0;
    ++experiments_;
    if (row.change == ExperimentChange::values) {
      ++values_;
      std::erase_if(alive_, [&](const std::string& name) {
        return std::ranges::find(row.consistent, name) == row.consistent.end();
      });
      agreeing_ = agrees ? agreeing_ + 1 : 0;
      has_shown_ = agrees ? has_shown_ || row.verdict == Verdict::fail : false;
    }
    experiments.push_back(std::move(row));
  }

  /// Whether the hypothesis predicts the answer, alone or together with one or two other causes of the run.
  bool predicts(const std::string& name, const std::vector<std::string>& others, const Made& one,
                const UnitAnswer& answer, Verdict verdict) const {
    if (verdict == Verdict::pass) return !shows(name, one, options_.judge);
    return is_explained_by({name}, one, answer) || is_explained_with({name}, others, one, answer);
  }

  bool is_explained_by(const std::vector<std::string>& parts, const Made& one, const UnitAnswer& answer) const {
    return explains(fmt::format("{}", fmt::join(parts, "+")), one.tested, one.interpreted, answer,
                    {.sign_of_zero = options_.judge.sign_of_zero});
  }

  /// The hypotheses of other causes. Of a graph those that it shows: some permit many outputs, and so explain any by
  /// chance.
  std::vector<std::string> others_in(const Made& one) const {
    std::vector<std::string> others;
    std::ranges::copy_if(others_, std::back_inserter(others), [&](const std::string& other) {
      return one.tested.model.graph == nullptr || shows(other, one, options_.judge);
    });
    return others;
  }

  /// Whether these hypotheses explain the answer together with one or two others.
  bool is_explained_with(std::vector<std::string> parts, const std::vector<std::string>& others, const Made& one,
                         const UnitAnswer& answer) const {
    for (std::size_t i = 0; i < others.size(); ++i) {
      parts.push_back(others[i]);
      if (is_explained_by(parts, one, answer)) return true;
      for (std::size_t k = 0; k < std::min(i, most_others_in_pairs) && i < most_others_in_pairs; ++k) {
        parts.push_back(others[k]);
        if (is_explained_by(parts, one, answer)) return true;
        parts.pop_back();
      }
      parts.pop_back();
    }
    return false;
  }

  static std::optional<ExperimentOutcome> breakdown_of(const UnitAnswer& answer) {
    const auto of = [](const auto& one) -> std::optional<ExperimentOutcome> {
      const auto* breakdown = std::get_if<Breakdown>(&one);
      if (breakdown == nullptr) return std::nullopt;
      return breakdown->kind == Breakdown::Kind::timeout ? ExperimentOutcome::timeout : ExperimentOutcome::broken;
    };
    if (const auto* answers = std::get_if<std::vector<Answer>>(&answer)) {
      for (const Answer& one : *answers)
        if (const auto breakdown = of(one)) return breakdown;
      return std::nullopt;
    }
    return of(answer);
  }

  const std::string first_id_;
  const std::span<const PlannedCase> plan_;
  const ExperimentOptions& options_;
  const std::vector<std::string> tested_;
  std::vector<std::string> alive_;   ///< those of them that no experiment refutes
  std::vector<std::string> others_;  ///< the hypotheses of other causes
  std::vector<Base> bases_;
  bool is_flaky_ = false;
  bool is_over_ = false;
  bool has_shown_ = false;       ///< whether the backend was wrong as the first one that is left predicts
  std::size_t number_ = 0;       ///< of the next experiment
  std::size_t experiments_ = 0;  ///< with an answer
  std::size_t values_ = 0;       ///< of them with other values in the same circumstances
  std::size_t agreeing_ = 0;     ///< of them those since the first one that is left is the first
  std::size_t misses_ = 0;
  std::size_t change_ = 0;  ///< the circumstances that were tried last
};

}  // namespace

std::vector<Experiment> make_experiments(std::span<const PlannedCase> plan, std::span<const CaseRecord> records,
                                         std::span<const Contradictions> contradictions,
                                         const std::function<std::unique_ptr<Backend>()>& make_backend,
                                         const ExperimentOptions& options) {
  std::vector<Experiment> made;
  std::unique_ptr<Backend> backend;
  std::set<std::pair<std::string, std::string>> seen;  // causes, by their names and first cases
  std::size_t breakdowns = 0;
  std::optional<ExperimentOutcome> ended;
  for (std::size_t round = 0; round < most_rounds; ++round) {
    const std::vector<Cause> causes = find_causes(records, contradictions, made);
    std::vector<CauseTest> tests;
    for (const Cause& cause : causes)
      if (!cause.name.empty() && cause.experiments == 0 && tests.size() < most_causes &&
          seen.emplace(cause.name, cause.example).second)
        tests.emplace_back(cause, causes, plan, records, options);
    if (tests.empty()) break;
    while (std::ranges::any_of(tests, [](const CauseTest& test) { return !test.is_over(); }))
      for (CauseTest& test : tests) {
        if (test.is_over()) continue;
        if (!ended && options.stop && options.stop()) ended = ExperimentOutcome::no_time;
        if (ended) {
          test.end(*ended, made);
          continue;
        }
        const std::size_t before = made.size();
        try {
          if (backend == nullptr) backend = make_backend();
          test.step(*backend, made);
        } catch (const BackendError&) {
          ended = ExperimentOutcome::broken;
          test.end(*ended, made);
          continue;
        }
        if (made.size() == before) continue;
        if (made.back().outcome == ExperimentOutcome::timeout) ended = ExperimentOutcome::timeout;
        if (made.back().outcome == ExperimentOutcome::broken && ++breakdowns == most_breakdowns)
          ended = ExperimentOutcome::broken;
      }
    if (ended) break;
  }
  return made;
}

}  // namespace touchstone::conformance
