#include "conformance/judge/permitted_outcomes.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "conformance/judge/alternatives.h"
#include "conformance/judge/judge.h"
#include "conformance/plan/digest.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

using reference::Outcome;

namespace {

std::uint64_t digest_of(const std::vector<Outcome>& outcomes) {
  Digest digest;
  for (const Outcome& outcome : outcomes) {
    const reference::Result* result = outcome.result();
    if (result == nullptr) {
      digest.add("a rejection");
      continue;
    }
    digest.add(result->y);
    for (std::size_t i = 0; i < result->unspecified.size(); ++i)
      if (result->unspecified[i]) digest.add(fmt::format("{} ", i));
  }
  return digest.value();
}

Consulted consulted_by(const std::vector<Outcome>& outcomes) {
  Consulted consulted;
  for (const Outcome& outcome : outcomes) consulted |= outcome.consulted;
  return consulted;
}

std::vector<Outcome> outcomes_of(const Case& tested, const std::vector<Interpreted>& interpreted,
                                 const std::vector<Choice>& choices) {
  const reference::Policy policy = policy_of(choices);
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < interpreted.size(); ++i) {
    const auto& repeats = tested.data_sets[i].repeats;
    outcomes.push_back(repeats ? outcomes.at(*repeats) : interpret(tested, interpreted[i].node, policy));
  }
  return outcomes;
}

}  // namespace

std::vector<PermittedOutcome> permitted_outcomes(const Case& tested, const std::vector<Interpreted>& interpreted) {
  if (interpreted.empty() || !reference_agrees(tested, interpreted)) return {};
  const spec::OperatorVersion& version = reference::operator_version(interpreted.front().node);
  struct Step {
    std::vector<Choice> choices;
    Consulted consulted;
  };
  std::vector<Outcome> primary;
  for (const Interpreted& row : interpreted) primary.push_back(row.outcome);
  std::set<std::uint64_t> seen{digest_of(primary)};
  std::vector<Step> steps{{{}, consulted_by(primary)}};
  std::vector<PermittedOutcome> found;
  for (std::size_t next = 0; next < steps.size(); ++next) {
    const Step step = steps[next];  // a copy: the vector grows
    for (const Choice& choice : alternatives(version, step.consulted, step.choices)) {
      std::vector<Choice> choices = step.choices;
      choices.push_back(choice);
      std::vector<Outcome> outcomes = outcomes_of(tested, interpreted, choices);
      if (!seen.insert(digest_of(outcomes)).second) continue;
      PermittedOutcome permitted;
      for (const Choice& row : choices) permitted.readings.push_back(id_of(row));
      steps.push_back({std::move(choices), consulted_by(outcomes)});
      permitted.outcomes = std::move(outcomes);
      found.push_back(std::move(permitted));
    }
  }
  return found;
}

}  // namespace touchstone::conformance
