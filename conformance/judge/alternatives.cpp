#include "conformance/judge/alternatives.h"

#include <algorithm>

namespace touchstone::conformance {

ReadingId id_of(const Choice& choice) {
  const spec::Ambiguity& row = *spec::ambiguities[choice.ambiguity];
  return {row.id, row.readings[choice.reading].id};
}

reference::Policy policy_of(std::span<const Choice> choices) {
  reference::Policy policy;
  for (const Choice& choice : choices) policy = policy.with(choice.ambiguity, choice.reading);
  return policy;
}

std::vector<Choice> alternatives(const spec::OperatorVersion& version, const Consulted& consulted,
                                 std::span<const Choice> choices) {
  const spec::OperatorVersion* const only = &version;
  return alternatives(std::span(&only, 1), consulted, choices);
}

std::vector<Choice> alternatives(std::span<const spec::OperatorVersion* const> versions, const Consulted& consulted,
                                 std::span<const Choice> choices) {
  std::vector<Choice> found;
  for (std::size_t a = 0; a < spec::ambiguities.size(); ++a) {
    const bool decided =
        std::any_of(choices.begin(), choices.end(), [&](const Choice& choice) { return choice.ambiguity == a; });
    if (!consulted.test(a) || decided) continue;
    const auto& readings = spec::ambiguities[a]->readings;
    for (std::size_t r = 1; r < readings.size(); ++r)
      if (std::ranges::any_of(versions, [&](const spec::OperatorVersion* version) {
            return spec::is_permitted(readings[r], version->domain, version->op, version->since_version);
          }))
        found.push_back({a, r});
  }
  return found;
}

}  // namespace touchstone::conformance
