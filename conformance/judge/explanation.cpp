#include "conformance/judge/explanation.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "conformance/judge/few_columns.h"
#include "conformance/judge/mismatch.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

namespace {

/// The maximum number of wrong elements to examine when searching for those that no permitted reading explains.
constexpr std::size_t most_looked_at = 32;

/// The decided reading of each ambiguity, including primary readings.
class Decisions {
 public:
  Decisions() { readings_.fill(undecided); }

  bool contains(std::size_t ambiguity) const { return readings_[ambiguity] != undecided; }
  std::size_t reading(std::size_t ambiguity) const { return static_cast<std::size_t>(readings_[ambiguity]); }

  Decisions with(const Choice& choice) const {
    Decisions changed = *this;
    changed.readings_[choice.ambiguity] = static_cast<std::int8_t>(choice.reading);
    return changed;
  }

  /// All decisions of both; std::nullopt if they contradict each other.
  std::optional<Decisions> with(const Decisions& others) const {
    Decisions all = *this;
    for (std::size_t a = 0; a < readings_.size(); ++a) {
      if (!others.contains(a)) continue;
      if (contains(a) && reading(a) != others.reading(a)) return std::nullopt;
      all.readings_[a] = others.readings_[a];
    }
    return all;
  }

  /// Orders by the number of readings that are not primary, and then by their places in the register.
  bool operator<(const Decisions& other) const {
    const std::vector<Choice> mine = choices();
    const std::vector<Choice> others = other.choices();
    if (mine.size() != others.size()) return mine.size() < others.size();
    return std::tie(mine, readings_) < std::tie(others, other.readings_);
  }

  /// The decided readings that are not primary.
  std::vector<Choice> choices() const {
    std::vector<Choice> found;
    for (std::size_t a = 0; a < readings_.size(); ++a)
      if (readings_[a] > 0) found.push_back({a, reading(a)});
    return found;
  }

 private:
  static constexpr std::int8_t undecided = -1;
  std::array<std::int8_t, spec::ambiguities.size()> readings_{};
};

class Search {
 public:
  Search(const Case& tested, const std::vector<ReferenceOutcome>& interpreted, std::span<const Answer* const> answers,
         const ExplanationOptions& options)
      : tested_(tested),
        interpreted_(interpreted),
        answers_(answers),
        options_(options),
        output_names_(tested.model.graph_outputs),
        compared_(interpreted.size()) {
    Consulted searched;
    searched.set();
    // A graph is computed again for each combination of readings.
    const auto is_output = [](const Answer* answer) {
      return answer != nullptr && std::holds_alternative<Outputs>(*answer);
    };
    if (tested.model.graph != nullptr && std::ranges::none_of(answers, is_output))
      searched &= ~ambiguities_that_reject_nothing();
    for (const Choice& choice : alternatives(operator_versions(tested), searched, {}))
      permitted_[choice.ambiguity].push_back(choice.reading);
  }

  /// From now on, searches only for readings that these decisions allow, and ignores unknown elements.
  void restrict(const Decisions& decided, const UnknownElements& unknown) {
    start_ = decided;
    unknown_ = unknown;
  }

  bool may_find() {
    if (!first_failure(start_)) return true;
    const Explanation found = find_readings();
    return !found.choices.empty() || found.cut_short;
  }

  Explanation find() {
    Explanation explanation = find_readings();
    if (!explanation.choices.empty()) return explanation;
    // Restarts the count: an element that nothing explains decides, even if the first search was cut short.
    interpretations_ = 0;
    cut_short_ = false;
    find_unexplained_elements(explanation);
    if (explanation.cut_short) explanation.cut_short = explanation.unexplained.empty() && forms_may_be_explained();
    return explanation;
  }

 private:
  /// Tries decisions with few readings first, so that the first explanation is one of the smallest.
  Explanation find_readings() {
    if (tested_.model.graph != nullptr)
      if (const std::optional<Decisions> one = one_reading()) return {.choices = one->choices()};
    std::set<Decisions> waiting{start_};
    Explanation excuse;
    while (!waiting.empty()) {
      const Decisions decided = waiting.extract(waiting.begin()).value();
      const std::optional<Failure> failure = first_failure(decided);
      if (cut_short_) return cut_short(std::move(excuse));
      if (!failure) {
        Explanation found{.choices = decided.choices()};
        found.rejected = better_rejected_reading(found.choices);
        if (!found.rejected) return found;
        if (!excuse.rejected) excuse = std::move(found);
        continue;
      }
      for (const Decisions& extended : ways_to_explain(*failure, decided)) waiting.insert(extended);
      if (cut_short_) return cut_short(std::move(excuse));
    }
    return excuse;
  }

  /// A single reading that explains all failures, if one does. Without this, each failure of a graph would be explored
  /// under all combinations of readings, each of which takes as long as the graph.
  std::optional<Decisions> one_reading() {
    if (!first_failure(start_)) return std::nullopt;
    Consulted consulted;
    for (const ReferenceOutcome& row : interpreted_) consulted |= row.outcome.consulted;
    for (std::size_t a = 0; a < permitted_.size(); ++a)
      for (const std::size_t reading : permitted_[a]) {
        if (!consulted.test(a) || start_.contains(a)) continue;
        const Decisions one = start_.with({a, reading});
        if (!first_failure(one) && !cut_short_) return one;
      }
    return std::nullopt;
  }

  /// The result if the search ends early.
  static Explanation cut_short(Explanation excuse) {
    excuse.cut_short = excuse.choices.empty();
    return excuse;
  }

  /// The first element in which an answer differs. None if the answer is a refusal or an output of another form.
  using Failing = std::optional<std::int64_t>;

  struct Failure {
    std::size_t data_set;
    Failing element;
  };

  /// The comparison of an answer with an outcome. It is the same wherever the consulted ambiguities have the same
  /// readings.
  struct Compared {
    std::vector<Choice> asked;
    std::optional<Failing> failing;

    bool holds_for(const Policy& policy) const {
      return std::ranges::all_of(
          asked, [&](const Choice& choice) { return policy.reading_index(choice.ambiguity) == choice.reading; });
    }
  };

  std::optional<Mismatch> compare_with(std::size_t data_set, const Outcome& outcome) const {
    Demand demand = demand_of(outcome, options_.sign_of_zero);
    std::vector<bool> open;
    if (demand.y != nullptr && data_set < unknown_.size() && unknown_[data_set].size() == demand.open->size()) {
      std::ranges::transform(*demand.open, unknown_[data_set], std::back_inserter(open), std::logical_or());
      demand.open = &open;
    }
    return mismatch(demand, *answers_[data_set], output_names_);
  }

  void count_interpretation() {
    if (++interpretations_ > options_.most_interpretations) cut_short_ = true;
  }

  reference::Known known() const { return {.values = &known_}; }

  const Compared& note(std::size_t data_set, const Policy& policy, const Outcome& outcome) {
    Compared compared;
    for (const std::size_t a : outcome.order) compared.asked.push_back({a, policy.reading_index(a)});
    if (const auto found = compare_with(data_set, outcome)) {
      // An element of a graph's output depends on all ambiguities that any node of the graph consults.
      const bool has_element = found->tensor && !found->tensor->first.empty() && tested_.model.graph == nullptr;
      compared.failing.emplace(has_element ? Failing(found->tensor->first.front().index) : std::nullopt);
    }
    return compared_[data_set].emplace_back(std::move(compared));
  }

  const Compared& compare_under(std::size_t data_set, const Policy& policy) {
    if (compared_[data_set].empty()) note(data_set, {}, interpreted_[data_set].outcome);
    for (const Compared& compared : compared_[data_set])
      if (compared.holds_for(policy)) return compared;
    count_interpretation();
    return note(data_set, policy, interpret(tested_, interpreted_[data_set].node, policy, known()));
  }

  std::optional<Failure> first_failure(const Decisions& decided) {
    const Policy policy = policy_of(decided.choices());
    for (std::size_t i = 0; i < answers_.size(); ++i) {
      if (answers_[i] == nullptr) continue;
      const Compared& compared = compare_under(i, policy);
      if (cut_short_) return std::nullopt;
      if (compared.failing) return Failure{i, *compared.failing};
    }
    return std::nullopt;
  }

  /// The decisions, each extended by a way to explain the failure.
  std::vector<Decisions> ways_to_explain(const Failure& failure, const Decisions& decided) {
    const auto [known, is_new] = ways_.try_emplace({failure.data_set, failure.element});
    if (is_new) explore({failure, known->second}, start_);
    std::vector<Decisions> extended;
    for (const Decisions& way : known->second)
      if (const auto both = decided.with(way)) extended.push_back(*both);
    if (is_new && cut_short_) ways_.erase(known);  // it may be incomplete
    return extended;
  }

  /// Whether no permitted readings explain the failure by itself. False if the search is cut short before this is
  /// known.
  bool is_unexplained(const Failure& failure) {
    return ways_to_explain(failure, {}).empty() && ways_.contains({failure.data_set, failure.element});
  }

  /// The failure to explain, and the decisions that explain it.
  struct Exploration {
    Failure failure;
    std::vector<Decisions>& found;
  };

  void explore(const Exploration& of, const Decisions& decided) {
    count_interpretation();
    if (cut_short_) return;
    const Policy policy = policy_of(decided.choices());
    const auto& [data_set, element] = of.failure;
    const auto elements = element ? std::span<const std::int64_t>(&*element, 1) : std::span<const std::int64_t>();
    explore(of, decided, interpret(tested_, interpreted_[data_set].node, policy, elements, known()));
  }

  /// Follows all readings of the first undecided ambiguity on which the outcome depends. In the order of their use, no
  /// two decisions lead to the same steps of the interpreter.
  void explore(const Exploration& of, const Decisions& decided, const Outcome& outcome) {
    const auto undecided = std::ranges::find_if(
        outcome.order, [&](std::size_t a) { return !permitted_[a].empty() && !decided.contains(a); });
    if (undecided == outcome.order.end()) {
      if (!compare_with(of.failure.data_set, outcome)) of.found.push_back(decided);
      return;
    }
    explore(of, decided.with({*undecided, 0}), outcome);
    for (const std::size_t reading : permitted_[*undecided]) explore(of, decided.with({*undecided, reading}));
  }

  /// Whether permitted readings may explain each failing answer that is a refusal or an output of another form, by
  /// itself. Does not examine the elements of outputs.
  bool forms_may_be_explained() {
    for (std::size_t i = 0; i < answers_.size(); ++i) {
      const std::optional<Failing> failing = primary_failure(i);
      if (!failing || failing->has_value()) continue;
      if (is_unexplained({i, std::nullopt})) return false;
    }
    return true;
  }

  void find_unexplained_elements(Explanation& explanation) {
    for (std::size_t i = 0; i < answers_.size() && explanation.unexplained.empty(); ++i) {
      const std::optional<Failing> failing = primary_failure(i);
      if (!failing || !failing->has_value()) continue;
      explanation.unexplained = unexplained_elements(i);
      explanation.unexplained_data_set = i;
    }
  }

  std::optional<Failing> primary_failure(std::size_t data_set) {
    if (answers_[data_set] == nullptr) return std::nullopt;
    return compare_under(data_set, {}).failing;
  }

  std::vector<std::int64_t> unexplained_elements(std::size_t data_set) {
    std::vector<std::int64_t> found;
    const Demand demand = demand_of(interpreted_[data_set].outcome, options_.sign_of_zero);
    const Outputs& outputs = std::get<Outputs>(*answers_[data_set]);
    const TensorDifference difference = compare(*demand.y, outputs.front().value,
                                                {.sign_of_zero = demand.sign_of_zero,
                                                 .open = demand.open,
                                                 .most_shown = most_looked_at,
                                                 .range = demand.range});
    for (const ElementDifference& element : difference.first) {
      if (found.size() == first_differences) break;
      if (is_unexplained({data_set, element.index})) found.push_back(element.index);
    }
    return found;
  }

  // ---- one rejected reading instead of several permitted ones

  /// A rejected reading under which all answers are right. It is returned only if there are several choices, and these
  /// explain no element: they only leave open all elements that differ from the primary outcome.
  std::optional<ReadingId> better_rejected_reading(const std::vector<Choice>& choices) {
    if (choices.size() < 2 || !only_leaves_open(choices)) return std::nullopt;
    const std::vector<const OperatorVersion*> versions = operator_versions(tested_);
    Consulted consulted;
    for (const ReferenceOutcome& row : interpreted_) consulted |= row.outcome.consulted;
    for (std::size_t a = 0; a < spec::ambiguities.size(); ++a) {
      if (!consulted.test(a)) continue;
      const auto& readings = spec::ambiguities[a]->readings;
      for (std::size_t r = 1; r < readings.size(); ++r) {
        const Choice choice{a, r};
        const bool is_permitted = std::ranges::any_of(versions, [&](const OperatorVersion* version) {
          return spec::is_permitted(readings[r], version->domain, version->op, version->since_version);
        });
        if (!is_permitted && demands_it_all(choice)) return id_of(choice);
      }
    }
    return std::nullopt;
  }

  bool only_leaves_open(const std::vector<Choice>& choices) const {
    const Policy policy = policy_of(choices);
    return all_answers_are([&](const ReferenceOutcome& row) -> std::optional<Outcome> {
      const Outcome outcome = interpret(tested_, row.node, policy, known());
      const Result* variant = outcome.result();
      const Result* primary = row.outcome.result();
      if (primary == nullptr || variant == nullptr || primary->y.size() != variant->y.size()) return std::nullopt;
      Result either = *primary;
      for (std::size_t i = 0; i < either.unspecified.size(); ++i)
        if (variant->unspecified[i]) either.unspecified[i] = true;
      for (std::size_t o = 0; o < either.further.size(); ++o)
        for (std::size_t i = 0; i < either.further[o].unspecified.size(); ++i)
          if (variant->further[o].unspecified[i]) either.further[o].unspecified[i] = true;
      return Outcome{std::move(either), {}, {}};
    });
  }

  /// Whether the answers are right under this reading, and it leaves no element open that the primary readings specify.
  bool demands_it_all(const Choice& choice) const {
    const Policy policy = policy_of({&choice, 1});
    return all_answers_are([&](const ReferenceOutcome& row) -> std::optional<Outcome> {
      Outcome outcome = interpret(tested_, row.node, policy, known());
      const Result* result = outcome.result();
      if (result == nullptr || result->y.size() != row.outcome.result()->y.size()) return std::nullopt;
      for (std::size_t i = 0; i < result->unspecified.size(); ++i)
        if (result->unspecified[i] && !row.outcome.result()->unspecified[i]) return std::nullopt;
      return outcome;
    });
  }

  /// Whether each answer matches outcome_of() of its data set. False if outcome_of() returns nothing for one.
  template <class OutcomeOf>
  bool all_answers_are(const OutcomeOf& outcome_of) const {
    for (std::size_t i = 0; i < answers_.size(); ++i) {
      if (answers_[i] == nullptr) continue;
      const std::optional<Outcome> outcome = outcome_of(interpreted_[i]);
      if (!outcome || compare_with(i, *outcome)) return false;
    }
    return true;
  }

  const Case& tested_;
  const std::vector<ReferenceOutcome>& interpreted_;
  std::span<const Answer* const> answers_;
  const ExplanationOptions& options_;
  const std::vector<std::string>& output_names_;
  Decisions start_;
  std::span<const std::vector<bool>> unknown_;
  std::array<std::vector<std::size_t>, spec::ambiguities.size()> permitted_;  ///< except the primary ones
  std::vector<std::deque<Compared>> compared_;                                ///< for each data set
  std::map<std::pair<std::size_t, std::optional<std::int64_t>>, std::vector<Decisions>> ways_;
  mutable reference::KnownValues known_;  ///< of the nodes of a graph
  std::size_t interpretations_ = 0;
  bool cut_short_ = false;
};

}  // namespace

Explanation find_explanation(const Case& tested, const std::vector<ReferenceOutcome>& interpreted,
                             std::span<const Answer* const> answers, const ExplanationOptions& options) {
  if (const std::optional<FewColumns> few = few_columns(tested, interpreted, answers)) {
    std::vector<const Answer*> of_few;
    for (const Answer& answer : few->answers) of_few.push_back(&answer);
    Explanation explanation = Search(few->tested, few->interpreted, of_few, options).find();
    if (explanation.choices.empty() && !explanation.cut_short) return explanation;
  }
  return Search(tested, interpreted, answers, options).find();
}

bool may_explain(const Choice& reading, const Case& tested, const std::vector<ReferenceOutcome>& interpreted,
                 std::span<const Answer* const> answers, const UnknownElements& unknown,
                 const ExplanationOptions& options) {
  Search search(tested, interpreted, answers, options);
  search.restrict(Decisions().with(reading), unknown);
  return search.may_find();
}

}  // namespace touchstone::conformance
