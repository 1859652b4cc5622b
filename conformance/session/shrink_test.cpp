#include "conformance/session/shrink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/diagnose/hypotheses.h"
#include "conformance/diagnose/testing.h"
#include "conformance/generate/node_case.h"
#include "conformance/plan/digest.h"
#include "conformance/run/runner.h"
#include "conformance/testing.h"
#include "reference/interpreter.h"
#include "reference/testing.h"

namespace touchstone::conformance::shrink_test {
namespace {

using enum spec::ElementType;
using reference::Node;
using testing::Contains;
using testing::HasSubstr;

/// A backend that may answer a node in its own way, and otherwise answers correctly. Keeps the nodes that it was asked
/// for; std::nullopt for what cannot be read.
class Peculiar : public ReferenceBackend {
 public:
  using Answers = std::function<std::optional<UnitAnswer>(const Node&)>;
  explicit Peculiar(Answers answers) : answers_(std::move(answers)) {}

  UnitAnswer run(const Unit& unit) override {
    asked.push_back(bind_inputs(parse_model(std::string(unit.model), "unit"), unit.inputs.front()));
    const auto answer = answers_(asked.back());
    return answer ? *answer : ReferenceBackend::run(unit);
  }

  std::vector<Node> asked;

 private:
  Answers answers_;
};

UnitAnswer output(reference::Tensor y) { return std::vector<Answer>{Outputs{{"y", std::move(y)}}}; }

PlannedCase planned(const Node& node, const char* form = "inputs") {
  Case made = case_of(node, form_named(form));
  return {made.id, made_by({[made] { return made; }})};
}

PlannedCase standard_case(const std::string& filter) { return standard_cases(filter).at(0); }

Shrunk shrunk(const PlannedCase& planned, Backend& backend, const ShrinkOptions& options = {}) {
  return shrink(planned, run_case(planned, backend, options.judge), backend, options);
}

Node node_of(const Shrunk& shrunk) {
  return bind_inputs(shrunk.smallest.model, shrunk.smallest.data_sets.front().inputs);
}

// ---- wrong outputs

TEST(Shrink, LeavesOneElementOfAWrongTie) {
  for (const char* filter : {"quantize_linear/21/f32-f32-u8/per_axis/zp/values",
                             "quantize_linear/21/f16-f16-u8/blocked/zp/values", "quantize_linear/10/*-u8/*/large/*"}) {
    WrongBackend backend(find_hypothesis("rounds-half-away-from-zero"));
    const Shrunk found = shrunk(standard_case(filter), backend);
    ASSERT_TRUE(found.is_smaller) << filter;
    const Node node = node_of(found);
    EXPECT_EQ(node.inputs[0]->size(), 1) << reference::to_text(node);
    EXPECT_EQ(node.inputs[1]->shape(), reference::Shape{}) << reference::to_text(node);
    EXPECT_TRUE(node.attributes.empty()) << reference::to_text(node);
    EXPECT_EQ(found.record.verdict, Verdict::fail);
    EXPECT_EQ(found.record.id, standard_case(filter).id);
    EXPECT_THAT(found.record.hypotheses, Contains("rounds-half-away-from-zero"));
    EXPECT_EQ(found.record.wrong_elements.size(), 1U);
    EXPECT_LE(found.calls, 200U);
  }
}

TEST(Shrink, KeepsTheHypothesisOfTheCause) {
  for (const char* name : {"ignores-zero-point", "ignores-axis", "rounds-half-up", "wraps-in-int16"}) {
    WrongBackend backend(find_hypothesis(name));
    const std::vector<PlannedCase> cases = standard_cases("quantize_linear/21/f32-f32-u8/*");
    const auto failing = std::ranges::find_if(
        cases, [&](const PlannedCase& one) { return run_case(one, backend).verdict == Verdict::fail; });
    ASSERT_NE(failing, cases.end()) << name;
    const Shrunk found = shrunk(*failing, backend, {.judge = {}, .hypothesis = name});
    EXPECT_TRUE(found.is_smaller) << name;
    EXPECT_THAT(found.record.hypotheses, Contains(name));
    EXPECT_LE(node_of(found).inputs[0]->size(), 4) << name << ": " << reference::to_text(node_of(found));
  }
}

TEST(Shrink, KeepsAPairOrOneOfIt) {
  const std::string pair = "rounds-half-up+ignores-zero-point";
  WrongBackend backend(find_hypothesis(pair));
  const PlannedCase tested = planned(reference::quantize(21, reference::vector(float32, {0, 0.5, 1, 1.5, 2, 2.5, -7}),
                                                         reference::scalar(float32, 1), reference::scalar(int8, 5)));
  ASSERT_THAT(run_case(tested, backend).hypotheses, Contains(pair));
  const Shrunk both = shrunk(tested, backend, {.judge = {}, .hypothesis = pair});
  EXPECT_TRUE(both.is_smaller);
  EXPECT_THAT(both.record.hypotheses, Contains(pair));
  EXPECT_LE(node_of(both).inputs[0]->size(), 2);
  const Shrunk one = shrunk(tested, backend, {.judge = {}, .hypothesis = "ignores-zero-point"});
  EXPECT_TRUE(one.is_smaller);
  EXPECT_THAT(one.record.hypotheses, Contains("ignores-zero-point"));
  EXPECT_EQ(node_of(one).inputs[0]->size(), 1);
}

TEST(Shrink, LeavesAsManyElementsAsTheProblemNeeds) {
  constexpr std::int64_t least = 4096;
  Peculiar backend([](const Node& node) -> std::optional<UnitAnswer> {
    reference::Tensor y(uint8, node.inputs[0]->shape());  // of zeros
    if (y.size() >= least) y.set_code(5, 17);
    return output(std::move(y));
  });
  const Node whole = reference::quantize(21, reference::Tensor(float32, {2, 45, 46}), reference::scalar(float32, 0.5),
                                         reference::scalar(uint8, 0), {{"axis", std::int64_t{1}}});
  const Shrunk found = shrunk(planned(whole, "symbolic_initializers"), backend);
  ASSERT_TRUE(found.is_smaller);
  const Node node = node_of(found);
  EXPECT_EQ(node.inputs[0]->shape(), reference::Shape{least});
  EXPECT_EQ(node.inputs.size(), 2U);
  EXPECT_EQ(node.inputs[1]->code(0), reference::code_of(float32, 1));
  EXPECT_EQ(found.smallest.form, "inputs");
  EXPECT_LE(found.calls, 200U);
  EXPECT_EQ(found.calls + 1, backend.asked.size()) << "one call was for the whole case";
}

/// Most elements are explained by a known defect. Of the others, one is left.
TEST(Shrink, LeavesWhatNoOtherCauseExplains) {
  const std::vector<const WrongModel*> known = find_hypothesis("ignores-zero-point");
  Peculiar backend([&](const Node& node) -> std::optional<UnitAnswer> {
    UnitAnswer answer = answer_of(known, case_of(node, plain_form()));
    reference::Tensor& y = std::get<Outputs>(std::get<std::vector<Answer>>(answer).front()).front().value;
    for (std::int64_t i = 0; i < y.size(); ++i)
      if (y.code(i) == 5) y.set_code(i, 77);
    return answer;
  });
  const PlannedCase tested = planned(reference::quantize(21, reference::counting(float32, {4, 3}),
                                                         reference::scalar(float32, 1), reference::scalar(uint8, 9)));
  EXPECT_EQ(run_case(tested, backend).hypotheses, std::vector<std::string>{});
  const Shrunk found = shrunk(tested, backend, {.judge = {}, .other_hypotheses = {"ignores-zero-point"}});
  ASSERT_TRUE(found.is_smaller);
  const WrongElement& wrong = found.record.wrong_elements.front();
  EXPECT_EQ(wrong.actual.code, 77U) << reference::to_text(node_of(found));
  EXPECT_EQ(node_of(found).inputs[0]->size(), 1);
}

/// With simpler values, ignoring the scale would explain the result, and of other elements another cause of the run.
TEST(Shrink, KeepsWhatTellsACauseFromOthers) {
  static constexpr WrongModel first{.name = "first-scale-of-negative-axis",
                                    .group = WrongModelGroup::scale,
                                    .sentence = "",
                                    .steps = [](Steps& steps) { steps.scale_of = Lookup::first; },
                                    .where =
                                        [](const Place& place) {
                                          const auto axis = place.node.attributes.find("axis");
                                          return axis != place.node.attributes.end() &&
                                                 std::get<std::int64_t>(axis->second) < 0;
                                        }};
  for (const PlannedCase& one : standard_cases("quantize_linear/21/f32-f32-u8/per_axis/no_zp/*")) {
    WrongBackend backend({find_wrong_model("rounds-half-up"), &first});
    const CaseRecord whole = run_case(one, backend);
    if (std::ranges::find(*whole.hypotheses, "rounds-half-up+uses-first-scale") == whole.hypotheses->end()) continue;
    const Shrunk found = shrink(
        one, whole, backend, {.judge = {}, .hypothesis = "uses-first-scale", .other_hypotheses = {"rounds-half-up"}});
    const std::vector<std::string> names =
        run_case({one.id, made_by({[&] { return found.smallest; }})}, backend).hypotheses;
    EXPECT_THAT(names, Contains("uses-first-scale")) << reference::to_text(node_of(found));
    EXPECT_THAT(names, testing::Not(Contains("rounds-half-up"))) << reference::to_text(node_of(found));
    EXPECT_THAT(names, testing::Not(Contains("ignores-scale"))) << reference::to_text(node_of(found));
  }
}

TEST(Shrink, GivesTheSameAgain) {
  const PlannedCase tested = standard_case("quantize_linear/23/f32-f32-e4m3fn/blocked/zp/*/values");
  const auto one = [&] {
    WrongBackend backend(find_hypothesis("rounds-half-up"));
    return shrunk(tested, backend);
  };
  const Shrunk first = one();
  const Shrunk second = one();
  EXPECT_EQ(first.smallest.model.bytes, second.smallest.model.bytes);
  EXPECT_EQ(first.record, second.record);
  EXPECT_EQ(first.calls, second.calls);
}

// ---- refusals, crashes and timeouts

TEST(Shrink, KeepsWhatABackendRefuses) {
  const auto refusal = [](const Node& node) -> std::optional<UnitAnswer> {
    const auto axis = node.attributes.find("axis");
    if (axis == node.attributes.end() || std::get<std::int64_t>(axis->second) >= 0) return std::nullopt;
    return Refusal{"axis " + std::to_string(std::get<std::int64_t>(axis->second)) + " is not supported"};
  };
  Peculiar backend(refusal);
  const Node whole =
      reference::dequantize(21, reference::counting(int8, {3, 4, 5}), reference::tensor(float32, {4}, {1, 2, 4, 8}),
                            reference::tensor(int8, {4}, {1, 2, 3, 4}), {{"axis", std::int64_t{-2}}});
  const Shrunk found = shrunk(planned(whole, "constant_nodes"), backend);
  ASSERT_TRUE(found.is_smaller);
  const Node node = node_of(found);
  EXPECT_LE(node.inputs[0]->size(), 1) << reference::to_text(node);
  EXPECT_EQ(node.inputs.size(), 2U) << reference::to_text(node);
  EXPECT_EQ(node.attributes, (reference::Attributes{{"axis", std::int64_t{-1}}}));
  EXPECT_EQ(found.record.verdict, Verdict::rejects_valid);
  EXPECT_THAT(found.record.reason, HasSubstr("is not supported"));
  for (const Node& one : backend.asked) EXPECT_NE(reference::interpret(one).result(), nullptr);
}

TEST(Shrink, KeepsANegativeAxisNegativeWithFewerDimensions) {
  Peculiar backend([](const Node& node) -> std::optional<UnitAnswer> {
    const auto axis = node.attributes.find("axis");
    if (axis == node.attributes.end() || std::get<std::int64_t>(axis->second) >= 0 || node.inputs[1]->size() < 2)
      return std::nullopt;
    return Refusal{"no negative axes"};
  });
  const Node whole =
      reference::dequantize(21, reference::counting(int8, {3, 2, 2, 2}), reference::tensor(float32, {3}, {1, 2, 4}), {},
                            {{"axis", std::int64_t{-4}}});
  const Node node = node_of(shrunk(planned(whole, "inputs"), backend));
  EXPECT_EQ(node.inputs[0]->rank(), 2) << reference::to_text(node);
  EXPECT_EQ(node.attributes, (reference::Attributes{{"axis", std::int64_t{-2}}}));
}

TEST(Shrink, DoesNotTakeAnotherRefusalForTheSame) {
  Peculiar backend([](const Node& node) -> std::optional<UnitAnswer> {
    return Refusal{node.inputs[0]->size() < 10 ? "too small" : "not implemented"};
  });
  const Shrunk found = shrunk(planned(reference::quantize(21, reference::counting(float32, {4, 9}),
                                                          reference::scalar(float32, 1), reference::scalar(uint8, 0))),
                              backend);
  ASSERT_TRUE(found.is_smaller);
  EXPECT_EQ(node_of(found).inputs[0]->shape(), reference::Shape{10});
  EXPECT_EQ(found.record.reason, "not implemented");
}

/// A reading permits the refusal of a scale of 0, but the backend refuses everything. A scale of 1 shows that.
TEST(Shrink, ShowsARefusalThatNoReadingPermits) {
  const PlannedCase tested = standard_case("quantize_linear/21/f32-f32-u8/per_tensor/zp/scale/zero");
  Peculiar backend([](const Node&) { return Refusal{"no kernel"}; });
  const Shrunk found = shrunk(tested, backend);
  ASSERT_TRUE(found.is_smaller);
  EXPECT_EQ(found.record.verdict, Verdict::rejects_valid);
  EXPECT_EQ(node_of(found).inputs[1]->code(0), reference::code_of(float32, 1));
  EXPECT_EQ(node_of(found).inputs[0]->size(), 1);
}

TEST(Shrink, AsksRarelyAfterCrashesAndTimeouts) {
  const PlannedCase tested = standard_case("quantize_linear/21/f32-f32-u8/per_axis/zp/values");
  for (const auto& [kind, most] :
       {std::pair{Breakdown::Kind::crash, std::size_t{20}}, std::pair{Breakdown::Kind::timeout, std::size_t{4}}}) {
    Peculiar backend([kind = kind](const Node&) { return Breakdown{kind, "killed by signal 11"}; });
    const Shrunk found = shrunk(tested, backend);
    EXPECT_TRUE(found.is_smaller);
    EXPECT_EQ(node_of(found).inputs[0]->size(), 1);
    EXPECT_LE(found.calls, most);
    EXPECT_EQ(found.calls + 1, backend.asked.size());
  }
}

// ---- accepted invalid models

TEST(Shrink, KeepsTheViolatedClause) {
  Peculiar backend([](const Node& node) -> std::optional<UnitAnswer> {
    if (reference::interpret(node).result() != nullptr) return std::nullopt;
    return output(reference::Tensor(uint8, node.inputs[0]->shape()));
  });
  for (const char* id :
       {"quantize_linear/13/must_reject/scale/longer", "quantize_linear/21/must_reject/axis/per_axis/rank",
        "quantize_linear/19/must_reject/attribute/rounding"}) {
    const PlannedCase tested = standard_case(id);
    const CaseRecord record = run_case(tested, backend);
    ASSERT_EQ(record.verdict, Verdict::accepts_invalid);
    const Shrunk found = shrink(tested, record, backend);
    ASSERT_TRUE(found.is_smaller) << id;
    EXPECT_EQ(found.record.verdict, Verdict::accepts_invalid);
    EXPECT_EQ(found.record.violated, record.violated);
    EXPECT_LE(node_of(found).inputs[0]->size(), 2) << reference::to_text(node_of(found));
  }
}

// ---- what is not shrunk

TEST(Shrink, LeavesWhatDoesNotShowTheProblemAgain) {
  const PlannedCase tested = standard_case("quantize_linear/21/f32-f32-u8/per_axis/zp/values");
  int calls = 0;
  Peculiar backend([&](const Node&) -> std::optional<UnitAnswer> {
    return ++calls == 1 ? std::optional<UnitAnswer>(Refusal{"busy"}) : std::nullopt;
  });
  const Shrunk once = shrunk(tested, backend);
  EXPECT_FALSE(once.is_smaller);
  EXPECT_EQ(digest_of(once.smallest), digest_of(tested.read()));
  EXPECT_EQ(once.record.reason, "busy");

  calls = 0;
  Peculiar until_the_last_call([&](const Node&) -> std::optional<UnitAnswer> {
    return ++calls < 5 ? std::optional<UnitAnswer>(Refusal{"busy"}) : std::nullopt;
  });
  EXPECT_FALSE(shrunk(tested, until_the_last_call, {.judge = {}, .most_calls = 4}).is_smaller);
}

TEST(Shrink, LeavesAnExpectedOutputThatTheReferenceContradicts) {
  Case corrupted = per_axis_case();
  corrupted.data_sets[0].expected[0].value = tensor(uint8, {2, 3}, {10, 20, 30, 13, 22, 32});
  Peculiar backend([](const Node&) { return std::nullopt; });
  const Shrunk found = shrunk({"corrupted", made_by({[&] { return corrupted; }})}, backend);
  EXPECT_EQ(found.record.verdict, Verdict::fail);
  EXPECT_FALSE(found.is_smaller);
  EXPECT_EQ(found.calls, 0U);
  EXPECT_EQ(found.smallest.data_sets[0].expected.size(), 1U);
}

TEST(Shrink, EndsWhenItIsStopped) {
  const PlannedCase tested = standard_case("quantize_linear/21/f32-f32-u8/per_axis/zp/values");
  WrongBackend backend(find_hypothesis("rounds-half-up"));
  std::size_t calls = 0;
  const Shrunk found =
      shrunk(tested, backend,
             {.judge = {}, .stop = [&] { return calls >= 2; }, .on_call = [&](std::size_t number) { calls = number; }});
  EXPECT_LE(found.calls, 3U) << "the last one confirms the result";
  EXPECT_TRUE(found.is_smaller);
}

// ---- laws

/// Cases in which most wrong models show.
const std::vector<PlannedCase>& some_cases() {
  static const std::vector<PlannedCase> cases = standard_cases("*/values:*/length/*:*/shape/*:-*must_reject*", 97);
  return cases;
}

RC_GTEST_PROP(Shrunk, ShowsTheSameInLegalModelsAndFewCalls, ()) {
  const WrongModel& model = wrong_models()[*rc::gen::inRange<std::size_t>(0, wrong_models().size())];
  const PlannedCase& tested = some_cases().at(*rc::gen::inRange<std::size_t>(0, some_cases().size()));
  const auto most = *rc::gen::inRange<std::size_t>(0, 60);
  WrongBackend wrong({&model});
  const CaseRecord record = run_case(tested, wrong);
  RC_PRE(record.verdict == Verdict::fail);
  Peculiar counting([&](const Node& node) -> std::optional<UnitAnswer> {
    RC_ASSERT(reference::interpret(node).result() != nullptr);
    const Case asked = case_of(node, plain_form());
    return answer_of({&model}, asked);
  });
  const Shrunk found = shrink(tested, record, counting, {.judge = {}, .most_calls = most});
  RC_ASSERT(found.calls <= most);
  RC_ASSERT(counting.asked.size() == found.calls);
  RC_ASSERT(found.record.verdict == Verdict::fail);
  RC_ASSERT(found.record.id == record.id);
  if (!found.is_smaller) return;
  RC_ASSERT(describe(found.smallest).elements <= record.elements);
  const CaseRecord again = run_case({record.id, made_by({[&] { return found.smallest; }})}, wrong);
  RC_ASSERT(again.verdict == Verdict::fail);
  for (const std::string& name : found.record.hypotheses) {
    RC_ASSERT(std::ranges::find(record.hypotheses, name) != record.hypotheses.end());
    RC_ASSERT(std::ranges::find(again.hypotheses, name) != again.hypotheses.end());
  }
}

}  // namespace
}  // namespace touchstone::conformance::shrink_test
