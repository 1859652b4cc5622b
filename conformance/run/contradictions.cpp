#include "conformance/run/contradictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "conformance/diagnose/hypotheses.h"
#include "conformance/files/threads.h"

namespace touchstone::conformance {

namespace {

/// An operator of a domain.
using Op = std::pair<std::string_view, Operator>;

/// Of a graph, which has no operator of its own, the empty domain.
Op op_of(const CaseRecord& record) {
  return record.subject ? Op{record.subject.version->domain, record.subject.version->op} : Op{};
}

struct Candidate {
  std::size_t failures = 0;  ///< that it explains
  std::set<Op> ops;          ///< of the cases that it explains
};

/// The hypotheses that explain the most failures, by name; then those that explain what another precision of products
/// does, too, and these precisions.
std::map<std::string, Candidate> candidates(std::span<const CaseRecord> records) {
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
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const auto& [name, candidate] : all) order.emplace_back(candidate.failures, name);
  std::ranges::stable_sort(order, std::greater(), &std::pair<std::size_t, std::string>::first);
  for (std::size_t i = most_hypotheses; i < order.size(); ++i) all.erase(order[i].second);
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

/// Places in the plan of right cases of these operators, spread evenly.
std::vector<std::size_t> right_cases(std::span<const PlannedCase> plan, std::span<const CaseRecord> records,
                                     const std::map<std::string, Candidate>& candidates) {
  std::map<Op, std::vector<std::size_t>> by_op;
  for (const auto& [name, candidate] : candidates)
    for (const Op& op : candidate.ops) by_op.try_emplace(op);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const CaseRecord& record = records[i];
    if (record.verdict != Verdict::pass || record.must_reject() || plan[i].is_sweep()) continue;
    if (const auto found = by_op.find(op_of(record)); found != by_op.end()) found->second.push_back(i);
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
  const std::map<std::string, Candidate> hypotheses = candidates(records);
  if (hypotheses.empty()) return {};
  const std::vector<std::size_t> places = right_cases(plan, records, hypotheses);
  std::vector<std::vector<bool>> shows(places.size());  // for each case and each hypothesis
  for_each_in_threads(options.jobs, places.size(), [&](std::size_t i) {
    std::shared_ptr<const ReadCase> right = options.read != nullptr ? options.read->at(places[i]) : nullptr;
    if (right == nullptr) right = std::make_shared<const ReadCase>(plan[places[i]]);
    const auto& [tested, interpreted, description] = *right;
    const HypothesisOptions compared{.sign_of_zero = options.sign_of_zero};
    for (const auto& [name, candidate] : hypotheses)
      shows[i].push_back(candidate.ops.contains(op_of(records[places[i]])) &&
                         (tested.model.graph != nullptr ? distinguishes_graph(name, tested, interpreted, compared)
                                                        : distinguishes(name, interpreted, compared)));
  });
  std::vector<Contradictions> found;
  for (const auto& [name, candidate] : hypotheses) {
    Contradictions row{.hypothesis = name, .cases = {}};
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!candidate.ops.contains(op_of(records[places[i]]))) continue;
      ++row.checked;
      if (shows[i][found.size()]) row.cases.push_back(records[places[i]].id);
    }
    found.push_back(std::move(row));
  }
  return found;
}

}  // namespace touchstone::conformance
