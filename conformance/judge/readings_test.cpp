// The judge distinguishes wrong values from permitted readings, and names the readings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/generate/form.h"
#include "conformance/generate/model_builder.h"
#include "conformance/graphs/testing.h"
#include "conformance/judge/judge.h"
#include "reference/laws_testing.h"
#include "reference/opmx_testing.h"
#include "reference/testing.h"

namespace touchstone::conformance::readings_test {
namespace {

using enum spec::ElementType;
using reference::Node;
using reference::Policy;
using reference::scalar;
using reference::vector;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

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

TEST(Readings, DoNotIncludeTruncation) {
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

TEST(Readings, DoNotCountIfTheJudgeIsStrict) {
  using Before23 = spec::SameFloatDivisionBefore23;
  const Case asked = case_of({float16_division(21)});
  EXPECT_EQ(judge_policy(asked, Policy{}.with<Before23>(Before23::in_input_type), {.strict = true}).verdict,
            Verdict::fail);
}

/// AMB-05: 77.56914520263672 / 0.6280902624130249 is 123.5, a tie, in float32; the exact quotient is lower.
TEST(Readings, ArePermittedInSomeVersionsOnly) {
  using Division = spec::Float32Division;
  const auto node = [](int opset) {
    return reference::quantize(opset, vector(float32, {77.56914520263672}), scalar(float32, 0.6280902624130249),
                               scalar(uint8, 0));
  };
  const Policy exact = Policy{}.with<Division>(Division::exact_quotient);
  EXPECT_EQ(judge_policy(case_of({node(21)}), exact).verdict, Verdict::pass_variant);
  EXPECT_EQ(judge_policy(case_of({node(24)}), exact).verdict, Verdict::fail);
}

/// 2.210510492324829 / 0.07247575372457504 is 30.5, a tie, in float32; the exact quotient is higher. The draft of
/// version 23 does not specify the division, as version 21 does not (AMB-59). A node that sets precision does not
/// follow the draft.
TEST(Readings, OfTheDraftOf23MayDivideExactly) {
  using Draft = spec::DivisionOfTheDraftOf23;
  const auto node = [](const reference::Attributes& attributes) {
    return reference::quantize(23, vector(float32, {2.210510492324829}), scalar(float32, 0.07247575372457504),
                               scalar(uint8, 0), attributes);
  };
  const Policy policy =
      Policy{}.with<spec::WhichVersion23>(spec::WhichVersion23::draft).with<Draft>(Draft::exact_quotient);
  const Judgement judgement = judge_policy(case_of({node({})}), policy);
  EXPECT_EQ(name(judgement.verdict), name(Verdict::pass_variant)) << judgement.reason;
  EXPECT_THAT(judgement.readings,
              UnorderedElementsAre(is_reading("amb-which-version-23", "draft"),
                                   is_reading("amb-division-of-the-draft-of-23", "exact-quotient")));
  const Case precise = case_of({node({{"precision", reference::type_code(float32)}})});
  const Outputs exact{{precise.model.graph_outputs.front(), vector(uint8, {31})}};
  EXPECT_EQ(judge(precise, interpret(precise), std::vector<Answer>{exact}).verdict, Verdict::fail);
}

/// 8617046 / 50838.03125 is 169.499994; in float32 it is 169.5, a tie. float64 holds both operands (AMB-11). In 19 and
/// 21, a reading that admits these types computes the same as version 13 (AMB-13).
TEST(Readings, OfAnInt32InputMayDivideInFloat64) {
  for (const int opset : {13, 19, 21, 23, 25}) {
    const Case asked = case_of({reference::quantize(opset, vector(int32, {8617046}), scalar(float32, 50838.03125))});
    const Outputs outputs{{asked.model.graph_outputs.front(), vector(uint8, {169})}};
    const Judgement judgement = judge(asked, interpret(asked), std::vector<Answer>{outputs});
    EXPECT_EQ(name(judgement.verdict), name(Verdict::pass_variant)) << opset << ": " << judgement.reason;
  }
}

TEST(Readings, ThatAreRejectedExplainNothing) {
  const Node node = reference::quantize(21, vector(float32, {2.5}), scalar(float32, 1), scalar(uint8, 0));
  const Judgement judgement = judge_policy(case_of({node}), Policy{}.with<spec::Ties>(spec::Ties::away_from_zero));
  EXPECT_EQ(judgement.verdict, Verdict::fail);
}

/// Two elements, each of which needs a reading: NaN to float4 (AMB-24), and an ignored zero point (AMB-26).
TEST(Readings, CombineIfNoneExplainsAnElementAlone) {
  const Node node =
      reference::quantize(23, vector(float32, {reference::nan, 1}), scalar(float32, 1), scalar(float4e2m1, 1));
  const Policy both = Policy{}
                          .with<spec::NanToFloat4>(spec::NanToFloat4::negative_zero)
                          .with<spec::Float4ZeroPointQuantize>(spec::Float4ZeroPointQuantize::ignored);
  const Judgement judgement = judge_policy(case_of({node}), both);
  EXPECT_EQ(judgement.verdict, Verdict::pass_variant);
  EXPECT_EQ(judgement.readings.size(), 2U) << judgement.reason;
}

/// One element that needs two readings at once: the quotient of two equal subnormal numbers is NaN if they are flushed
/// to zero, and NaN may become -0 in float4 (AMB-24). Each reading alone leaves it wrong.
TEST(Readings, CombineIfEachAloneLeavesElementsWrong) {
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

/// AMB-29: an int32 zero point other than zero. Honouring it is permitted; its value is then checked.
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
  EXPECT_EQ(judge_policy(case_of({overflow}), wraps).verdict, Verdict::pass_variant);
  std::vector<Answer> wrong = std::get<std::vector<Answer>>(answer_of(case_of({overflow}), wraps));
  std::get<Outputs>(wrong[0])[0].value.set_code(0, 0x40000000);  // 2
  EXPECT_EQ(judge(case_of({overflow}), interpret(case_of({overflow})), wrong).verdict, Verdict::accepts_invalid);
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

/// A backend that computes one data set and refuses another accepts the model; it refuses the input.
TEST(Readings, OfARejectionShowWhenOtherDataIsAccepted) {
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

/// The files have an expected output although the node must be rejected.
TEST(Files, ThatContradictTheSpecificationAccuseNoBackend) {
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

TEST(Readings, IgnoreMaskedElements) {
  const Case asked =
      case_of({reference::quantize(21, vector(float32, {reference::nan, 2}), scalar(float32, 1), scalar(uint8, 0))});
  std::vector<Answer> answers = std::get<std::vector<Answer>>(answer_of(asked, {}));
  std::get<Outputs>(answers[0])[0].value.set_code(0, 77);
  EXPECT_EQ(judge(asked, interpret(asked), answers).verdict, Verdict::pass) << "NaN may give any integer";
  std::get<Outputs>(answers[0])[0].value.set_code(1, 77);
  EXPECT_EQ(judge(asked, interpret(asked), answers).verdict, Verdict::fail) << "its neighbour may not";
}

/// AMB-68: the file is invalid. A reader that ignores the fault computes the same as without it.
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

/// A vector of scales before version 13 (AMB-53), with int32 zero points other than zero (AMB-29). Each of the readings
/// alone gives a rejection, as the primary ones do.
TEST(Readings, AreFoundIfOnlyTheirCombinationPermitsTheNode) {
  const Node node = reference::dequantize(10, reference::tensor(int32, {1, 2}, {7, 9}), vector(float32, {1, 2}),
                                          reference::vector(int32, {5, 6}));
  const Case asked = case_of({node});
  const Policy both = Policy{}
                          .with<spec::PerAxisBefore13>(spec::PerAxisBefore13::axis_1)
                          .with<spec::Int32ZeroPoint>(spec::Int32ZeroPoint::subtracted);
  const Judgement judgement = judge_policy(asked, both);
  EXPECT_EQ(name(judgement.verdict), name(Verdict::pass_variant)) << judgement.reason;
  EXPECT_THAT(judgement.readings, UnorderedElementsAre(is_reading("amb-per-axis-before-13", "axis-1"),
                                                       is_reading("amb-int32-zero-point", "subtracted")));
  std::vector<Answer> wrong = std::get<std::vector<Answer>>(answer_of(asked, both));
  std::get<Outputs>(wrong[0])[0].value.set_code(0, 0x40a00000);
  EXPECT_EQ(name(judge(asked, interpret(asked), wrong).verdict), name(Verdict::accepts_invalid)) << "(7 - 5) * 1 is 2";
}

/// A scalar zero point with a vector of scales (AMB-41), a float8 zero point that is ignored (AMB-22), and a division
/// in float16 (AMB-06). 152.125 / 1.0009765625 is 151.98, which becomes 144; in float16 it is 152, a tie that becomes
/// 160. With the zero point, 64, the results would be 208 or 224.
TEST(Readings, AreFoundIfThreeAreNeeded) {
  const Node node = reference::quantize(19, reference::tensor(float16, {1, 2}, {152.125, 152.125}),
                                        vector(float16, {1.0009765625, 1.0009765625}), scalar(float8e4m3fn, 64));
  const Case asked = case_of({node});
  const Policy all = Policy{}
                         .with<spec::ScaleZeroPointShapes>(spec::ScaleZeroPointShapes::broadcast)
                         .with<spec::Float8ZeroPointQuantize>(spec::Float8ZeroPointQuantize::ignored)
                         .with<spec::SameFloatDivisionBefore23>(spec::SameFloatDivisionBefore23::in_input_type);
  const UnitAnswer answer = answer_of(asked, all);
  EXPECT_EQ(std::get<Outputs>(std::get<std::vector<Answer>>(answer)[0])[0].value.code(0), 0x72U) << "160";
  const Judgement judgement = judge(asked, interpret(asked), answer);
  EXPECT_EQ(name(judgement.verdict), name(Verdict::pass_variant)) << judgement.reason;
  EXPECT_EQ(judgement.readings.size(), 3U) << judgement.reason;
}

/// A negative subnormal scale and a floating-point zero point: many ambiguities decide whether opmx permits the node,
/// and many others decide each element. Their readings are not all combined. A flag of 2 is another such ambiguity,
/// with a reading that leaves all elements open.
TEST(Readings, ThatRejectTheNodeAreNotCombinedWithThoseOfItsElements) {
  using ScaleDomain = spec::ScaleDomain;
  using IntegerZeroPoint = spec::Int4IntegerZeroPoint;
  using FloatTyped = spec::FloatTypedZeroPoint;
  const auto asked = [](std::int64_t has_zero_point) {
    return case_of({reference::int4_node(
        reference::coded(int16, {1, 2}, {0x6a7d, 0xe76d}), reference::coded(float32, {}, {0x802000c5}),
        reference::coded(float16, {}, {0xf30f}), {{"group_size", 0}, {"has_zeropoint", has_zero_point}})});
  };
  const JudgeOptions options{.most_interpretations = 1'000};
  const Policy domain = Policy{}.with<ScaleDomain>(ScaleDomain::zero_or_non_finite_invalid);
  const Policy permitted = domain.with<IntegerZeroPoint>(IntegerZeroPoint::twos_complement);
  const Policy rejected = domain.with<FloatTyped>(FloatTyped::added);
  for (const std::int64_t flag : {1, 2})
    EXPECT_EQ(name(judge_policy(asked(flag), permitted, options).verdict), name(Verdict::pass_variant)) << flag;
  EXPECT_EQ(name(judge_policy(asked(1), rejected, options).verdict), name(Verdict::fail));
  const Judgement open = judge_policy(asked(2), rejected, options);
  EXPECT_THAT(open.readings, ElementsAre(is_reading("pmx-boolean-values", "only-one-is-true")));
}

RC_GTEST_PROP(ReadingsLaws, OfOpmxAlwaysGetAVerdict, ()) {
  const Policy policy = *reference::any_policy(8);
  const Case asked = case_of({*reference::any_opmx_node()});
  RC_ASSERT(judge_policy(asked, policy).verdict != Verdict::harness_error);
}

TEST(Readings, MayBeTooManyToTryAll) {
  const Case asked = case_of({float16_division(21)});
  const Policy policy = Policy{}.with<spec::SameFloatDivisionBefore23>(spec::SameFloatDivisionBefore23::in_input_type);
  const Judgement judgement = judge_policy(asked, policy, {.most_interpretations = 1});
  EXPECT_EQ(name(judgement.verdict), name(Verdict::harness_error)) << "an unknown result accuses no backend";
  EXPECT_THAT(judgement.reason, HasSubstr("2 of 3 elements differ"));
  EXPECT_THAT(judgement.reason, HasSubstr("the search for permitted readings was cut short after 1 interpretations"));
  EXPECT_THAT(judge_policy(asked, Policy{}.with<spec::Ties>(spec::Ties::upwards)).reason, Not(HasSubstr("cut short")));
}

/// A graph is computed again for each interpretation, which takes seconds if it is large.
TEST(Readings, OfGraphsNeedFewInterpretations) {
  const Case asked = sum_case("sum", {1, 0x1.01p0});  // bfloat16 has 7 fraction bits
  const std::vector<ReferenceOutcome> interpreted = interpret(asked);
  const auto judge_within_two = [&](const UnitAnswer& answer) {
    return judge(asked, interpreted, answer, {.most_interpretations = 2});
  };
  EXPECT_EQ(name(judge_within_two(Refusal{"too difficult"}).verdict), name(Verdict::rejects_valid))
      << "no reading of a value permits it";
  const Outputs rounded{{asked.model.graph_outputs.front(), reference::tensor(float32, {1, 1}, {2})}};
  const Judgement judgement = judge_within_two(std::vector<Answer>{rounded});
  EXPECT_EQ(name(judgement.verdict), name(Verdict::pass_variant)) << judgement.reason;
  EXPECT_THAT(judgement.readings, ElementsAre(ReadingId{"amb-factor-precision", "rounded-to-bfloat16"}));
}

/// The first data set follows a permitted reading. The second one has an element that follows none.
TEST(Readings, MustExplainAllDataSets) {
  const Case asked = case_of({float16_division(21), float16_division(21)});
  const Policy policy = Policy{}.with<spec::SameFloatDivisionBefore23>(spec::SameFloatDivisionBefore23::in_input_type);
  std::vector<Answer> answers = std::get<std::vector<Answer>>(answer_of(asked, policy));
  std::get<Outputs>(answers[1])[0].value.set_code(2, 5);  // 1 / 0.167 is 5.98
  const auto judge_within = [&](std::size_t bound) {
    return judge(asked, interpret(asked), answers, {.most_interpretations = bound});
  };
  const Judgement judgement = judge_within(JudgeOptions{}.most_interpretations);
  EXPECT_EQ(name(judgement.verdict), name(Verdict::fail));
  ASSERT_TRUE(judgement.difference);
  EXPECT_EQ(judgement.difference->data_set, 1U) << "the element that nothing explains";
  EXPECT_EQ(judgement.difference->tensor.first.at(0).index, 2);
  // The whole search takes more interpretations than one for the second data set alone.
  std::size_t bound = 0;
  while (name(judge_within(bound).verdict) != name(Verdict::fail)) ++bound;
  EXPECT_THAT(judge_within(bound).reason, HasSubstr("data set 1"));
}

/// With any limit, a backend that follows permitted readings is not accused, and one that follows none does not pass.
TEST(Readings, AreNeverAccusedBecauseOfTheBound) {
  const Case asked = case_of({float16_division(21)});
  const UnitAnswer permitted =
      answer_of(asked, Policy{}.with<spec::SameFloatDivisionBefore23>(spec::SameFloatDivisionBefore23::in_input_type));
  std::vector<Answer> wrong = std::get<std::vector<Answer>>(permitted);
  std::get<Outputs>(wrong[0])[0].value.set_code(2, 5);  // 1 / 0.167 is 5.98
  const std::vector<Answer> other_type{Outputs{{asked.model.graph_outputs.front(), vector(int8, {1, 1, 1})}}};
  bool is_found = false;
  std::size_t accused = 0;
  for (std::size_t bound = 0; bound < 400; ++bound) {
    const JudgeOptions options{.most_interpretations = bound};
    const Verdict of_permitted = judge(asked, interpret(asked), permitted, options).verdict;
    EXPECT_THAT(of_permitted, testing::AnyOf(Verdict::harness_error, Verdict::pass_variant)) << bound;
    is_found = is_found || of_permitted == Verdict::pass_variant;
    for (const std::vector<Answer>& answers : {wrong, other_type}) {
      const Verdict verdict = judge(asked, interpret(asked), answers, options).verdict;
      EXPECT_THAT(verdict, testing::AnyOf(Verdict::harness_error, Verdict::fail)) << bound;
      if (bound > 300 && verdict == Verdict::fail) ++accused;
    }
  }
  EXPECT_TRUE(is_found);
  EXPECT_EQ(accused, 2U * 99U) << "of 300 interpretations";
}

Verdict judge_codes(const Node& node, const std::vector<std::uint64_t>& codes) {
  const Case asked = case_of({node});
  const Outputs outputs{{asked.model.graph_outputs.front(), reference::coded(uint8, node.inputs[0]->shape(), codes)}};
  return judge(asked, interpret(asked), std::vector<Answer>{outputs}).verdict;
}

/// 2^-90 / 2^-140 saturates. If a subnormal scale is flushed to zero, the quotient is infinite, and the result may be
/// anything (AMB-16 and AMB-02). A single rejected reading also gives the smallest int32, so this output shows nothing.
TEST(Readings, ThatOnlyLeaveElementsOpenShowNothingWhereARejectedOneGivesThem) {
  const Node node = reference::quantize(21, vector(float32, {std::ldexp(1, -90)}), scalar(float32, std::ldexp(1, -140)),
                                        scalar(uint8, 0));
  EXPECT_EQ(judge_codes(node, {255}), Verdict::pass);
  EXPECT_EQ(judge_codes(node, {77}), Verdict::pass_variant) << "no rejected reading gives 77";
  EXPECT_EQ(judge_codes(node, {0}), Verdict::not_shown);
  const Judgement judgement =
      judge_policy(case_of({node}), Policy{}.with<spec::HugeQuotient>(spec::HugeQuotient::int32_minimum));
  EXPECT_EQ(judgement.verdict, Verdict::not_shown);
  EXPECT_THAT(judgement.reason, AllOf(HasSubstr("int32-minimum"), HasSubstr("amb-huge-quotient")));
  EXPECT_TRUE(judgement.readings.empty());
}

/// The same, with 2^40 / 1 in the next row. No permitted reading leaves that open, so a backend that returns the
/// smallest int32 for it follows the rejected reading.
TEST(Readings, ThatLeaveAnElementOpenDoNotExcuseAFiniteQuotientOfNormalNumbers) {
  const Node node =
      reference::quantize(21, reference::tensor(float32, {2, 1}, {std::ldexp(1, -90), std::ldexp(1, 40)}),
                          vector(float32, {std::ldexp(1, -140), 1}), vector(uint8, {0, 0}), {{"axis", 0}});
  EXPECT_EQ(judge_codes(node, {255, 255}), Verdict::pass);
  EXPECT_EQ(judge_codes(node, {0, 255}), Verdict::pass_variant);
  EXPECT_EQ(judge_codes(node, {0, 0}), Verdict::fail);
  EXPECT_EQ(judge_policy(case_of({node}), Policy{}.with<spec::HugeQuotient>(spec::HugeQuotient::int32_minimum)).verdict,
            Verdict::fail);
}

/// The same, with 3 * 2^-128 / 2^-126 in the next row: 0.75, or 0 if subnormal numbers are flushed to zero.
TEST(Readings, ThatExplainOneElementAndLeaveAnotherOpenApplyToBoth) {
  const Node node = reference::quantize(
      21, reference::tensor(float32, {2, 1}, {std::ldexp(1, -90), std::ldexp(3, -128)}),
      vector(float32, {std::ldexp(1, -140), std::ldexp(1, -126)}), vector(uint8, {0, 0}), {{"axis", 0}});
  EXPECT_EQ(judge_codes(node, {255, 1}), Verdict::pass);
  EXPECT_EQ(judge_codes(node, {0, 0}), Verdict::pass_variant);
  EXPECT_EQ(judge_codes(node, {0, 1}), Verdict::fail) << "one is taken for zero, and the other is not";
}

TEST(Readings, ListUnexplainedElementsFirst) {
  std::vector<double> x(9, 26);
  x.push_back(1);
  const Case asked =
      case_of({reference::quantize(21, vector(float16, x), scalar(float16, 0.167236328125), scalar(uint8, 0))});
  std::vector<Answer> answers = std::get<std::vector<Answer>>(
      answer_of(asked, Policy{}.with<spec::SameFloatDivisionBefore23>(spec::SameFloatDivisionBefore23::in_input_type)));
  std::get<Outputs>(answers[0])[0].value.set_code(9, 5);  // 1 / 0.167 is 5.98
  const Judgement judgement = judge(asked, interpret(asked), answers);
  EXPECT_EQ(judgement.verdict, Verdict::fail);
  ASSERT_TRUE(judgement.difference);
  ASSERT_EQ(judgement.difference->tensor.first.size(), first_differences);
  EXPECT_EQ(judgement.difference->tensor.first[0].index, 9);
  EXPECT_EQ(judgement.difference->tensor.first[1].index, 0);
}

TEST(Judge, DescribesWhetherAContainerHoldsTheRightCodes) {
  const Case asked =
      case_of({reference::quantize(23, vector(float32, {1, -1}), scalar(float32, 1), scalar(float8e4m3fn, 0))});
  const auto reason = [&](spec::ElementType type, std::uint64_t second) {
    const Outputs outputs{{asked.model.graph_outputs.front(), reference::coded(type, {2}, {0x38, second})}};
    const Judgement judgement = judge(asked, interpret(asked), std::vector<Answer>{outputs});
    EXPECT_EQ(judgement.verdict, Verdict::fail);
    return judgement.reason;
  };
  EXPECT_THAT(reason(uint8, 0xb8), HasSubstr("the type is uint8, expected float8e4m3fn; the codes are right"));
  EXPECT_THAT(reason(uint8, 0xb9), HasSubstr("expected float8e4m3fn; of the codes 1 of 2 elements differ"));
  EXPECT_THAT(reason(float8e5m2, 0xb8), Not(HasSubstr("codes")));
  const Case four_bits =
      case_of({reference::quantize(21, vector(float32, {3, -1}), scalar(float32, 1), scalar(int4, 0))});
  const Outputs bytes{{four_bits.model.graph_outputs.front(), reference::coded(int8, {2}, {0x03, 0xff})}};
  EXPECT_THAT(judge(four_bits, interpret(four_bits), std::vector<Answer>{bytes}).reason,
              HasSubstr("the type is int8, expected int4; the codes are right"));
}

TEST(SignOfZero, CountsOnRequest) {
  Case asked = case_of({reference::dequantize(21, vector(int8, {0, 1}), scalar(float32, -1))});
  const std::vector<Answer> negative = std::get<std::vector<Answer>>(answer_of(asked, {}));
  ASSERT_EQ(std::get<Outputs>(negative[0])[0].value.code(0), 0x80000000U) << "0 * -1";
  std::vector<Answer> positive = negative;
  std::get<Outputs>(positive[0])[0].value.set_code(0, 0);
  for (const char* of : {"what the reference computes", "a file"}) {
    const Judgement lenient = judge(asked, interpret(asked), positive);
    EXPECT_EQ(name(lenient.verdict), name(Verdict::pass)) << of;
    EXPECT_THAT(lenient.reason, HasSubstr("1 of 2 elements differ only in the sign of zero")) << of;
    const Judgement judgement = judge(asked, interpret(asked), positive, {.strict = true, .sign_of_zero = true});
    EXPECT_EQ(name(judgement.verdict), name(Verdict::fail)) << of;
    EXPECT_THAT(judgement.reason, HasSubstr("1 of 2 elements differ only in the sign of zero")) << of;
    EXPECT_EQ(judge(asked, interpret(asked), negative).reason, "") << of;
    asked.data_sets[0].expected = std::get<Outputs>(negative[0]);
  }
  asked.data_sets[0].expected = std::get<Outputs>(positive[0]);
  EXPECT_TRUE(reference_agrees(asked, interpret(asked)));
  EXPECT_FALSE(reference_agrees(asked, interpret(asked), true));
}

TEST(SecondRuns, AreBitIdenticalExceptForMaskedElements) {
  Case asked =
      case_of({reference::quantize(21, vector(float32, {reference::nan, 2}), scalar(float32, 1), scalar(uint8, 0))});
  asked.data_sets.push_back({.inputs = asked.data_sets[0].inputs, .expected = {}, .repeats = 0});
  std::vector<Answer> answers = std::get<std::vector<Answer>>(answer_of(asked, {}));
  EXPECT_EQ(judge(asked, interpret(asked), answers).verdict, Verdict::pass);
  std::get<Outputs>(answers[1])[0].value.set_code(0, 77);
  EXPECT_EQ(judge(asked, interpret(asked), answers).verdict, Verdict::pass) << "NaN may give any integer";
  std::get<Outputs>(answers[1])[0].value.set_code(1, 77);
  const Judgement judgement = judge(asked, interpret(asked), answers);
  EXPECT_EQ(judgement.verdict, Verdict::fail);
  EXPECT_THAT(judgement.reason, HasSubstr("another output"));
  std::get<Outputs>(answers[1]).push_back(std::get<Outputs>(answers[1])[0]);
  EXPECT_THAT(judge(asked, interpret(asked), answers).reason, HasSubstr("2 outputs in place of an output"));
  answers[1] = Refusal{"out of memory"};
  EXPECT_THAT(judge(asked, interpret(asked), answers).reason,
              HasSubstr("a refusal (out of memory) in place of an output"));
}

/// A permitted reading allows any integer for infinity (AMB-02), and a different one in the second run.
TEST(SecondRuns, MayDifferWhereAPermittedReadingLeavesAnElementOpen) {
  Case asked = case_of({reference::quantize(21, vector(float32, {HUGE_VAL, 2}), scalar(float32, 1), scalar(uint8, 0))});
  asked.data_sets.push_back({.inputs = asked.data_sets[0].inputs, .expected = {}, .repeats = 0});
  std::vector<Answer> answers = std::get<std::vector<Answer>>(answer_of(asked, {}));
  std::get<Outputs>(answers[1])[0].value.set_code(0, 77);
  EXPECT_EQ(name(judge(asked, interpret(asked), answers).verdict), name(Verdict::pass_variant));
}

// ---- graphs

/// 65600 is 65536 in bfloat16, and infinite in float16; 2049 is 2048 in both, and in TF32.
TEST(Readings, OfThePrecisionOfFactorsArePermitted) {
  using Precision = spec::FactorPrecision;
  const Case asked = sum_case("sum", {65600, 2049});
  const auto judged = [&](double sum) {
    return judge(asked, interpret(asked),
                 std::vector<Answer>{Outputs{{"", reference::tensor(float32, {1, 1}, {sum})}}});
  };
  EXPECT_EQ(judged(67649).verdict, Verdict::pass);
  struct Row {
    double sum;
    std::string_view reading;
  };
  for (const auto& [sum, reading] :
       {Row{67584, "rounded-to-bfloat16"}, Row{INFINITY, "rounded-to-float16"}, Row{67648, "rounded-to-tf32"}}) {
    const Judgement judgement = judged(sum);
    EXPECT_EQ(judgement.verdict, Verdict::pass_variant) << sum;
    EXPECT_THAT(judgement.readings, ElementsAre(is_reading("amb-factor-precision", reading)));
  }
  EXPECT_EQ(judged(67650).verdict, Verdict::fail);
  const Judgement judgement = judge_policy(asked, Policy{}.with<Precision>(Precision::quantized_to_int8));
  EXPECT_EQ(judgement.verdict, Verdict::fail);
}

/// Under float16, the second number may be flushed to zero, so that reading explains any answer.
TEST(Readings, ThatDecideNothingAccuseNobody) {
  const Case asked = sum_case("sum", {1, 0x1p-15});
  for (const double sum : {1 + 0x1p-14, 1.0}) {
    const Judgement judgement =
        judge(asked, interpret(asked), std::vector<Answer>{Outputs{{"", reference::tensor(float32, {1, 1}, {sum})}}});
    EXPECT_EQ(judgement.verdict, Verdict::pass_variant);
    EXPECT_THAT(judgement.readings, ElementsAre(is_reading("amb-factor-precision", "rounded-to-float16")));
  }
}

}  // namespace
}  // namespace touchstone::conformance::readings_test
