#include "conformance/run/contradictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "conformance/diagnose/hypotheses.h"

namespace touchstone::conformance {

namespace {

/// An operator of a domain.
using Op = std::pair<std::string_view, Operator>;

/// Of a graph, which has no operator of its own, the empty domain.
Op op_of(const CaseRecord& record) {
  return record.subject ? Op{record.subject.version->domain, record.subject.version->op} : Op{};
}

/// A quantization operator with the type to which or from which it converts.
using QuantizedType = std::pair<Operator, ElementType>;

/// Those of a graph, as far as its constants and inputs show them.
std::set<QuantizedType> quantized_types(const Case& tested) {
  const reference::Graph& graph = tested.model.graph->graph;
  const auto type_of = [&](const reference::GraphNode& node, std::size_t input) -> std::optional<ElementType> {
    if (input >= node.inputs.size()) return std::nullopt;
    const std::string& value = node.inputs[input];
    if (const auto found = graph.initializers.find(value); found != graph.initializers.end())
      return found->second.type();
    const auto& given = tested.data_sets.front().inputs;
    const auto found = std::ranges::find(given, value, &NamedTensor::name);
    return found != given.end() ? std::optional(found->value.type()) : std::nullopt;
  };
  std::set<QuantizedType> types;
  for (const reference::GraphNode& node : graph.nodes) {
    const auto op = reference::quantization_operator(node);
    if (!op) continue;
    std::optional<ElementType> type = type_of(node, 2);  // the zero point
    if (!type && *op == Operator::dequantize_linear) type = type_of(node, 0);
    if (!type && *op == Operator::quantize_linear && !node.attributes.contains("output_dtype"))
      type = ElementType::uint8;
    if (type) types.emplace(*op, *type);
  }
  return types;
}

struct Candidate {
  std::size_t failures = 0;       ///< that it explains
  std::set<Op> ops;               ///< of the cases that it explains
  std::set<QuantizedType> nodes;  ///< that it changes in graphs from files

  /// Whether a right case may contradict it. A user's model has the nodes of its graphs as cases, too.
  bool is_about(const PlannedCase& planned, const CaseRecord& record) const {
    const auto& [version, opset, type] = record.subject;
    return ops.contains(op_of(record)) ||
           (planned.is_from_files && version != nullptr && nodes.contains({version->op, type}));
  }
};

/// Removes the hypotheses that need no examination.
void keep_needed(std::map<std::string, Candidate>& all, std::span<const CaseRecord> records) {
  std::map<std::string_view, std::vector<std::size_t>> explained;
  for (std::size_t place = 0; place < records.size(); ++place)
    if (records[place].verdict == Verdict::fail)
      for (const std::string& name : records[place].hypotheses) explained[name].push_back(place);
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const auto& [name, candidate] : all) order.emplace_back(candidate.failures, name);
  std::ranges::stable_sort(order, std::greater(), &std::pair<std::size_t, std::string>::first);
  std::vector<std::size_t> examined(records.size());  // for each failure
  std::size_t kept = 0, rare = 0, last = 0;
  for (const auto& [failures, name] : order) {
    const std::vector<std::size_t>& places = explained[name];
    const bool is_frequent = kept < most_hypotheses || failures == last;
    const bool is_needed = is_frequent || (rare < most_rare_hypotheses && std::ranges::any_of(places, [&](auto place) {
                                             return examined[place] < hypotheses_of_failure;
                                           }));
    if (!is_needed) {
      all.erase(name);
      continue;
    }
    ++kept;
    is_frequent ? last = failures : ++rare;
    for (const std::size_t place : places) ++examined[place];
  }
}

/// The hypotheses that explain failures and are to be examined, by name; then those that explain what another precision
/// of products does, too, and these precisions.
std::map<std::string, Candidate> candidates(std::span<const PlannedCase> plan, std::span<const CaseRecord> records) {
  std::map<std::string, Candidate> all;
  for (const CaseRecord& record : records) {
    const auto add = [&](const std::string& name) {
      Candidate& candidate = all[name];
      candidate.failures += record.verdict == Verdict::fail ? 1 : 0;
      candidate.ops.insert(op_of(record));
    };
    std::ranges::for_each(record.hypotheses, add);
    if (record.hypotheses->empty()) continue;
    for (const ReadingId& id : record.readings)
      if (id.ambiguity == spec::FactorPrecision::row.id) add(hypothesis_of(id));
  }
  keep_needed(all, records);
  for (std::size_t place = 0; place < records.size(); ++place) {
    if (!plan[place].is_from_files || records[place].subject) continue;
    std::optional<std::set<QuantizedType>> types;
    for (const std::string& name : records[place].hypotheses)
      if (const auto found = all.find(name); found != all.end() && find_hypothesis(name).front()->graph == nullptr) {
        if (!types) types = quantized_types(plan[place].read());
        found->second.nodes.insert(types->begin(), types->end());
      }
  }
  return all;
}

/// Removes the largest of these graphs if all together have too many elements.
void keep_small(std::vector<std::size_t>& places, std::span<const CaseRecord> records) {
  std::vector<std::size_t> by_size = places;
  std::ranges::stable_sort(by_size, {}, [&](std::size_t place) { return records[place].elements; });
  std::set<std::size_t> kept;
  std::int64_t elements = 0;
  for (const std::size_t place : by_size) {
    elements += records[place].elements;
    if (elements > most_elements_of_right_graphs) break;
    kept.insert(place);
  }
  std::erase_if(places, [&](std::size_t place) { return !kept.contains(place); });
}

/// Places in the plan of right cases that may contradict these, spread evenly over those of each operator.
std::vector<std::size_t> right_cases(std::span<const PlannedCase> plan, std::span<const CaseRecord> records,
                                     const std::map<std::string, Candidate>& candidates) {
  std::map<Op, std::vector<std::size_t>> by_op;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const CaseRecord& record = records[i];
    if (record.verdict != Verdict::pass || record.must_reject() || plan[i].is_sweep()) continue;
    const auto is_about = [&](const auto& row) { return row.second.is_about(plan[i], record); };
    if (std::ranges::any_of(candidates, is_about)) by_op[op_of(record)].push_back(i);
  }
  if (const auto graphs = by_op.find(Op{}); graphs != by_op.end()) keep_small(graphs->second, records);
  std::vector<std::size_t> chosen;
  for (const auto& [op, places] : by_op) {
    const std::size_t count = std::min(places.size(), most_right_cases);
    for (std::size_t i = 0; i < count; ++i) chosen.push_back(places[i * places.size() / count]);
  }
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace

std::string hypothesis_of(const ReadingId& reading) { return fmt::format("{}:{}", reading.ambiguity, reading.reading); }

std::vector<Contradictions> find_contradictions(std::span<const PlannedCase> plan, std::span<const CaseRecord> records,
                                                const ExaminationOptions& options) {
  const std::map<std::string, Candidate> hypotheses = candidates(plan, records);
  if (hypotheses.empty()) return {};
  const std::vector<std::size_t> places = right_cases(plan, records, hypotheses);
  std::vector<std::vector<bool>> shows(places.size());  // for each case and each hypothesis
  options.for_each(places.size(), [&](std::size_t i) {
    std::shared_ptr<const ReadCase> right = options.read != nullptr ? options.read->at(places[i]) : nullptr;
    if (right == nullptr) right = std::make_shared<const ReadCase>(plan[places[i]]);
    const auto& [tested, interpreted, description] = *right;
    const HypothesisOptions compared{.sign_of_zero = options.sign_of_zero};
    for (const auto& [name, candidate] : hypotheses)
      shows[i].push_back(candidate.is_about(plan[places[i]], records[places[i]]) &&
                         (tested.model.graph != nullptr ? distinguishes_graph(name, tested, interpreted, compared)
                                                        : distinguishes(name, interpreted, compared)));
  });
  std::vector<Contradictions> found;
  for (const auto& [name, candidate] : hypotheses) {
    Contradictions row{.hypothesis = name, .cases = {}};
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!candidate.is_about(plan[places[i]], records[places[i]])) continue;
      ++row.checked;
      if (shows[i][found.size()]) row.cases.push_back(records[places[i]].id);
    }
    found.push_back(std::move(row));
  }
  return found;
}

}  // namespace touchstone::conformance
