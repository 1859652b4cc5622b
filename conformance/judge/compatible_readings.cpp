#include "conformance/judge/compatible_readings.h"

#include <utility>

#include "reference/interpreter.h"

namespace touchstone::conformance {

ReadingSet permitted_readings(const OperatorVersion& version, std::size_t ambiguity) {
  ReadingSet permitted;
  const auto& readings = spec::ambiguities[ambiguity]->readings;
  for (std::size_t r = 0; r < readings.size(); ++r)
    permitted[r] = spec::is_permitted(readings[r], version.domain, version.op, version.since_version);
  return permitted;
}

KnownAnswers::KnownAnswers(const Case& tested, const std::vector<ReferenceOutcome>& interpreted,
                           std::vector<Choice> readings)
    : tested_(tested), interpreted_(interpreted), readings_(std::move(readings)) {
  const Policy policy = policy_of(readings_);
  for (std::size_t i = 0; i < interpreted.size(); ++i) {
    const auto& [node, primary] = interpreted[i];
    const auto& repeats = tested.data_sets[i].repeats;
    outcomes_.push_back(repeats             ? outcomes_.at(*repeats)
                        : readings_.empty() ? primary
                                            : interpret(tested, node, policy));
    const Outcome& outcome = outcomes_.back();
    consulted_ |= outcome.consulted;
    if (const Result* result = outcome.result()) {
      answers_.emplace_back(Outputs{{tested.model.graph_outputs.front(), result->y}});
      unknown_.push_back(result->unspecified);
    } else {
      answers_.emplace_back(Refusal{outcome.rejection()->reason});
      unknown_.emplace_back();
    }
  }
}

ReadingSet KnownAnswers::permitted_readings(std::size_t ambiguity) const {
  ReadingSet permitted;
  for (const OperatorVersion* version : operator_versions(tested_))
    permitted |= conformance::permitted_readings(*version, ambiguity);
  return permitted;
}

ReadingSet KnownAnswers::compatible_readings(std::size_t ambiguity, const ExplanationOptions& options) const {
  ReadingSet compatible = permitted_readings(ambiguity);
  // If this ambiguity is not consulted, the outcome is the same for all of its readings.
  if (!consults(ambiguity)) return compatible;
  for (std::size_t r = 0; r < compatible.size(); ++r)
    if (compatible[r] && policy_of(readings_).reading_index(ambiguity) != r)
      compatible[r] = explains({ambiguity, r}, options);
  return compatible;
}

bool KnownAnswers::explains(const Choice& reading, const ExplanationOptions& options) const {
  std::vector<const Answer*> answers;
  for (std::size_t i = 0; i < answers_.size(); ++i)
    answers.push_back(tested_.data_sets[i].repeats ? nullptr : &answers_[i]);
  return may_explain(reading, tested_, interpreted_, answers, unknown_, options);
}

}  // namespace touchstone::conformance
