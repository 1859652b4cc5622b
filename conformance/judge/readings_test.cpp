// A wrong value and a permitted reading are told apart, and by their names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "conformance/backends/reference_backend.h"
#include "conformance/generate/form.h"
#include "conformance/generate/model_builder.h"
#include "conformance/judge/judge.h"
#include "reference/testing.h"

namespace touchstone::conformance {
namespace {

using enum spec::ElementType;
using reference::Node;
using reference::Policy;
using reference::scalar;
using reference::vector;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Case case_of(const std::vector<Node>& nodes) {
  const Node& first = nodes.front();
  const auto y = reference::interpret(first);
  Case made;
  made.id = "case";
  made.model =
      build_model(first, plain_form(), y.result() != nullptr ? y.result()->y.type() : uint8, first.inputs[0]->shape());
  for (const Node& node : nodes) made.data_sets.push_back({graph_inputs(node, plain_form()), {}});
  return made;
}

UnitAnswer answer_of(const Case& asked, const Policy& policy) {
  ReferenceBackend backend(policy);
  Unit unit{asked.id, asked.model.bytes, {}};
  for (const DataSet& data : asked.data_sets) unit.inputs.emplace_back(data.inputs);
  return backend.run(unit);
}

Judgement judge_policy(const Case& asked, const Policy& policy, const JudgeOptions& options = {}) {
  return judge(asked, interpret(asked), answer_of(asked, policy), options);
}

MATCHER_P2(is_reading, ambiguity, reading, "") { return arg.ambiguity == ambiguity && arg.reading == reading; }

/// 26 / 0.167236328125 is 155.47 in float32, and 155.5, a tie, in float16 (AMB-06).
Node float16_division(int opset) {
  return reference::quantize(opset, vector(float16, {26, 26, 1}), scalar(float16, 0.167236328125), scalar(uint8, 0));
}

TEST(Readings, DivisionInFloat16IsPermittedBefore23) {
  using Before23 = spec::SameFloatDivisionBefore23;
  const Case asked = case_of({float16_division(21)});
  EXPECT_EQ(judge_policy(asked, {}).verdict, Verdict::pass);
  const Judgement judgement = judge_policy(asked, Policy{}.with<Before23>(Before23::in_input_type));
  EXPECT_EQ(judgement.verdict, Verdict::pass_variant);
  EXPECT_THAT(judgement.readings, ElementsAre(is_reading("amb-same-float-division-before-23", "in-input-type")));
  EXPECT_THAT(judgement.reason, HasSubstr("amb-same-float-division-before-23"));
}

TEST(Readings, TruncationIsNone) {
  const Case asked = case_of({float16_division(21)});
  std::vector<Answer> answers = std::get<std::vector<Answer>>(answer_of(asked, {}));
  std::get<Outputs>(answers[0])[0].value.set_code(2, 5);  // 1 / 0.167 is 5.98
  const Judgement judgement = judge(asked, interpret(asked), answers);
  EXPECT_EQ(judgement.verdict, Verdict::fail);
  ASSERT_TRUE(judgement.difference);
  EXPECT_EQ(judgement.difference->tensor.first.at(0).index, 2);
}

TEST(Readings, AreNotMixedWithinOneOutput) {
  using Before23 = spec::SameFloatDivisionBefore23;
  const Case asked = case_of({float16_division(21)});
  std::vector<Answer> answers = std::get<std::vector<Answer>>(answer_of(asked, {}));
  const UnitAnswer in_float16 = answer_of(asked, Policy{}.with<Before23>(Before23::in_input_type));
  const auto& other = std::get<Outputs>(std::get<std::vector<Answer>>(in_float16)[0])[0].value;
  std::get<Outputs>(answers[0])[0].value.set_code(1, other.code(1));
  EXPECT_EQ(judge(asked, interpret(asked), answers).verdict, Verdict::fail)
      << "the same division, once by one reading and once by the other";
}

TEST(Readings, AreNotMixedBetweenDataSets) {
  using Before23 = spec::SameFloatDivisionBefore23;
  const Case asked = case_of({float16_division(21), float16_division(21)});
  std::vector<Answer> answers = std::get<std::vector<Answer>>(answer_of(asked, {}));
  const UnitAnswer in_float16 = answer_of(asked, Policy{}.with<Before23>(Before23::in_input_type));
  answers[1] = std::get<std::vector<Answer>>(in_float16)[1];
  EXPECT_EQ(judge(asked, interpret(asked), answers).verdict, Verdict::fail);
}

TEST(Readings, DoNotCountWhenTheJudgeIsStrict) {
  using Before23 = spec::SameFloatDivisionBefore23;
  const Case asked = case_of({float16_division(21)});
  EXPECT_EQ(judge_policy(asked, Policy{}.with<Before23>(Before23::in_input_type), {.strict = true}).verdict,
            Verdict::fail);
}

/// AMB-05: 77.56914520263672 / 0.6280902624130249 is 123.5, a tie, in float32, and less than that exactly.
TEST(Readings, ArePermittedInSomeVersionsOnly) {
  using Division = spec::Float32Division;
  const auto node = [](int opset) {
    return reference::quantize(opset, vector(float32, {77.56914520263672}), scalar(float32, 0.6280902624130249),
                               scalar(uint8, 0));
  };
  const Policy exact = Policy{}.with<Division>(Division::exact_quotient);
  EXPECT_EQ(judge_policy(case_of({node(21)}), exact).verdict, Verdict::pass_variant);
  EXPECT_EQ(judge_policy(case_of({node(23)}), exact).verdict, Verdict::fail);
}

TEST(Readings, ThatAreRejectedExplainNothing) {
  const Node node = reference::quantize(21, vector(float32, {2.5}), scalar(float32, 1), scalar(uint8, 0));
  const Judgement judgement = judge_policy(case_of({node}), Policy{}.with<spec::Ties>(spec::Ties::away_from_zero));
  EXPECT_EQ(judgement.verdict, Verdict::fail);
}

/// Two elements that need a reading each: NaN to float4 (AMB-24), and a zero point that is ignored (AMB-26).
TEST(Readings, ExplainTogetherWhatNoneExplainsAlone) {
  const Node node =
      reference::quantize(23, vector(float32, {reference::nan, 1}), scalar(float32, 1), scalar(float4e2m1, 1));
  const Policy both = Policy{}
                          .with<spec::NanToFloat4>(spec::NanToFloat4::negative_zero)
                          .with<spec::Float4ZeroPointQuantize>(spec::Float4ZeroPointQuantize::ignored);
  const Judgement judgement = judge_policy(case_of({node}), both);
  EXPECT_EQ(judgement.verdict, Verdict::pass_variant);
  EXPECT_EQ(judgement.readings.size(), 2U) << judgement.reason;
}

/// One element that needs two readings at once: the quotient of two equal subnormal numbers is NaN where they are
/// flushed to zero, and NaN may become -0 in float4 (AMB-24). Each alone leaves it wrong.
TEST(Readings, ExplainTogetherWhatEachAloneLeavesWrong) {
  const double subnormal = std::ldexp(3, -140);
  const Node node =
      reference::quantize(23, vector(float32, {subnormal}), scalar(float32, subnormal), scalar(float4e2m1, 0));
  const Policy both = Policy{}
                          .with<spec::NanToFloat4>(spec::NanToFloat4::negative_zero)
                          .with<spec::Subnormals>(spec::Subnormals::flushes_wide_types);
  const Judgement judgement = judge_policy(case_of({node}), both);
  EXPECT_EQ(name(judgement.verdict), name(Verdict::pass_variant)) << judgement.reason;
  EXPECT_EQ(judgement.readings.size(), 2U) << judgement.reason;
}

/// AMB-29: an int32 zero point that is not zero. Honouring it is permitted, and then its value is checked.
Node int32_with_zero_point() {
  return reference::dequantize(21, vector(int32, {7}), scalar(float32, 1), scalar(int32, 5));
}

TEST(Readings, MayPermitWhatThePrimaryOneRejects) {
  const Case asked = case_of({int32_with_zero_point()});
  EXPECT_EQ(judge_policy(asked, {}).verdict, Verdict::pass) << "a refusal";
  using ZeroPoint = spec::Int32ZeroPoint;
  EXPECT_EQ(judge_policy(asked, Policy{}.with<ZeroPoint>(ZeroPoint::subtracted)).verdict, Verdict::pass_variant);
  EXPECT_EQ(judge_policy(asked, Policy{}.with<ZeroPoint>(ZeroPoint::ignored)).verdict, Verdict::pass_variant);
  const Policy wraps = Policy{}
                           .with<ZeroPoint>(ZeroPoint::subtracted)
                           .with<spec::Int32SubtractionOverflow>(spec::Int32SubtractionOverflow::wrapping_int32);
  const Node overflow = reference::dequantize(21, vector(int32, {-2147483648}), scalar(float32, 1), scalar(int32, 1));
  EXPECT_EQ(judge_policy(case_of({overflow}), wraps).verdict, Verdict::accepts_invalid);
  EXPECT_EQ(judge_policy(asked, Policy{}.with<ZeroPoint>(ZeroPoint::subtracted), {.strict = true}).verdict,
            Verdict::accepts_invalid);
}

TEST(Readings, MayRejectWhatThePrimaryOnePermits) {
  const Node zero_scale = reference::quantize(21, vector(float32, {1}), scalar(float32, 0), scalar(uint8, 0));
  const Case asked = case_of({zero_scale});
  const Answer refusal = Refusal{"the scale is zero"};
  const Judgement permitted = judge(asked, interpret(asked), std::vector<Answer>{refusal});
  EXPECT_EQ(name(permitted.verdict), name(Verdict::rejects_variant));
  EXPECT_THAT(permitted.readings, ElementsAre(is_reading("amb-scale-domain", "zero-or-non-finite-invalid")));
  EXPECT_THAT(permitted.reason, AllOf(HasSubstr("the scale is zero"), HasSubstr("amb-scale-domain")));
  EXPECT_EQ(judge(asked, interpret(asked), std::vector<Answer>{refusal}, {.strict = true}).verdict,
            Verdict::rejects_valid);
  const Case ordinary = case_of({float16_division(21)});
  const Judgement judgement = judge(ordinary, interpret(ordinary), std::vector<Answer>{refusal});
  EXPECT_EQ(judgement.verdict, Verdict::rejects_valid);
  EXPECT_THAT(judgement.reason, HasSubstr("the scale is zero"));
}

/// Who computes one data set and refuses another takes the model: it is the input that is refused.
TEST(Readings, OfARejectionShowWhereOtherDataIsTaken) {
  const auto scaled_by = [](double scale) {
    return reference::quantize(21, vector(float32, {1}), scalar(float32, scale), scalar(uint8, 0));
  };
  const Case asked = case_of({scaled_by(1), scaled_by(0)});
  const auto answers = std::get<std::vector<Answer>>(answer_of(asked, {}));
  EXPECT_EQ(judge(asked, interpret(asked), std::vector<Answer>{answers[0], Refusal{"zero"}}).verdict,
            Verdict::pass_variant);
  EXPECT_EQ(judge(asked, interpret(asked), Refusal{"no such kernel"}).verdict, Verdict::rejects_valid)
      << "no reading rejects the first";
}

/// Files that bring an output where the node must be rejected.
TEST(Files, ThatContradictTheSpecificationAreNobodysFault) {
  Case asked = case_of({reference::quantize(10, vector(float32, {1, 2}), vector(float32, {1, 1}), scalar(uint8, 0))});
  const Outputs output{{asked.model.graph_outputs.front(), vector(uint8, {1, 2})}};
  asked.data_sets[0].expected = output;
  for (const Answer& answer : {Answer{output}, Answer{Refusal{"no"}}}) {
    const Judgement judgement = judge(asked, interpret(asked), std::vector<Answer>{answer});
    EXPECT_EQ(name(judgement.verdict), name(Verdict::harness_error));
    EXPECT_THAT(judgement.reason, HasSubstr("the files expect an output, but the specification a rejection"));
  }
}

TEST(Files, MayFollowAReadingThatPermitsWhatThePrimaryOneRejects) {
  Case asked = case_of({int32_with_zero_point()});
  const Outputs output{{asked.model.graph_outputs.front(), vector(float32, {2})}};
  asked.data_sets[0].expected = output;
  EXPECT_EQ(judge(asked, interpret(asked), std::vector<Answer>{output}).verdict, Verdict::pass_variant);
  EXPECT_EQ(judge(asked, interpret(asked), Refusal{"no"}).verdict, Verdict::pass);
  EXPECT_EQ(judge(asked, interpret(asked), Refusal{"no"}, {.strict = true}).verdict, Verdict::harness_error);
}

TEST(Readings, LeaveMaskedElementsAlone) {
  const Case asked =
      case_of({reference::quantize(21, vector(float32, {reference::nan, 2}), scalar(float32, 1), scalar(uint8, 0))});
  std::vector<Answer> answers = std::get<std::vector<Answer>>(answer_of(asked, {}));
  std::get<Outputs>(answers[0])[0].value.set_code(0, 77);
  EXPECT_EQ(judge(asked, interpret(asked), answers).verdict, Verdict::pass) << "NaN may give any integer";
  std::get<Outputs>(answers[0])[0].value.set_code(1, 77);
  EXPECT_EQ(judge(asked, interpret(asked), answers).verdict, Verdict::fail) << "its neighbour may not";
}

/// AMB-68: the file is wrong, and a reader that does not mind computes what it would without the fault.
TEST(Readings, PermitToIgnoreThePaddingOfFloat6) {
  Case asked = case_of({reference::dequantize(28, vector(float6e2m3, {1, 2, 3}), scalar(float32, 1))});
  const UnitAnswer ignoring = answer_of(asked, {});
  asked.float6_padding_is_set = true;
  const Judgement judgement = judge(asked, interpret(asked), ignoring);
  EXPECT_EQ(judgement.verdict, Verdict::pass_variant);
  EXPECT_THAT(judgement.readings, ElementsAre(is_reading("amb-float6-padding", "ignored")));
  EXPECT_EQ(judge(asked, interpret(asked), Refusal{"padding"}).verdict, Verdict::pass);
  EXPECT_EQ(judge(asked, interpret(asked), ignoring, {.strict = true}).verdict, Verdict::accepts_invalid);
}

TEST(SignOfZero, CountsWhenItIsAskedFor) {
  const Case asked = case_of({reference::dequantize(21, vector(int8, {0}), scalar(float32, -1))});
  std::vector<Answer> answers = std::get<std::vector<Answer>>(answer_of(asked, {}));
  auto& y = std::get<Outputs>(answers[0])[0].value;
  ASSERT_EQ(y.code(0), 0x80000000U) << "0 * -1";
  y.set_code(0, 0);
  EXPECT_EQ(judge(asked, interpret(asked), answers).verdict, Verdict::pass);
  EXPECT_EQ(judge(asked, interpret(asked), answers, {.strict = true, .sign_of_zero = true}).verdict, Verdict::fail);
}

TEST(SecondRuns, AreTheSameToTheLastBit) {
  Case asked =
      case_of({reference::quantize(21, vector(float32, {reference::nan, 2}), scalar(float32, 1), scalar(uint8, 0))});
  asked.data_sets.push_back({.inputs = asked.data_sets[0].inputs, .expected = {}, .repeats = 0});
  std::vector<Answer> answers = std::get<std::vector<Answer>>(answer_of(asked, {}));
  EXPECT_EQ(judge(asked, interpret(asked), answers).verdict, Verdict::pass);
  std::get<Outputs>(answers[1])[0].value.set_code(0, 77);
  const Judgement judgement = judge(asked, interpret(asked), answers);
  EXPECT_EQ(judgement.verdict, Verdict::fail) << "any integer, but each time the same";
  EXPECT_THAT(judgement.reason, HasSubstr("another output"));
  std::get<Outputs>(answers[1]).push_back(std::get<Outputs>(answers[1])[0]);
  EXPECT_THAT(judge(asked, interpret(asked), answers).reason, HasSubstr("2 outputs in place of an output"));
  answers[1] = Refusal{"out of memory"};
  EXPECT_THAT(judge(asked, interpret(asked), answers).reason,
              HasSubstr("a refusal (out of memory) in place of an output"));
}

}  // namespace
}  // namespace touchstone::conformance
