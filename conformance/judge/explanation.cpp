#include "conformance/judge/explanation.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/judge/alternatives.h"
#include "conformance/plan/digest.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

using reference::Outcome;
using reference::Policy;

namespace {

/// All pairs of readings take hundreds of interpretations: of a large tensor that would take minutes, and what it shows
/// the small ones show as well.
constexpr std::int64_t most_elements_for_pairs = 4096;

std::uint64_t digest_of(const Outcome& outcome) {
  const reference::Result* result = outcome.result();
  return result != nullptr ? Digest().add(result->y).value() : Digest().add("a rejection").value();
}

class Search {
 public:
  Search(const Case& tested, const std::vector<Interpreted>& interpreted, const Distance& distance)
      : tested_(tested),
        interpreted_(interpreted),
        distance_(distance),
        version_(reference::operator_version(interpreted.front().node)),
        tried_(interpreted.size()) {
    for (std::size_t i = 0; i < interpreted.size(); ++i)
      if (!tested.data_sets[i].repeats) note(i, Policy{}, interpreted[i].outcome);
  }

  std::optional<std::vector<ReadingId>> find() {
    Step step = try_all({});
    if (step.distance == 0) return std::nullopt;  // nothing to explain
    if (!descend(step) && !descend_from_pairs(step)) return std::nullopt;
    drop_what_is_not_needed(step);
    std::vector<ReadingId> readings;
    for (const Choice& choice : step.choices) readings.push_back(id_of(choice));
    return readings;
  }

 private:
  /// Some readings beside the primary ones, and what comes of them.
  struct Step {
    std::vector<Choice> choices;
    std::int64_t distance = 0;
    Consulted consulted{};       ///< the ambiguities on which the outcome may depend now
    std::uint64_t outcomes = 0;  ///< of all data sets: two steps with the same number come to the same
  };

  /// What came of a data set, and will again wherever the same readings answer what was asked: its outcome depends on
  /// nothing else.
  struct Tried {
    std::vector<Choice> asked;  ///< the reading of each ambiguity that was consulted
    Consulted consulted;
    std::int64_t distance;  ///< also of the data sets that repeat this one
    std::uint64_t outcome;  ///< a digest

    bool holds_for(const Policy& policy) const {
      return std::all_of(asked.begin(), asked.end(), [&](const Choice& choice) {
        return policy.reading_index(choice.ambiguity) == choice.reading;
      });
    }
  };

  const Tried& note(std::size_t data_set, const Policy& policy, const Outcome& outcome) {
    Tried tried{.asked = {}, .consulted = outcome.consulted, .distance = 0, .outcome = digest_of(outcome)};
    for (std::size_t a = 0; a < spec::ambiguities.size(); ++a)
      if (outcome.consulted.test(a)) tried.asked.push_back({a, policy.reading_index(a)});
    for (std::size_t i = data_set; i < interpreted_.size(); ++i)
      if (original(i) == data_set) tried.distance += distance_(i, outcome);
    return tried_[data_set].emplace_back(std::move(tried));
  }

  /// The data set whose inputs this one has.
  std::size_t original(std::size_t data_set) const {
    while (tested_.data_sets[data_set].repeats) data_set = *tested_.data_sets[data_set].repeats;
    return data_set;
  }

  const Tried& try_one(std::size_t data_set, const Policy& policy) {
    for (const Tried& tried : tried_[data_set])
      if (tried.holds_for(policy)) return tried;
    return note(data_set, policy, interpret(tested_, interpreted_[data_set].node, policy));
  }

  Step try_all(std::vector<Choice> choices) {
    const Policy policy = policy_of(choices);
    Step step{.choices = std::move(choices)};
    Digest outcomes;
    for (std::size_t i = 0; i < interpreted_.size(); ++i) {
      if (tested_.data_sets[i].repeats) continue;
      const Tried& tried = try_one(i, policy);
      step.distance += tried.distance;
      step.consulted |= tried.consulted;
      outcomes.add(fmt::format("{:x} ", tried.outcome));
    }
    step.outcomes = outcomes.value();
    return step;
  }

  /// All permitted readings that could be added to those of a step.
  std::vector<Choice> alternatives(const Step& step) const {
    return conformance::alternatives(version_, step.consulted, step.choices);
  }

  /// Adds one reading after the other, always the one that explains most. True if nothing remains to be explained.
  bool descend(Step& step) {
    while (step.distance > 0) {
      std::optional<Step> best;
      for (const Choice& choice : alternatives(step)) {
        Step next = try_with(step, choice);
        if (next.distance < (best ? best->distance : step.distance)) best = std::move(next);
      }
      if (!best) return false;
      step = *std::move(best);
    }
    return true;
  }

  /// For an element that needs two readings at once: then one of them alone already makes another outcome, though no
  /// smaller difference.
  bool descend_from_pairs(Step& step) {
    const Step start = try_all({});
    if (elements() > most_elements_for_pairs) return false;
    for (const Choice& one : alternatives(start)) {
      const Step with_one = try_with(start, one);
      if (with_one.outcomes == start.outcomes) continue;
      for (const Choice& other : alternatives(with_one)) {
        Step both = try_with(with_one, other);
        if (both.distance >= start.distance) continue;
        step = std::move(both);
        if (descend(step)) return true;
      }
    }
    return false;
  }

  std::int64_t elements() const {
    std::int64_t sum = 0;
    for (const Interpreted& row : interpreted_)
      if (const reference::Result* result = row.outcome.result()) sum += result->y.size();
    return sum;
  }

  Step try_with(const Step& step, const Choice& choice) {
    std::vector<Choice> choices = step.choices;
    choices.push_back(choice);
    return try_all(std::move(choices));
  }

  void drop_what_is_not_needed(Step& step) {
    for (std::size_t i = 0; i < step.choices.size();) {
      std::vector<Choice> without = step.choices;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      Step fewer = try_all(std::move(without));
      if (fewer.distance == 0)
        step = std::move(fewer);
      else
        ++i;
    }
  }

  const Case& tested_;
  const std::vector<Interpreted>& interpreted_;
  const Distance& distance_;
  const spec::OperatorVersion& version_;
  std::vector<std::vector<Tried>> tried_;  ///< of each data set
};

}  // namespace

std::optional<std::vector<ReadingId>> find_explanation(const Case& tested, const std::vector<Interpreted>& interpreted,
                                                       const Distance& distance) {
  return Search(tested, interpreted, distance).find();
}

}  // namespace touchstone::conformance
