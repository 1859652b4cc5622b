#include "conformance/diagnose/graph_hypotheses.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include "conformance/diagnose/computation.h"
#include "conformance/judge/compare.h"
#include "conformance/judge/few_columns.h"

namespace touchstone::conformance {

using reference::Tensor;

namespace {

using Models = std::span<const WrongModel* const>;

/// Whether the model can have an effect on a graph.
bool concerns(const WrongModel& model, const reference::GraphModel& graph) {
  if (model.graph == nullptr) return true;
  reference::GraphModel changed = graph;
  return model.graph(changed);
}

/// The outputs of a graph, to be explained.
class GraphSearch {
 public:
  GraphSearch(const Case& tested, const std::vector<ReferenceOutcome>& interpreted, const std::vector<Answer>& answers,
              bool sign_of_zero)
      : tested_(tested), interpreted_(interpreted), answers_(answers), sign_of_zero_(sign_of_zero) {
    const std::shared_ptr<reference::KnownOutcomes> constants = reference::outcomes_of_constants();
    for (std::size_t i = 0; i < answers.size(); ++i) known_.emplace_back(constants);
    for (std::size_t i = 0; i < answers.size() && i < interpreted.size(); ++i)
      if (std::holds_alternative<Outputs>(answers[i])) data_sets_.push_back(i);
  }

  /// Wrong outputs refute most of the models.
  void put_wrong_outputs_first() {
    std::ranges::stable_partition(data_sets_, [&](std::size_t i) { return !is_explained({}, i); });
  }

  /// Whether the models explain the outputs of all data sets that have some. Without any, there is nothing to explain.
  bool is_explained_by(Models models) {
    return !data_sets_.empty() &&
           std::ranges::all_of(data_sets_, [&](std::size_t i) { return is_explained(models, i); });
  }

  /// Whether every output that the models permit for a data set is wrong. If several outputs are right, the models may
  /// give one of these.
  bool is_wrong_by(Models models) {
    return std::ranges::any_of(data_sets_, [&](std::size_t i) { return !permit_right_output(models, i); });
  }

  /// Whether they also exclude a right output. Models that permit many outputs permit wrong ones by chance.
  bool is_caused_by(Models models) {
    excludes_right_output_ = false;
    return is_explained_by(models) && excludes_right_output_;
  }

 private:
  /// Whether no code that the models permit for an element is right.
  static bool exclude_right_element(const reference::Output& given, const reference::Result& right,
                                    std::size_t output) {
    if (!given.range) return true;  // an output that is not right is given exactly
    const reference::CodeRange* wanted = range_of(right, output);
    const std::vector<bool>* open = unspecified_of(right, output);
    const Tensor& value = output == 0 ? right.y : right.further.at(output - 1).value;
    const auto is_excluded = [&](std::int64_t i) {
      const auto element = static_cast<std::size_t>(i);
      if (given.unspecified[element] || (open != nullptr && (*open)[element])) return false;
      if (wanted == nullptr) return !is_in_range(*given.range, i, value.code(i));
      return !is_in_range(*given.range, i, wanted->lowest.code(i)) &&
             !is_in_range(*given.range, i, wanted->highest.code(i)) &&
             !is_in_range(*wanted, i, given.range->lowest.code(i));
    };
    for (std::int64_t i = 0; i < value.size(); ++i)
      if (is_excluded(i)) return true;
    return false;
  }

  /// std::nullopt if the models give no outputs.
  std::optional<std::vector<reference::Output>> compute_data_set(Models models, std::size_t data_set) try {
    std::vector<Tensor> inputs;
    for (const NamedTensor& input : tested_.data_sets[data_set].inputs) inputs.push_back(input.value);
    auto computed = compute(*tested_.model.graph, inputs, models, data_set, &known_[data_set]);
    auto* outputs = std::get_if<std::vector<reference::Output>>(&computed);
    return outputs != nullptr ? std::optional(std::move(*outputs)) : std::nullopt;
  } catch (const reference::GraphError&) {  // the defect makes this graph invalid
    return std::nullopt;
  } catch (const std::domain_error&) {  // a type does not have what the defect computes
    return std::nullopt;
  }

  bool permit_right_output(Models models, std::size_t data_set) {
    const auto given = compute_data_set(models, data_set);
    const reference::Result& right = *interpreted_[data_set].outcome.result();
    if (!given || given->size() != right.further.size() + 1) return false;
    for (std::size_t o = 0; o < given->size(); ++o) {
      const reference::Output& output = (*given)[o];
      const Tensor& value = o == 0 ? right.y : right.further[o - 1].value;
      const Comparison comparison{
          .sign_of_zero = sign_of_zero_, .open = unspecified_of(right, o), .range = range_of(right, o)};
      if (output.value.type() != value.type() || output.value.shape() != value.shape()) return false;
      if (output.range ? exclude_right_element(output, right, o) : !compare(value, output.value, comparison).none())
        return false;
    }
    return true;
  }

  bool is_explained(Models models, std::size_t data_set) {
    const auto given = compute_data_set(models, data_set);
    const auto& outputs = std::get<Outputs>(answers_[data_set]);
    if (!given || given->size() != outputs.size()) return false;
    for (std::size_t o = 0; o < given->size(); ++o) {
      const auto& [value, unspecified, range] = (*given)[o];
      const Comparison comparison{.sign_of_zero = sign_of_zero_, .range = range ? &*range : nullptr};
      if (!compare(value, outputs[o].value, comparison).none()) return false;
    }
    const reference::Result* right = interpreted_[data_set].outcome.result();
    for (std::size_t o = 0; right != nullptr && !excludes_right_output_ && o < given->size(); ++o)
      excludes_right_output_ = exclude_right_element((*given)[o], *right, o);
    return true;
  }

  const Case& tested_;
  const std::vector<ReferenceOutcome>& interpreted_;
  const std::vector<Answer>& answers_;
  const bool sign_of_zero_;
  bool excludes_right_output_ = false;
  std::vector<std::size_t> data_sets_;    ///< those with outputs
  std::vector<SharedComputation> known_;  ///< of each data set
};

}  // namespace

bool is_too_large_for_all_hypotheses(const Case& tested) {
  if (tested.model.graph == nullptr) return false;
  std::int64_t constants = 0;
  const reference::Graph& graph = tested.model.graph->graph;
  for (const auto& [name, tensor] : graph.initializers) constants += tensor.size();
  for (const reference::GraphNode& node : graph.nodes)
    if (reference::is_constant(node)) constants += reference::constant_value(node).size();
  return std::ranges::any_of(tested.data_sets, [&](const DataSet& data) {
    std::int64_t elements = constants;
    for (const NamedTensor& input : data.inputs) elements += input.value.size();
    return elements > most_elements_for_all_hypotheses;
  });
}

std::vector<std::string> explaining_graph_hypotheses(const Case& tested,
                                                     const std::vector<ReferenceOutcome>& interpreted,
                                                     const std::vector<Answer>& answers,
                                                     const HypothesisOptions& options) {
  std::vector<std::string> names;
  const bool is_large = is_too_large_for_all_hypotheses(tested);
  GraphSearch search(tested, interpreted, answers, options.sign_of_zero);
  // Few columns of a large product refute most models.
  std::vector<const Answer*> given;
  for (const Answer& answer : answers) given.push_back(&answer);
  const std::optional<FewColumns> few = few_columns(tested, interpreted, given);
  std::optional<GraphSearch> of_few;
  if (few) of_few.emplace(few->tested, few->interpreted, few->answers, options.sign_of_zero);
  GraphSearch& first = of_few ? *of_few : search;
  first.put_wrong_outputs_first();
  if (first.is_explained_by({})) return names;  // only names or shapes of the outputs are wrong
  for (const std::span<const WrongModel> part :
       {wrong_graphs(), options.tries_nodes ? hypotheses() : std::span<const WrongModel>()})
    for (const WrongModel& model : part) {
      const WrongModel* const one = &model;
      const bool concerns_factors =
          model.reading && model.reading->ambiguity == spec::ambiguity_index<spec::FactorPrecision>;
      if (is_large && !concerns_factors) continue;
      if (names.size() == options.most_named || !concerns(model, *tested.model.graph)) continue;
      if (of_few && !of_few->is_explained_by({&one, 1})) continue;
      if (search.is_caused_by({&one, 1})) names.emplace_back(model.name);
    }
  return names;
}

bool explains_graph(Models models, const Case& tested, const std::vector<ReferenceOutcome>& interpreted,
                    const std::vector<Answer>& answers, const HypothesisOptions& options) {
  return GraphSearch(tested, interpreted, answers, options.sign_of_zero).is_explained_by(models);
}

bool distinguishes_graph(std::string_view hypothesis, const Case& tested,
                         const std::vector<ReferenceOutcome>& interpreted, const HypothesisOptions& options) {
  std::vector<Answer> right;
  for (const ReferenceOutcome& row : interpreted) {
    const reference::Result* result = row.outcome.result();
    if (result == nullptr) return false;
    Outputs outputs{{"", result->y}};
    for (const reference::Output& output : result->further) outputs.push_back({"", output.value});
    right.emplace_back(std::move(outputs));
  }
  GraphSearch search(tested, interpreted, right, options.sign_of_zero);
  return std::ranges::any_of(find_hypothesis(hypothesis), [&](const WrongModel* model) {
    return concerns(*model, *tested.model.graph) && search.is_wrong_by({&model, 1});
  });
}

}  // namespace touchstone::conformance
