// The suite finds every wrong model, and hypotheses name what a backend does.
#include "conformance/diagnose/hypotheses.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "conformance/diagnose/testing.h"
#include "conformance/effort_testing.h"
#include "conformance/graphs/testing.h"
#include "conformance/judge/judge.h"
#include "conformance/testing.h"
#include "reference/interpreter.h"

namespace touchstone::conformance::hypotheses_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

std::vector<const WrongModel*> named(const std::string& hypothesis) { return find_hypothesis(hypothesis); }

Case standard_case(const std::string& id) { return standard_cases(id).at(0).read(); }

/// The names that explain the answer of a backend with these defects.
std::vector<std::string> explanations(const std::string& hypothesis, const Case& tested) {
  return explaining_hypotheses(tested, interpret(tested), answer_of(named(hypothesis), tested));
}

/// Whether the judge finds the model wrong in this case, under every permitted reading of the arithmetic. If the model
/// is wrong, its own name must explain its answer.
bool is_found_and_named(const WrongModel& model, const Case& tested, const std::vector<ReferenceOutcome>& interpreted) {
  const UnitAnswer answer = answer_of({&model}, tested);
  const Judgement judgement = judge(tested, interpreted, answer);
  EXPECT_NE(judgement.verdict, Verdict::harness_error) << model.name << ", " << tested.id << ": " << judgement.reason;
  if (judgement.verdict != Verdict::fail && judgement.verdict != Verdict::accepts_invalid) return false;
  EXPECT_THAT(explaining_hypotheses(tested, interpreted, answer), Contains(std::string(model.name))) << tested.id;
  // A permitted reading flushes this scale as well.
  return model.name == "reads-e8m0-code-0-as-zero" || distinguishes(model.name, interpreted);
}

/// Filters, each with a step: most models differ from the reference in many cases, and some only in cases of a kind.
const std::vector<std::pair<std::string, std::size_t>> revealing_cases{{"*/values", 401},
                                                                       {"*/shape/*", 101},
                                                                       {"*/block/*", 101},
                                                                       {"opmx/*", 11},
                                                                       {"*/int32_zero_point", 1},
                                                                       {"*/unused_saturate", 1},
                                                                       {"*/beyond_range", 101},
                                                                       {"*e4m3fn/*/saturate=0/beyond_range", 5},
                                                                       {"*/scale/*", 53},
                                                                       {"*/scale/similar", 101},
                                                                       {"*/scale/one_zero_point_zero", 31},
                                                                       {"*/scale/every_normal_code", 31},
                                                                       {"*/form/symbolic", 101},
                                                                       {"*e8m0*/scale/*", 3},
                                                                       {"*/powers_of_two", 11},
                                                                       {"*/length/17", 5},
                                                                       {"*/large/*", 7},
                                                                       {"dequantize_linear/*/scale/infinity", 5},
                                                                       {"quantize_linear/*/scale/negative", 11},
                                                                       {"*must_reject*dtype*", 3},
                                                                       {"*/opset/*", 31},
                                                                       {"*", 11}};

/// Under sanitizers, few of the models: the test below runs the code of all.
TEST(WrongModels, AreFoundByTheTierStandardAndExplainTheirFailures) {
  std::set<const WrongModel*> hidden;
  for (std::size_t i = 0; i < wrong_models().size(); i += is_sanitized() ? 25 : 1) hidden.insert(&wrong_models()[i]);
  for (const auto& [filter, step] : revealing_cases)
    for (const PlannedCase& planned : standard_cases(filter, step)) {
      if (hidden.empty()) return;
      const Case tested = planned.read();
      const std::vector<ReferenceOutcome> interpreted = interpret(tested);
      std::erase_if(hidden, [&](const WrongModel* model) { return is_found_and_named(*model, tested, interpreted); });
    }
  for (const WrongModel* model : hidden) ADD_FAILURE() << "a backend that " << model->sentence << ": " << model->name;
}

std::string text_of(const UnitAnswer& answer) {
  std::string text;
  if (!std::holds_alternative<std::vector<Answer>>(answer)) return "refused";
  for (const Answer& one : std::get<std::vector<Answer>>(answer)) {
    const auto* outputs = std::get_if<Outputs>(&one);
    if (outputs == nullptr) {
      text += "refused";
      continue;
    }
    const reference::Tensor& y = outputs->front().value;
    text += fmt::format("{} {}:", spec::name(y.type()), y.rank());
    for (const std::byte byte : y.bytes()) text += static_cast<char>(byte);
  }
  return text;
}

/// Every two models give different answers to some case.
TEST(WrongModels, CanBeDistinguished) {
  std::vector<std::vector<const WrongModel*>> alike(1);
  for (const WrongModel& model : wrong_models()) alike.front().push_back(&model);
  for (const auto& [filter, step] : revealing_cases)
    for (const PlannedCase& planned : standard_cases(filter, step)) {
      if (alike.empty()) return;
      const Case tested = planned.read();
      std::vector<std::vector<const WrongModel*>> split;
      for (const auto& models : alike) {
        std::map<std::string, std::vector<const WrongModel*>> by_answer;
        for (const WrongModel* model : models) by_answer[text_of(answer_of({model}, tested))].push_back(model);
        for (auto& [text, same] : by_answer)
          if (same.size() > 1) split.push_back(std::move(same));
      }
      alike = std::move(split);
    }
  for (const auto& models : alike) {
    std::string names;
    for (const WrongModel* model : models) names += fmt::format(" {}", model->name);
    ADD_FAILURE() << "no case distinguishes" << names;
  }
}

// ---- hypotheses of one case

TEST(Hypotheses, HaveNames) {
  EXPECT_THAT(named("rounds-half-up"), ElementsAre(testing::Field(&WrongModel::name, "rounds-half-up")));
  EXPECT_EQ(named("rounds-half-up+amb-negative-block-size:ignored").size(), 2U);
  EXPECT_THAT(named("no-such-hypothesis"), IsEmpty());
  EXPECT_THAT(named("rounds-half-up+"), IsEmpty());
  EXPECT_THAT(named(""), IsEmpty());
  // The bank has a row for this reading.
  EXPECT_THAT(named("amb-ties:upwards"), IsEmpty());
  EXPECT_EQ(sentence_of("amb-negative-block-size:ignored"), "treats it as if it were absent");
  EXPECT_EQ(sentence_of("ignores-scale+rounds-up"), "ignores the scale; rounds up (ceil)");
}

TEST(Hypotheses, DoNotExplainARightAnswer) {
  const Case tested = per_axis_case();
  EXPECT_THAT(explanations("", tested), IsEmpty());
  EXPECT_THAT(explaining_hypotheses(tested, interpret(tested), Refusal{"no"}), IsEmpty());
  EXPECT_THAT(explaining_hypotheses(tested, interpret(tested), std::vector<Answer>{Refusal{"no"}}), IsEmpty());
  EXPECT_THAT(explaining_hypotheses(tested, interpret(tested), Breakdown{Breakdown::Kind::crash, ""}), IsEmpty());
}

/// x = [[0, 1, 2], [3, 4, 5]], scale = [1, 2, 4], zero point = [10, 20, 30], and the quotients 0.5, 0.5 and 1.25 are
/// not integers: half away from zero gives 21 instead of 20, and 31 instead of 30.
TEST(Hypotheses, NameTheRounding) {
  const Case tested = per_axis_case();
  const auto answer = [&](std::vector<std::uint64_t> codes) {
    return UnitAnswer(std::vector<Answer>{Outputs{{"y", tensor(spec::ElementType::uint8, {2, 3}, std::move(codes))}}});
  };
  const auto names = explaining_hypotheses(tested, interpret(tested), answer({10, 21, 31, 13, 22, 31}));
  EXPECT_THAT(names, Contains("rounds-half-away-from-zero"));
  EXPECT_THAT(names, Contains("rounds-half-up"));
  EXPECT_THAT(names, Not(Contains("rounds-up")));  // 1.25 would give 32
  EXPECT_THAT(explaining_hypotheses(tested, interpret(tested), answer({10, 21, 31, 13, 22, 32})),
              Contains("rounds-up"));
  EXPECT_THAT(explaining_hypotheses(tested, interpret(tested), answer({10, 21, 77, 99, 22, 32})), IsEmpty());
}

/// A defect together with a permitted type of the division.
TEST(Hypotheses, AllowPermittedReadingsOfTheDivision) {
  const Case tested = standard_case("quantize_linear/21/bf16-bf16-i8/per_axis/no_zp/values");
  const std::vector<ReferenceOutcome> interpreted = interpret(tested);
  const reference::Node& node = interpreted.front().node;
  const auto policy = reference::Policy{}
                          .with<spec::SameFloatDivisionBefore23>(spec::SameFloatDivisionBefore23::in_input_type)
                          .with<spec::Ties>(spec::Ties::away_from_zero);
  const UnitAnswer answer = std::vector<Answer>{
      Outputs{{tested.model.graph_outputs.front(), reference::interpret(node, policy).result()->y}}};
  const Judgement judgement = judge(tested, interpreted, answer);
  ASSERT_FALSE(is_permitted(judgement.verdict)) << judgement.reason;
  EXPECT_THAT(explaining_hypotheses(tested, interpreted, answer), Contains("rounds-half-away-from-zero"));
}

/// 512 / 127 is the scale of the row, so both ones become 0.
TEST(Hypotheses, NameTheRejectedReadingOfAGraph) {
  const Case tested = sum_case("sum", {1, 512, 1});
  const auto explaining = [&](double sum) {
    const std::vector<Answer> answers{Outputs{{"", reference::tensor(spec::ElementType::float32, {1, 1}, {sum})}}};
    EXPECT_EQ(judge(tested, interpret(tested), answers).verdict, Verdict::fail);
    return explaining_hypotheses(tested, interpret(tested), answers);
  };
  EXPECT_THAT(
      explaining(512),
      ElementsAre(
          "amb-factor-precision:quantized-to-int8", "amb-factor-precision:quantized-in-blocks",
          "amb-factor-precision:quantized-in-blocks-of-bfloat16", "amb-factor-precision:quantized-to-int8-per-tensor",
          "amb-factor-precision:quantized-to-uint8", "amb-factor-precision:quantized-to-uint8-per-tensor",
          "amb-factor-precision:quantized-in-blocks-of-16", "amb-factor-precision:quantized-in-blocks-after-bfloat16"))
      << "the row is too short to distinguish them";
  EXPECT_THAT(explaining(510), IsEmpty());
  EXPECT_EQ(sentence_of("amb-factor-precision:quantized-to-int8").find("quantizes the first operand to int8"), 0U);
}

/// Two defects that no single hypothesis explains.
TEST(Hypotheses, AreNotAllTriedForLargeGraphs) {
  Case tested = sum_case("sum", {1, 512, 1});
  EXPECT_FALSE(is_too_large_for_all_hypotheses(tested));
  const std::int64_t elements = most_elements_for_all_hypotheses;
  tested.data_sets.front().inputs.push_back({"x", reference::Tensor(spec::ElementType::uint8, {elements + 1})});
  EXPECT_TRUE(is_too_large_for_all_hypotheses(tested));
}

TEST(Hypotheses, NamePairs) {
  for (const auto& [id, pair] :
       {std::pair("quantize_linear/21/f32-f32-i4/per_tensor/zp/values",
                  "rounds-half-away-from-zero+swaps-nibbles-of-output"),
        {"quantize_linear/21/f32-f32-u8/per_tensor/zp/values", "wraps-instead-of-saturating+ignores-zero-point"},
        {"dequantize_linear/21/i4-f32-f32/per_axis/zp/values", "uses-first-scale+reverses-packed-input"}}) {
    const Case tested = standard_case(id);
    EXPECT_THAT(explanations(pair, tested), Contains(pair)) << id;
  }
}

TEST(Hypotheses, AreContradictedByRightCasesThatTheyWouldGetWrong) {
  const std::vector<ReferenceOutcome> interpreted = interpret(per_axis_case());
  EXPECT_TRUE(distinguishes("rounds-half-up", interpreted));
  EXPECT_TRUE(distinguishes("uses-first-scale", interpreted));
  EXPECT_FALSE(distinguishes("wraps-in-int8", interpreted));              // all quotients are small
  EXPECT_FALSE(distinguishes("truncates-to-small-floats", interpreted));  // y is uint8
  EXPECT_FALSE(distinguishes("no-such-hypothesis", interpreted));
  // With the axis 0 the scale would not fit.
  EXPECT_FALSE(distinguishes("takes-axis-0", interpreted));
}

/// Quantizes the Softmax of a row with a scale of 1/255.
Case softmax_case(const reference::Numbers& row) {
  GraphParameters parameters = byte_parameters();
  parameters.form = &form_named("initializers");
  GraphBuilder graph(parameters, "softmax", 0);
  const std::string x = graph.constant(reference::tensor(spec::ElementType::uint8, {1, std::ssize(row)}, row));
  const std::string softmax = graph.node("Softmax", {graph.dequantize({x, graph.per_tensor(0)})});
  graph.output(graph.quantize({softmax, graph.from_0_to_1()}));
  return graph.finish();
}

/// 42 and 43 are right for (1/6) / (1/255), because Softmax rounds. 254 / 6 is 42.3.
TEST(Hypotheses, AreNotContradictedIfTheyGiveOneOfSeveralRightOutputs) {
  const auto contradicts = [](const Case& tested) {
    return distinguishes_graph("truncates-reciprocal-after-softmax", tested, interpret(tested));
  };
  EXPECT_TRUE(contradicts(softmax_case({200, 0})));
  const Case equal = softmax_case({7, 7, 7, 7, 7, 7});
  const std::vector<ReferenceOutcome> interpreted = interpret(equal);
  const reference::CodeRange* range = range_of(*interpreted.front().outcome.result(), 0);
  ASSERT_NE(range, nullptr);
  EXPECT_EQ(range->lowest.code(0), 42U);
  EXPECT_EQ(range->highest.code(0), 43U);
  EXPECT_FALSE(contradicts(equal));
}

/// Past the end of the scales a backend may read anything, so that a wrong element there shows nothing by itself.
TEST(Hypotheses, MustDetermineAWrongElement) {
  const Case tested = per_axis_case();
  reference::Node node = interpret(tested).front().node;
  const auto named_for = [&](std::vector<std::uint64_t> zero_points, std::vector<std::uint64_t> outputs) {
    node.inputs = {tensor(spec::ElementType::float32, {2, 3}, std::vector<std::uint64_t>(6, 0)),
                   tensor(spec::ElementType::float32, {2}, {0x3f800000, 0x3f800000}),
                   tensor(spec::ElementType::uint8, {2}, std::move(zero_points))};
    node.attributes["axis"] = std::int64_t{0};
    const std::vector<ReferenceOutcome> interpreted{{node, reference::interpret(node)}};
    return explaining_hypotheses(
        tested, interpreted,
        std::vector<Answer>{Outputs{{"y", tensor(spec::ElementType::uint8, {2, 3}, std::move(outputs))}}});
  };
  EXPECT_THAT(named_for({10, 20}, {10, 20, 77, 10, 20, 99}), ElementsAre("reads-parameters-along-last-axis"));
  EXPECT_THAT(named_for({10, 10}, {10, 10, 77, 10, 10, 99}), IsEmpty());
}

/// Any output gets an answer in bounded time.
/// A backend need not name its output.
TEST(Hypotheses, ExplainAnOutputWithoutAName) {
  const Case tested = standard_case("quantize_linear/21/f32-f32-u8/per_tensor/zp/values");
  UnitAnswer answer = answer_of(named("rounds-half-up"), tested);
  for (Answer& one : std::get<std::vector<Answer>>(answer)) std::get<Outputs>(one).front().name.clear();
  EXPECT_THAT(explaining_hypotheses(tested, interpret(tested), answer), Contains("rounds-half-up"));
}

TEST(Hypotheses, RarelyExplainRandomOutputs) {
  std::mt19937_64 random(1);
  std::size_t explained = 0;
  std::size_t cases = 0;
  for (const PlannedCase& planned : standard_cases("*/values", 997)) {
    const Case tested = planned.read();
    const std::vector<ReferenceOutcome> interpreted = interpret(tested);
    std::vector<Answer> answers;
    for (const ReferenceOutcome& row : interpreted) {
      reference::Tensor y = row.outcome.result()->y;
      for (std::int64_t i = 0; i < y.size(); ++i) y.set_code(i, random());
      answers.emplace_back(Outputs{{tested.model.graph_outputs.front(), std::move(y)}});
    }
    ++cases;
    for (const std::string& name : explaining_hypotheses(tested, interpreted, answers)) {
      ADD_FAILURE() << name << " explains random outputs of " << *planned.id;
      ++explained;
    }
  }
  EXPECT_GT(cases, 30U);
  EXPECT_EQ(explained, 0U);
}

}  // namespace
}  // namespace touchstone::conformance::hypotheses_test
