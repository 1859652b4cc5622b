#include "fuzz/reading_choices.h"

#include <algorithm>

namespace touchstone::fuzz {

using namespace conformance;

std::vector<Choice> other_readings(const Consulted& consulted, std::span<const Choice> choices) {
  std::vector<Choice> found;
  for (std::size_t a = 0; a < spec::ambiguities.size(); ++a) {
    if (!consulted.test(a) || std::ranges::find(choices, a, &Choice::ambiguity) != choices.end()) continue;
    for (std::size_t r = 1; r < spec::ambiguities[a]->readings.size(); ++r) found.push_back({a, r});
  }
  return found;
}

std::vector<Choice> decode_readings(std::span<const std::uint8_t> bytes, const Case& tested,
                                    const ReferenceOutcome& primary) {
  std::vector<Choice> choices;
  Consulted consulted = primary.outcome.consulted;
  for (const std::uint8_t byte : bytes) {
    const std::vector<Choice> others = other_readings(consulted, choices);
    const std::size_t place = byte % (others.size() + 1);
    if (place == 0) continue;
    choices.push_back(others[place - 1]);
    consulted = interpret(tested, primary.node, policy_of(choices)).consulted;
  }
  return choices;
}

}  // namespace touchstone::fuzz
