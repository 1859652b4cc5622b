#include "conformance/judge/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "conformance/judge/explanation.h"
#include "conformance/judge/mismatch.h"

namespace touchstone::conformance {

namespace {

Judgement judge_breakdown(const Breakdown& breakdown) {
  switch (breakdown.kind) {
    case Breakdown::Kind::crash: return {Verdict::crash, breakdown.detail};
    case Breakdown::Kind::timeout: return {Verdict::timeout, breakdown.detail};
    case Breakdown::Kind::absent: return {Verdict::not_run, breakdown.detail};
    case Breakdown::Kind::invalid: return {Verdict::fail, breakdown.detail};
    case Breakdown::Kind::open: return {Verdict::not_shown, breakdown.detail};
    case Breakdown::Kind::protocol: break;
  }
  return {Verdict::harness_error, breakdown.detail};
}

/// Whether the verdict depends on an expected output in the case. It does not if the specification rejects the node.
bool file_decides(const DataSet& data, const Outcome& outcome) {
  return !data.expected.empty() && outcome.result() != nullptr;
}

/// The output or rejection required of a data set. If the files have an expected output, elements that the
/// specification leaves open stay open.
Demand demand_of(const DataSet& data, const Outcome& outcome, bool sign_of_zero) {
  if (!file_decides(data, outcome)) return conformance::demand_of(outcome, sign_of_zero);
  const Tensor& y = data.expected.front().value;
  const Result& result = *outcome.result();
  const auto open = [&](std::size_t output) {
    const std::vector<bool>* elements = unspecified_of(result, output);
    const bool fits = elements != nullptr && std::cmp_equal(elements->size(), data.expected[output].value.size());
    return fits ? elements : nullptr;
  };
  const auto range = [&](std::size_t output) {
    const reference::CodeRange* codes = range_of(result, output);
    const bool fits = codes != nullptr && codes->lowest.type() == data.expected[output].value.type() &&
                      codes->lowest.shape() == data.expected[output].value.shape();
    return fits ? codes : nullptr;
  };
  Demand demand{.y = &y, .open = open(0), .sign_of_zero = sign_of_zero};
  demand.range = range(0);
  for (std::size_t i = 1; i < data.expected.size(); ++i)
    demand.further.push_back({&data.expected[i].value, open(i), range(i)});
  return demand;
}

/// Why no element of the outputs has a required value; empty if one has, or if there are no elements.
std::string why_everything_is_open(const Case& tested, const std::vector<ReferenceOutcome>& interpreted) {
  std::int64_t elements = 0, too_wide = 0;
  const auto is_open = [&](const Tensor& y, const std::vector<bool>* open, const reference::CodeRange* range) {
    if (open == nullptr) return y.size() == 0;
    elements += std::ssize(*open);
    too_wide += range == nullptr ? 0 : range->too_wide;
    return std::ranges::count(*open, false) == 0;
  };
  for (std::size_t i = 0; i < interpreted.size(); ++i) {
    const Demand demand = demand_of(tested.data_sets[i], interpreted[i].outcome, true);
    if (demand.y == nullptr || !is_open(*demand.y, demand.open, demand.range)) return {};
    for (const FurtherOutput& output : demand.further)
      if (!is_open(*output.y, output.open, output.range)) return {};
  }
  if (elements == 0) return {};
  if (too_wide == 0 || too_wide == elements) return std::string(too_wide == 0 ? every_element_open : bounds_too_wide);
  return fmt::format(
      "the specification leaves {} of {} elements of the outputs open, and the bounds of the others are "
      "too wide to prove anything",
      elements - too_wide, elements);
}

/// One answer for each data set. The refusal of a model refuses all data sets.
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

/// Whether both answers are refusals, or outputs that are equal except for elements that the outcome leaves open.
bool identical(const Answer& left, const Answer& right, const Outcome& outcome) {
  const auto* left_outputs = std::get_if<Outputs>(&left);
  const auto* right_outputs = std::get_if<Outputs>(&right);
  if (left_outputs == nullptr || right_outputs == nullptr) return left.index() == right.index();
  if (left_outputs->size() != right_outputs->size()) return false;
  const Result* result = outcome.result();
  for (std::size_t i = 0; i < left_outputs->size(); ++i) {
    const Tensor& value = (*left_outputs)[i].value;
    const std::vector<bool>* open = result != nullptr ? unspecified_of(*result, i) : nullptr;
    const bool has_mask = open != nullptr && std::cmp_equal(open->size(), value.size());
    const reference::CodeRange* range = has_mask ? range_of(*result, i) : nullptr;
    if (!compare(value, (*right_outputs)[i].value, {.open = has_mask ? open : nullptr, .range = range}).none())
      return false;
  }
  return true;
}

/// A failure if the same inputs got different answers. `choices` are the readings that explain the answers.
std::optional<Judgement> find_other_answer(const Case& tested, const std::vector<ReferenceOutcome>& interpreted,
                                           const std::vector<const Answer*>& answers,
                                           const std::vector<Choice>& choices) {
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const std::optional<std::size_t> repeats = tested.data_sets[i].repeats;
    if (!repeats) continue;
    const auto& [node, primary] = interpreted[i];
    const Outcome outcome = choices.empty() ? primary : interpret(tested, node, policy_of(choices));
    if (identical(*answers[*repeats], *answers[i], outcome)) continue;
    return Judgement{Verdict::fail, fmt::format("data set {}: the inputs of data set {} give {} now", i, *repeats,
                                                change(*answers[*repeats], *answers[i]))};
  }
  return std::nullopt;
}

ExplanationOptions search_options(const JudgeOptions& options) {
  return {.sign_of_zero = options.sign_of_zero, .most_interpretations = options.most_interpretations};
}

/// Why the case cannot be judged: its files expect an output of a node that the specification rejects, and no accepted
/// reading gives this output. Then neither a rejection nor an output is right or wrong.
std::optional<std::string> contradiction(const Case& tested, const std::vector<ReferenceOutcome>& interpreted,
                                         const JudgeOptions& options) {
  const auto contradicts = [&](std::size_t i) {
    return !tested.data_sets[i].expected.empty() && interpreted[i].outcome.rejection() != nullptr;
  };
  std::size_t place = 0;
  while (place < interpreted.size() && !contradicts(place)) ++place;
  if (place == interpreted.size()) return std::nullopt;
  if (!options.strict) {
    std::vector<Answer> files;
    for (const DataSet& data : tested.data_sets) files.emplace_back(data.expected);
    std::vector<const Answer*> expected;
    for (std::size_t i = 0; i < files.size(); ++i)
      expected.push_back(tested.data_sets[i].expected.empty() ? nullptr : &files[i]);
    if (!find_explanation(tested, interpreted, expected, search_options(options)).choices.empty()) return std::nullopt;
  }
  const Rejection& rejection = *interpreted[place].outcome.rejection();
  return fmt::format("data set {}: the files expect an output, but the specification a rejection: {} ({})", place,
                     rejection.reason, rejection.clause->id);
}

/// For passing answers, reports how many elements differ only in the sign of zero.
std::string signs_of_zero(const Case& tested, const std::vector<ReferenceOutcome>& interpreted,
                          const std::vector<const Answer*>& answers) {
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Demand demand = demand_of(tested.data_sets[i], interpreted[i].outcome, false);
    if (const std::string words = zero_signs(demand, *answers[i]); !words.empty())
      return fmt::format("data set {}: {}", i, words);
  }
  return {};
}

/// Moves elements that nothing explains to the front.
void put_first(const std::vector<std::int64_t>& elements, const Demand& demand, const Answer& answer,
               TensorDifference& difference) {
  if (elements.empty()) return;
  const Tensor& actual = std::get<Outputs>(answer).front().value;
  std::vector<ElementDifference> first;
  for (const std::int64_t i : elements) first.push_back({i, demand.y->code(i), actual.code(i)});
  for (const ElementDifference& other : difference.first)
    if (first.size() < first_differences && std::ranges::find(elements, other.index) == elements.end())
      first.push_back(other);
  difference.first = std::move(first);
}

Judgement explained(const Explanation& explanation, bool is_refusal, const Mismatch& mismatch) {
  Judgement judgement{is_refusal ? Verdict::rejects_variant : Verdict::pass_variant};
  for (const Choice& choice : explanation.choices) {
    const ReadingId& row = judgement.readings.emplace_back(id_of(choice));
    judgement.reason += fmt::format("{}{}: {}", judgement.reason.empty() ? "" : ", ", row.ambiguity, row.reading);
  }
  if (is_refusal) judgement.reason = fmt::format("{} ({})", mismatch.reason, judgement.reason);
  if (const auto& rejected = explanation.rejected) {
    judgement.reason = fmt::format(
        "{}; permitted readings only leave open what differs ({}), and the rejected reading {} of {} gives it",
        mismatch.reason, judgement.reason, rejected->reading, rejected->ambiguity);
    judgement.verdict = Verdict::not_shown;
    judgement.readings.clear();
  }
  return judgement;
}

}  // namespace

bool reference_agrees(const Case& tested, const std::vector<ReferenceOutcome>& interpreted, bool sign_of_zero) {
  for (std::size_t i = 0; i < interpreted.size(); ++i) {
    const DataSet& data = tested.data_sets[i];
    if (!file_decides(data, interpreted[i].outcome)) continue;
    const Result& result = *interpreted[i].outcome.result();
    if (!compare(result.y, data.expected.front().value,
                 {.sign_of_zero = sign_of_zero, .open = &result.unspecified, .range = range_of(result, 0)})
             .none())
      return false;
    for (std::size_t o = 0; o < result.further.size() && o + 1 < data.expected.size(); ++o)
      if (const reference::Output& output = result.further[o];
          !compare(output.value, data.expected[o + 1].value,
                   {.sign_of_zero = sign_of_zero, .open = &output.unspecified, .range = range_of(result, o + 1)})
               .none())
        return false;
  }
  return true;
}

namespace {

/// What is judged.
struct Judged {
  const Case& tested;
  const std::vector<ReferenceOutcome>& interpreted;
  const std::vector<const Answer*>& answers;  ///< to each data set
  const JudgeOptions& options;
  bool is_one_refusal;  ///< of all data sets
};

/// The judgement of answers that no data set contradicts.
Judgement judge_right(const Judged& judged) {
  const auto& [tested, interpreted, answers, options, is_one_refusal] = judged;
  if (auto other = find_other_answer(tested, interpreted, answers, {})) return *std::move(other);
  if (std::string why = why_everything_is_open(tested, interpreted); !why.empty())
    return {Verdict::not_shown, std::move(why)};
  return {Verdict::pass, options.sign_of_zero ? std::string() : signs_of_zero(tested, interpreted, answers)};
}

/// The judgement of answers that no reading explains: the first difference is of `data_set`.
Judgement judge_wrong(const Judged& judged, const Explanation& explanation, std::size_t data_set, Mismatch found) {
  const auto& [tested, interpreted, answers, options, is_one_refusal] = judged;
  const auto demand_of_place = [&judged](std::size_t i) {
    return demand_of(judged.tested.data_sets[i], judged.interpreted[i].outcome, judged.options.sign_of_zero);
  };
  if (const std::size_t i = explanation.unexplained_data_set; !explanation.unexplained.empty() && i != data_set) {
    data_set = i;
    found = mismatch(demand_of_place(i), *answers[i], tested.model.graph_outputs).value();
  }
  Judgement judgement{found.verdict, found.reason};
  if (!is_one_refusal) judgement.reason = fmt::format("data set {}: {}", data_set, found.reason);
  if (explanation.cut_short) {
    judgement.verdict = Verdict::harness_error;
    judgement.reason += fmt::format("; the search for permitted readings was cut short after {} interpretations",
                                    options.most_interpretations);
    return judgement;
  }
  if (auto other = find_other_answer(tested, interpreted, answers, {})) return *std::move(other);
  if (found.tensor) {
    judgement.difference = {data_set, found.type, *std::move(found.tensor)};
    put_first(explanation.unexplained, demand_of_place(data_set), *answers[data_set], judgement.difference->tensor);
  }
  return judgement;
}

}  // namespace

Judgement judge(const Case& tested, const std::vector<ReferenceOutcome>& interpreted, const UnitAnswer& answer,
                const JudgeOptions& given) {
  JudgeOptions options = given;
  // The pages of other operators leave the sign open, for example that of the maximum of +0 and -0.
  if (tested.model.graph != nullptr) options.sign_of_zero = false;
  if (const auto* breakdown = std::get_if<Breakdown>(&answer)) return judge_breakdown(*breakdown);
  const auto* refused = std::get_if<Refusal>(&answer);
  const Answer refusal = refused != nullptr ? *refused : Refusal{};
  const std::vector<const Answer*> answers = answers_of(answer, refusal, tested.data_sets.size());
  if (answers.size() != tested.data_sets.size())
    return {Verdict::harness_error, fmt::format("{} answers to {} data sets", answers.size(), tested.data_sets.size())};

  const std::vector<std::string>& names = tested.model.graph_outputs;
  for (const Answer* one : answers)
    if (const auto* breakdown = std::get_if<Breakdown>(one)) return judge_breakdown(*breakdown);
  if (auto found = contradiction(tested, interpreted, options)) return {Verdict::harness_error, *std::move(found)};

  std::optional<std::pair<std::size_t, Mismatch>> first;
  for (std::size_t i = 0; i < answers.size() && !first; ++i) {
    const Demand demand = demand_of(tested.data_sets[i], interpreted[i].outcome, options.sign_of_zero);
    if (auto found = mismatch(demand, *answers[i], names)) first.emplace(i, *std::move(found));
  }
  const Judged judged{tested, interpreted, answers, options, refused != nullptr};
  if (!first) return judge_right(judged);

  Explanation explanation;
  if (!options.strict && reference_agrees(tested, interpreted, options.sign_of_zero))
    explanation = find_explanation(tested, interpreted, answers, search_options(options));
  if (!explanation.choices.empty()) {
    if (auto other = find_other_answer(tested, interpreted, answers, explanation.choices)) return *std::move(other);
    return explained(explanation, is_refused(answers), first->second);
  }
  return judge_wrong(judged, explanation, first->first, std::move(first->second));
}

}  // namespace touchstone::conformance
