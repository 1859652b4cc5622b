#include "conformance/judge/judge.h"

#include <fmt/format.h>

namespace touchstone::conformance {

namespace {

Judgement judge(const Refusal& refusal) { return {Verdict::rejects_valid, refusal.reason, {}}; }

Judgement judge(const Breakdown& breakdown) {
  switch (breakdown.kind) {
    case Breakdown::Kind::crash: return {Verdict::crash, breakdown.detail, {}};
    case Breakdown::Kind::timeout: return {Verdict::timeout, breakdown.detail, {}};
    case Breakdown::Kind::protocol: break;
  }
  return {Verdict::harness_error, breakdown.detail, {}};
}

std::string describe(const Judgement::Difference& difference) {
  const std::string place = fmt::format("data set {}, output {}: ", difference.data_set, difference.output);
  const TensorDifference& tensor = difference.tensor;
  if (!tensor.form.empty()) return place + tensor.form;
  return place + fmt::format("{} of {} elements differ", tensor.different_elements, tensor.elements);
}

Judgement judge(const DataSet& data, std::size_t number, const Outputs& outputs) {
  if (outputs.size() != data.expected.size())
    return {Verdict::fail,
            fmt::format("data set {}: {} outputs, expected {}", number, outputs.size(), data.expected.size()),
            {}};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].name.empty() && outputs[i].name != data.expected[i].name)
      return {Verdict::fail,
              fmt::format("data set {}: output {} is '{}', expected '{}'", number, i, outputs[i].name,
                          data.expected[i].name),
              {}};
    Judgement::Difference difference{number, i, compare(data.expected[i].value, outputs[i].value)};
    if (!difference.tensor.none()) return {Verdict::fail, describe(difference), std::move(difference)};
  }
  return {Verdict::pass, {}, {}};
}

}  // namespace

Judgement judge(const Case& tested, const UnitAnswer& answer) {
  if (const auto* refusal = std::get_if<Refusal>(&answer)) return judge(*refusal);
  if (const auto* breakdown = std::get_if<Breakdown>(&answer)) return judge(*breakdown);

  const auto& answers = std::get<std::vector<Answer>>(answer);
  if (answers.size() != tested.data_sets.size())
    return {
        Verdict::harness_error, fmt::format("{} answers to {} data sets", answers.size(), tested.data_sets.size()), {}};
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto of_set = [&](const auto& one) {
      if constexpr (std::is_same_v<std::decay_t<decltype(one)>, Outputs>)
        return judge(tested.data_sets[i], i, one);
      else
        return judge(one);
    };
    Judgement judgement = std::visit(of_set, answers[i]);
    if (judgement.verdict != Verdict::pass) return judgement;
  }
  return {Verdict::pass, {}, {}};
}

}  // namespace touchstone::conformance
