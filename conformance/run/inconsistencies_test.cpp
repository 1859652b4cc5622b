// Backends that follow different readings in similar cases are reported, and no others.
#include "conformance/run/inconsistencies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "conformance/judge/compatible_readings.h"
#include "conformance/run/testing.h"
#include "conformance/testing.h"

namespace touchstone::conformance::inconsistencies_test {
namespace {

using enum spec::ElementType;
using reference::Node;
using reference::Policy;
using reference::scalar;
using reference::vector;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// Cases, each with the answer of a backend that follows a given policy in it.
class Inconsistencies : public Runs, public testing::Test {
 protected:
  std::vector<Inconsistency> find(const ExaminationOptions& options = {}) const {
    return find_inconsistencies(plan_, records_, options);
  }
};

TEST_F(Inconsistencies, AreTwoCasesThatNoReadingExplains) {
  add("a", division({26, 1}), in_float16);
  add("b", division({1, 1, 1}), {});
  add("c", division({26}), {});
  add("d", division({26, 26, 1}), in_float16);
  const std::vector<Inconsistency> found = find();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].ambiguity, Before23::row.id);
  const auto* version_21 = spec::resolve(spec::ai_onnx, spec::Operator::quantize_linear, 21);
  const ReadingGroup group{version_21, float16, float16, uint8, uint8, std::nullopt, "inputs"};
  EXPECT_TRUE(found[0].group == group);
  const auto& [followed, other] = found[0].evidence;
  EXPECT_THAT(followed.readings, ElementsAre("in-input-type"));
  EXPECT_EQ(followed.id, "a");
  EXPECT_EQ(followed.cases, 2U);
  EXPECT_THAT(other.readings, ElementsAre("in-float32", "exact-quotient")) << "155.47, and never a tie";
  EXPECT_EQ(other.id, "c") << "b comes out the same by both readings";
  EXPECT_EQ(other.cases, 1U);
}

TEST_F(Inconsistencies, AreNotFoundInABackendThatFollowsOneReading) {
  for (const Policy& policy : {Policy{}, in_float16}) {
    plan_.clear();
    records_.clear();
    add("a", division({26, 1}), policy);
    add("b", division({26}), policy);
    add("c", division({1}), policy);
    EXPECT_THAT(find(), IsEmpty());
  }
}

TEST_F(Inconsistencies, AreNotFoundBetweenCasesThatDoNotShowAReading) {
  add("a", division({26, 1}), in_float16);
  add("b", division({1, 1}), {});
  EXPECT_THAT(find(), IsEmpty());
}

TEST_F(Inconsistencies, AreNotFoundBetweenVersionsTypesAndForms) {
  add("a", division({26}, 21), in_float16);
  add("another version", division({26}, 19), {});
  add("another type", division({26}, 21, uint16), {});
  Case other = case_of("another form", division({26}, 21));
  other.form = "initializers";
  add(other, {});
  EXPECT_THAT(find(), IsEmpty());
  add("an opset of the same version", division({26}, 22), {});
  EXPECT_THAT(find(), SizeIs(1));
}

TEST_F(Inconsistencies, AreFoundWhereTheZeroPointIsAbsent) {
  Node without = division({26});
  without.inputs.pop_back();
  add("a", division({26}), in_float16);
  add("b", without, {});
  EXPECT_THAT(find(), SizeIs(1));
}

/// A backend for which infinite quotients are undefined may return anything for them, including the results of another
/// reading.
TEST_F(Inconsistencies, AreNotFoundWhereAReadingLeavesElementsOpen) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto node = [&] {
    return reference::quantize(21, vector(float32, {infinity, 1}), scalar(float32, 1), scalar(uint8, 0));
  };
  const Case one = case_of("a", node());
  plan_.push_back({"a", made_by({[one] { return one; }})});
  FakeBackend backend([] { return std::vector<Answer>{Outputs{{"y", tensor(uint8, {2}, {0, 1})}}}; });
  records_.push_back(run_case(plan_.back(), backend));
  ASSERT_EQ(records_[0].verdict, Verdict::pass_variant) << *records_[0].reason;
  add("b", node(), {});
  ASSERT_EQ(records_[1].verdict, Verdict::pass);
  EXPECT_THAT(find(), IsEmpty());
}

const auto offer_scale_of_1 = [](const TakeCase& take) {
  take(case_of("ordinary", reference::quantize(21, vector(float32, {1}), scalar(float32, 1), scalar(uint8, 0))));
};

Node scaled_by(double scale) {
  return reference::quantize(21, vector(float32, {1, -1}), scalar(float32, scale), scalar(uint8, 0));
}

const Policy refuses_zero = Policy{}.with<spec::ScaleDomain>(spec::ScaleDomain::zero_or_non_finite_invalid);

/// A scale of 0 may be refused, but only by a backend that refuses all of them.
TEST_F(Inconsistencies, MayBeARefusalAndAnOutput) {
  add(case_of("a", scaled_by(0)), refuses_zero);
  add("b", scaled_by(0), {});
  ASSERT_EQ(records_[0].verdict, Verdict::rejects_valid) << "without a control a refusal shows nothing";
  ASSERT_EQ(records_[1].verdict, Verdict::pass) << *records_[1].reason;
  EXPECT_THAT(find(), IsEmpty());
  add(case_of("c", scaled_by(0)), refuses_zero, offer_scale_of_1);
  ASSERT_EQ(records_[2].verdict, Verdict::rejects_variant) << *records_[2].reason;
  EXPECT_THAT(find(), SizeIs(1));
}

TEST_F(Inconsistencies, UseOnlyCasesWithKnownAnswers) {
  add("a", division({26, 1}), in_float16);
  add("b", division({26}), {});
  ASSERT_THAT(find(), SizeIs(1));
  const std::vector<CaseRecord> records = records_;
  for (const VerdictInfo& row : verdicts) {
    if (row.verdict == Verdict::pass || row.verdict == Verdict::pass_variant || row.verdict == Verdict::rejects_variant)
      continue;
    records_[1].verdict = row.verdict;
    EXPECT_THAT(find(), IsEmpty()) << row.name;
  }
  records_ = records;
  records_[1].flaky = "fail when it was run again";
  EXPECT_THAT(find(), IsEmpty());
  records_ = records;
  records_[1].digest.bytes[0] ^= 1;
  EXPECT_THAT(find(), IsEmpty()) << "another case of the same id";
  records_ = records;
  plan_[1].source = made_by({[]() -> Case { throw FileError("b", "is gone"); }});
  EXPECT_THAT(find(), IsEmpty());
}

/// The outputs of a file may match no reading.
TEST_F(Inconsistencies, AreNotFoundIfAFileHasOtherOutputs) {
  add("a", division({26, 1}), in_float16);
  Case file = case_of("b", division({26}));
  file.data_sets[0].expected = {{"y", tensor(uint8, {1}, {7})}};
  add(file, {});
  records_[1].verdict = Verdict::pass;  // as for a backend that returns 7
  EXPECT_THAT(find(), IsEmpty());
}

TEST_F(Inconsistencies, DoNotDependOnTheNumberOfThreads) {
  for (int i = 0; i < 40; ++i) {
    const spec::ElementType y = std::array{uint8, int8, uint16, int16}[static_cast<std::size_t>(i) % 4];
    add("case " + std::to_string(i), division({26, double(i)}, i % 3 == 0 ? 21 : 19 + 2 * (i % 2), y),
        i % 5 == 0 ? in_float16 : Policy{});
  }
  const auto of_one = find({.sign_of_zero = false, .jobs = 1});
  EXPECT_GT(of_one.size(), 2U);
  EXPECT_TRUE(of_one == find({.sign_of_zero = false, .jobs = 7}));
}

/// Many cases without evidence come before the one that has it.
TEST_F(Inconsistencies, AreFoundAmongManyCases) {
  add("a", division({26}), in_float16);
  for (std::size_t i = 0; i + 1 < most_read; ++i) add("b" + std::to_string(i), division({1}), {});
  add("c", division({26}), {});
  ASSERT_THAT(find(), SizeIs(1));
  EXPECT_EQ(find()[0].evidence[1].id, "c");
}

/// Outputs for negative scales exclude the reading that such scales are invalid, but not the reading that only zero is.
TEST_F(Inconsistencies, AreFoundAfterCasesThatExcludeOtherReadings) {
  add(case_of("followed", scaled_by(0)), refuses_zero, offer_scale_of_1);
  for (std::size_t i = 0; i < 2 * most_examined; ++i) add("negative " + std::to_string(i), scaled_by(-1), {});
  EXPECT_THAT(find(), IsEmpty());
  add("contradicts", scaled_by(0), {});
  const std::vector<Inconsistency> found = find();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].evidence[0].id, "followed");
  EXPECT_EQ(found[0].evidence[1].id, "contradicts");
}

/// Exceptions are also passed on from other threads.
TEST_F(Inconsistencies, PassOnExceptions) {
  for (int i = 0; i < 16; ++i) {
    Case one = case_of("case " + std::to_string(i), division({26}));
    one.form = "form " + std::to_string(i);
    add(one, in_float16);
  }
  for (PlannedCase& planned : plan_) planned.source = made_by({[]() -> Case { throw 42; }});
  EXPECT_THROW(find({.sign_of_zero = false, .jobs = 8}), int);
}

// ---- the evidence of one verdict

ReadingSet set_of(std::initializer_list<std::size_t> readings) {
  ReadingSet set;
  for (const std::size_t reading : readings) set.set(reading);
  return set;
}

constexpr ExplanationOptions plenty{.sign_of_zero = false, .most_interpretations = 1000};

TEST(KnownAnswers, AreCompatibleWithTheReadingsThatExplainThem) {
  const std::size_t a = spec::ambiguity_index<Before23>;
  const Case tested = case_of("a", division({26, 1}));
  const std::vector<ReferenceOutcome> interpreted = interpret(tested);
  EXPECT_EQ(KnownAnswers(tested, interpreted, {}).compatible_readings(a, plenty),
            set_of({Before23::in_float32, Before23::exact_quotient}));
  const std::vector<Choice> choices{{a, Before23::in_input_type}};
  EXPECT_EQ(KnownAnswers(tested, interpreted, choices).compatible_readings(a, plenty),
            set_of({Before23::in_input_type}));
  const Case other = case_of("b", division({1}));
  const std::vector<ReferenceOutcome> of_other = interpret(other);
  EXPECT_EQ(KnownAnswers(other, of_other, {}).compatible_readings(a, plenty),
            set_of({Before23::in_float32, Before23::in_input_type, Before23::exact_quotient}));
}

TEST(KnownAnswers, AreCompatibleWithEveryReadingIfTheSearchIsCutShort) {
  const std::size_t a = spec::ambiguity_index<Before23>;
  const Case tested = case_of("a", division({26, 1}));
  const std::vector<ReferenceOutcome> interpreted = interpret(tested);
  EXPECT_EQ(
      KnownAnswers(tested, interpreted, {}).compatible_readings(a, {.sign_of_zero = false, .most_interpretations = 0}),
      set_of({Before23::in_float32, Before23::in_input_type, Before23::exact_quotient}));
}

}  // namespace
}  // namespace touchstone::conformance::inconsistencies_test
