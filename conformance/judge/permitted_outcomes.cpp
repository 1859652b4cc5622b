#include "conformance/judge/permitted_outcomes.h"

#include <fmt/format.h>

#include <set>
#include <span>
#include <utility>

#include "conformance/judge/alternatives.h"
#include "conformance/judge/judge.h"
#include "conformance/plan/digest.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

namespace {

using Digests = std::vector<std::uint64_t>;  // of the outcomes of the data sets

Digests digests_of(const std::vector<Outcome>& outcomes) {
  Digests digests;
  for (const Outcome& outcome : outcomes) {
    Digest digest;
    if (const Result* result = outcome.result()) {
      digest.add(result->y);
      for (std::size_t i = 0; i < result->unspecified.size(); ++i)
        if (result->unspecified[i]) digest.add(fmt::format("{} ", i));
      if (result->range) digest.add(result->range->lowest).add(result->range->highest);
      for (const reference::Output& output : result->further) {
        digest.add(output.value);
        if (output.range) digest.add(output.range->lowest).add(output.range->highest);
        for (std::size_t i = 0; i < output.unspecified.size(); ++i)
          if (output.unspecified[i]) digest.add(fmt::format("{} ", i));
      }
    } else {
      digest.add("a rejection");
    }
    digests.push_back(digest.value());
  }
  return digests;
}

std::vector<Outcome> outcomes_of(const Case& tested, const std::vector<ReferenceOutcome>& interpreted,
                                 const Policy& policy) {
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < interpreted.size(); ++i) {
    const auto& repeats = tested.data_sets[i].repeats;
    outcomes.push_back(repeats ? outcomes.at(*repeats) : interpret(tested, interpreted[i].node, policy));
  }
  return outcomes;
}

}  // namespace

std::vector<PermittedOutcome> permitted_outcomes(const Case& tested, const std::vector<ReferenceOutcome>& interpreted) {
  if (interpreted.empty() || !reference_agrees(tested, interpreted)) return {};
  std::vector<Outcome> primary;
  Consulted consulted;
  for (const ReferenceOutcome& row : interpreted) {
    primary.push_back(row.outcome);
    consulted |= row.outcome.consulted;
  }
  const Digests of_primary = digests_of(primary);
  std::set<Digests> seen{of_primary};
  std::vector<PermittedOutcome> found;
  for (const Choice& choice : alternatives(operator_versions(tested), consulted, {})) {
    std::vector<Outcome> outcomes = outcomes_of(tested, interpreted, policy_of(std::span(&choice, 1)));
    const Digests digests = digests_of(outcomes);
    if (!seen.insert(digests).second) continue;
    std::vector<bool> differs;
    for (std::size_t i = 0; i < digests.size(); ++i) differs.push_back(digests[i] != of_primary[i]);
    found.push_back({id_of(choice), std::move(outcomes), std::move(differs)});
  }
  return found;
}

}  // namespace touchstone::conformance
