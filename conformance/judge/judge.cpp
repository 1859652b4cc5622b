#include "conformance/judge/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "conformance/judge/explanation.h"
#include "conformance/judge/mismatch.h"

namespace touchstone::conformance {

using reference::Outcome;

namespace {

Judgement judge_breakdown(const Breakdown& breakdown) {
  switch (breakdown.kind) {
    case Breakdown::Kind::crash: return {Verdict::crash, breakdown.detail};
    case Breakdown::Kind::timeout: return {Verdict::timeout, breakdown.detail};
    case Breakdown::Kind::absent: return {Verdict::not_run, breakdown.detail};
    case Breakdown::Kind::protocol: break;
  }
  return {Verdict::harness_error, breakdown.detail};
}

Demand demand_of(const Outcome& outcome, bool sign_of_zero) {
  if (const reference::Result* result = outcome.result())
    return {.y = &result->y, .open = &result->unspecified, .sign_of_zero = sign_of_zero};
  return {.rejection = outcome.rejection()};
}

/// Whether an output that the case brings decides. Where the specification rejects the node it does not.
bool file_decides(const DataSet& data, const Outcome& outcome) {
  return !data.expected.empty() && outcome.result() != nullptr;
}

/// Of elements on which the specification says nothing, a file's output says no more than it does.
Demand demand_of(const DataSet& data, const Outcome& outcome, bool sign_of_zero) {
  if (!file_decides(data, outcome)) return demand_of(outcome, sign_of_zero);
  const reference::Tensor& y = data.expected.front().value;
  const reference::Result& result = *outcome.result();
  return {.y = &y, .open = result.y.size() == y.size() ? &result.unspecified : nullptr};
}

/// An answer for each data set. A model that was refused is refused for all of them.
std::vector<const Answer*> answers_of(const UnitAnswer& answer, const Answer& refusal, std::size_t data_sets) {
  if (std::holds_alternative<Refusal>(answer)) return std::vector<const Answer*>(data_sets, &refusal);
  std::vector<const Answer*> answers;
  for (const Answer& one : std::get<std::vector<Answer>>(answer)) answers.push_back(&one);
  return answers;
}

bool is_refused(const std::vector<const Answer*>& answers) {
  return std::all_of(answers.begin(), answers.end(),
                     [](const Answer* one) { return std::holds_alternative<Refusal>(*one); });
}

std::string in_words(const Answer& answer) {
  if (const auto* refusal = std::get_if<Refusal>(&answer)) return fmt::format("a refusal ({})", refusal->reason);
  const std::size_t count = std::get<Outputs>(answer).size();
  return count == 1 ? "an output" : fmt::format("{} outputs", count);
}

std::string change(const Answer& before, const Answer& now) {
  const std::string words = in_words(now);
  return words == in_words(before) ? "another output" : fmt::format("{} in place of {}", words, in_words(before));
}

bool identical(const Answer& left, const Answer& right) {
  const auto* left_outputs = std::get_if<Outputs>(&left);
  const auto* right_outputs = std::get_if<Outputs>(&right);
  if (left_outputs == nullptr || right_outputs == nullptr) return left.index() == right.index();
  if (left_outputs->size() != right_outputs->size()) return false;
  for (std::size_t i = 0; i < left_outputs->size(); ++i)
    if (!compare((*left_outputs)[i].value, (*right_outputs)[i].value).none()) return false;
  return true;
}

/// Where a case's own files expect an output of a node that the specification rejects, and no reading that counts gives
/// this output: then nothing can be said of whoever rejects it, or does not.
std::optional<std::string> contradiction(const Case& tested, const std::vector<Interpreted>& interpreted, bool strict) {
  const auto contradicts = [&](std::size_t i) {
    return !tested.data_sets[i].expected.empty() && interpreted[i].outcome.rejection() != nullptr;
  };
  std::size_t place = 0;
  while (place < interpreted.size() && !contradicts(place)) ++place;
  if (place == interpreted.size()) return std::nullopt;
  const Distance distance = [&](std::size_t data_set, const Outcome& outcome) {
    const Outputs& expected = tested.data_sets[data_set].expected;
    const auto found = mismatch(demand_of(outcome, true), expected, tested.model.graph_outputs.front());
    return !expected.empty() && found ? found->size : 0;
  };
  if (!strict && find_explanation(tested, interpreted, distance)) return std::nullopt;
  const reference::Rejection& rejection = *interpreted[place].outcome.rejection();
  return fmt::format("data set {}: the files expect an output, but the specification a rejection: {} ({})", place,
                     rejection.reason, rejection.clause->id);
}

}  // namespace

bool reference_agrees(const Case& tested, const std::vector<Interpreted>& interpreted) {
  for (std::size_t i = 0; i < interpreted.size(); ++i) {
    const DataSet& data = tested.data_sets[i];
    if (!file_decides(data, interpreted[i].outcome)) continue;
    const reference::Result& result = *interpreted[i].outcome.result();
    if (!compare(result.y, data.expected.front().value, {.open = &result.unspecified}).none()) return false;
  }
  return true;
}

Judgement judge(const Case& tested, const std::vector<Interpreted>& interpreted, const UnitAnswer& answer,
                const JudgeOptions& options) {
  if (const auto* breakdown = std::get_if<Breakdown>(&answer)) return judge_breakdown(*breakdown);
  const auto* refused = std::get_if<Refusal>(&answer);
  const Answer refusal = refused != nullptr ? *refused : Refusal{};
  const std::vector<const Answer*> answers = answers_of(answer, refusal, tested.data_sets.size());
  if (answers.size() != tested.data_sets.size())
    return {Verdict::harness_error, fmt::format("{} answers to {} data sets", answers.size(), tested.data_sets.size())};

  const std::string& output_name = tested.model.graph_outputs.front();
  for (const Answer* one : answers)
    if (const auto* breakdown = std::get_if<Breakdown>(one)) return judge_breakdown(*breakdown);
  if (auto found = contradiction(tested, interpreted, options.strict))
    return {Verdict::harness_error, *std::move(found)};

  std::optional<std::pair<std::size_t, Mismatch>> first;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const std::optional<std::size_t> repeats = tested.data_sets[i].repeats;
    if (repeats && !identical(*answers[*repeats], *answers[i]))
      return {Verdict::fail, fmt::format("data set {}: the inputs of data set {} give {} now", i, *repeats,
                                         change(*answers[*repeats], *answers[i]))};
    if (first) continue;
    const Demand demand = demand_of(tested.data_sets[i], interpreted[i].outcome, options.sign_of_zero);
    if (auto found = mismatch(demand, *answers[i], output_name)) first.emplace(i, *std::move(found));
  }
  if (!first) return {Verdict::pass};

  if (!options.strict && reference_agrees(tested, interpreted)) {
    const Distance distance = [&](std::size_t data_set, const Outcome& outcome) {
      const bool from_file = !tested.data_sets[data_set].expected.empty();
      const Demand demand = demand_of(outcome, options.sign_of_zero || from_file);
      const auto found = mismatch(demand, *answers[data_set], output_name);
      return found ? found->size : 0;
    };
    if (auto readings = find_explanation(tested, interpreted, distance)) {
      Judgement judgement{is_refused(answers) ? Verdict::rejects_variant : Verdict::pass_variant};
      judgement.readings = *std::move(readings);
      for (const ReadingId& row : judgement.readings)
        judgement.reason += fmt::format("{}{}: {}", judgement.reason.empty() ? "" : ", ", row.ambiguity, row.reading);
      if (judgement.verdict == Verdict::rejects_variant)
        judgement.reason = fmt::format("{} ({})", first->second.reason, judgement.reason);
      return judgement;
    }
  }

  auto& [data_set, found] = *first;
  Judgement judgement{found.verdict, found.reason};
  if (refused == nullptr) judgement.reason = fmt::format("data set {}: {}", data_set, found.reason);
  if (found.tensor) {
    const Demand demand = demand_of(tested.data_sets[data_set], interpreted[data_set].outcome, true);
    judgement.difference = {data_set, demand.y->type(), *std::move(found.tensor)};
  }
  return judgement;
}

}  // namespace touchstone::conformance
