#include "conformance/run/remade_case.h"

#include <algorithm>
#include <exception>

#include "conformance/judge/digests.h"
#include "conformance/judge/judge.h"
#include "conformance/run/controls.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

namespace {

std::optional<Cell> cell_under(const reference::Node& node, const reference::Outcome& outcome) {
  const reference::Result* result = outcome.result();
  if (result == nullptr) return std::nullopt;
  return cell_of(node, reference::operator_version(node), *result);
}

}  // namespace

bool has_known_answers(const PlannedCase& planned, const CaseRecord& record) {
  return (is_pass(record.verdict) || record.verdict == Verdict::rejects_variant) && record.subject &&
         record.flaky.empty() && !planned.is_sweep();
}

std::vector<Choice> choices_of(const std::vector<ReadingId>& readings) {
  std::vector<Choice> choices;
  for (const ReadingId& id : readings)
    for (std::size_t a = 0; a < spec::ambiguities.size(); ++a)
      for (std::size_t r = 0; r < spec::ambiguities[a]->readings.size(); ++r)
        if (id_of({a, r}) == id) choices.push_back({a, r});
  return choices;
}

ExplanationOptions short_search(bool sign_of_zero) {
  return {.sign_of_zero = sign_of_zero, .most_interpretations = 1'000};
}

RemadeCase::RemadeCase(const PlannedCase& planned, const CaseRecord& record)
    : planned_(planned),
      tested_(planned.read()),
      interpreted_(interpret(tested_)),
      answers_(tested_, interpreted_, choices_of(record.readings)) {}

std::unique_ptr<const RemadeCase> RemadeCase::make(const PlannedCase& planned, const CaseRecord& record,
                                                   bool sign_of_zero) try {
  std::unique_ptr<const RemadeCase> made(new RemadeCase(planned, record));
  if (made->tested_.model.graph != nullptr) return nullptr;  // many nodes, each of which may follow a reading
  if (!made->is_case_of(record) || !made->is_decided_by_reference(sign_of_zero)) return nullptr;
  return made;
} catch (const std::exception&) {  // for example, its files no longer exist
  return nullptr;
}

bool RemadeCase::is_case_of(const CaseRecord& record) const {
  return case_digest(tested_, interpreted_) == record.digest;
}

/// Whether the expected outputs of the case, if any, are those of the primary readings.
bool RemadeCase::is_decided_by_reference(bool sign_of_zero) const {
  for (std::size_t i = 0; i < interpreted_.size(); ++i)
    if (!tested_.data_sets[i].expected.empty() && interpreted_[i].outcome.result() == nullptr) return false;
  return reference_agrees(tested_, interpreted_, sign_of_zero);
}

bool RemadeCase::counts() const try {
  const bool has_refusal = std::ranges::any_of(
      answers_.outcomes(), [](const reference::Outcome& outcome) { return outcome.rejection() != nullptr; });
  return !has_refusal || control_of(planned_).has_value();
} catch (const std::exception&) {
  return false;
}

std::optional<Cell> RemadeCase::cell(const std::set<std::pair<std::size_t, std::size_t>>& readings) const {
  for (std::size_t i = 0; i < interpreted_.size(); ++i) {
    const auto& [node, primary] = interpreted_[i];
    if (const auto found = cell_under(node, answers_.outcomes()[i])) return found;
    if (const auto found = cell_under(node, primary)) return found;
    for (const auto& [ambiguity, reading] : readings)
      if (const auto found = cell_under(node, interpret(tested_, node, reference::Policy{}.with(ambiguity, reading))))
        return found;
  }
  return std::nullopt;
}

}  // namespace touchstone::conformance
