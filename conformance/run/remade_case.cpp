#include "conformance/run/remade_case.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "conformance/diagnose/hypotheses.h"
#include "conformance/judge/judge.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

namespace {

constexpr std::size_t most_interpretations = 1'000;

std::optional<Cell> cell_under(const Node& node, const Outcome& outcome) {
  const Result* result = outcome.result();
  if (result == nullptr) return std::nullopt;
  return cell_of(node, reference::operator_version(node), *result);
}

/// Whether the reference knows the answer that the verdict accepts: the case has one output, each element of which may
/// have one value, and the outputs that its files expect are those of the primary readings.
bool knows_answer(const ReadCase& read, bool sign_of_zero) {
  const auto& [tested, interpreted, description] = read;
  if (tested.model.graph_outputs.size() != 1) return false;
  for (std::size_t i = 0; i < interpreted.size(); ++i) {
    const reference::Result* result = interpreted[i].outcome.result();
    if (result == nullptr ? !tested.data_sets[i].expected.empty() : range_of(*result, 0) != nullptr) return false;
  }
  return reference_agrees(tested, interpreted, sign_of_zero);
}

}  // namespace

bool has_known_answers(const PlannedCase& planned, const CaseRecord& record) {
  return (is_pass(record.verdict) || record.verdict == Verdict::rejects_variant) && record.flaky.empty() &&
         !planned.is_sweep();
}

std::size_t position_of(std::string_view ambiguity) {
  const auto row = std::ranges::find(spec::ambiguities, ambiguity, &spec::Ambiguity::id);
  return static_cast<std::size_t>(row - spec::ambiguities.begin());
}

std::vector<Choice> choices_of(const std::vector<ReadingId>& readings) {
  std::vector<Choice> choices;
  for (const ReadingId& id : readings) {
    const std::size_t a = position_of(id.ambiguity);
    const auto& rows = spec::ambiguities[a]->readings;
    choices.push_back(
        {a, static_cast<std::size_t>(std::ranges::find(rows, id.reading, &spec::ReadingInfo::id) - rows.begin())});
  }
  return choices;
}

std::vector<std::string_view> ids_of(std::size_t ambiguity, const ReadingSet& readings) {
  std::vector<std::string_view> ids;
  for (std::size_t r = 0; r < readings.size(); ++r)
    if (readings[r]) ids.push_back(id_of({ambiguity, r}).reading);
  return ids;
}

bool RemadeCase::names(std::string_view ambiguity) const {
  return std::ranges::find(record_->readings, ambiguity, &ReadingId::ambiguity) != record_->readings.end();
}

const KnownAnswers* RemadeCase::answers() {
  if (!is_made_) make();
  return answers_ ? &*answers_ : nullptr;
}

void RemadeCase::make() try {
  is_made_ = true;
  Case read = planned_->read();
  if (is_too_large_for_all_hypotheses(read)) return;  // each reading of such a graph takes seconds
  case_ = std::make_unique<const ReadCase>(std::move(read), planned_->id);
  if (case_->description.digest == record_->digest && knows_answer(*case_, sign_of_zero_))
    answers_.emplace(case_->tested, case_->interpreted, choices_of(record_->readings));
  else
    case_.reset();
} catch (const std::exception&) {  // for example, its files no longer exist
}

ReadingSet RemadeCase::compatible_readings(std::size_t ambiguity) const {
  return answers_->compatible_readings(ambiguity,
                                       {.sign_of_zero = sign_of_zero_, .most_interpretations = most_interpretations});
}

std::optional<Cell> RemadeCase::cell(const std::set<std::array<std::size_t, 2>>& readings) const {
  for (std::size_t i = 0; i < case_->interpreted.size(); ++i) {
    const auto& [node, primary] = case_->interpreted[i];
    if (const auto found = cell_under(node, answers_->outcomes()[i])) return found;
    if (const auto found = cell_under(node, primary)) return found;
    for (const auto& [ambiguity, reading] : readings) {
      const auto policy = Policy{}.with(ambiguity, reading);
      if (const auto found = cell_under(node, interpret(case_->tested, node, policy))) return found;
    }
  }
  return std::nullopt;
}

}  // namespace touchstone::conformance
