// Backends with one seeded defect each: random examples find it, and simplification leaves a small example.
#include "conformance/properties/differential.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "conformance/backends/builtin/builtin_backends.h"
#include "conformance/files/test_directory.h"
#include "conformance/files/testing.h"
#include "conformance/generate/parts.h"
#include "conformance/generate/simpler_values.h"
#include "conformance/properties/example_generator.h"
#include "conformance/properties/examples_testing.h"
#include "conformance/properties/simpler_examples.h"
#include "reference/interpreter.h"
#include "reference/testing.h"
#include "spec/ambiguities.h"
#include "spec/clauses.h"

namespace touchstone::conformance::differential_test {

namespace {

using enum spec::ElementType;
using reference::Node;
using reference::Policy;
using reference::Tensor;
using testing::HasSubstr;

// ---- random examples

/// The exempt ones concern padding, which random examples of legal models do not set, files, and the products of
/// graphs. For the draft of 23, only a reading that is not the primary one has the question.
TEST(RandomExamples, ReachClausesAndAmbiguities) {
  const std::set<std::string_view> exempt{"amb-division-of-the-draft-of-23",
                                          "amb-factor-precision",
                                          "amb-float4-layout",
                                          "amb-float6-padding",
                                          "amb-packed-zero-points",
                                          "amb-padding-of-2-bit-inputs",
                                          "amb-padding-of-inputs",
                                          "amb-padding-of-outputs",
                                          "onnx-6-bit-padding"};
  std::set<std::string_view> missing;
  for (const spec::Clause& clause : spec::clauses) missing.insert(clause.id);
  for (const spec::Ambiguity* ambiguity : spec::ambiguities) missing.insert(ambiguity->id);
  for (std::uint64_t number = 0; number < 60000 && missing.size() > exempt.size(); ++number) {
    const reference::Outcome outcome = reference::interpret(node_in_model(random_example(0, number)));
    for (std::size_t i = 0; i < outcome.cited.size(); ++i)
      if (outcome.cited.test(i)) missing.erase(spec::clauses[i].id);
    for (std::size_t i = 0; i < outcome.consulted.size(); ++i)
      if (outcome.consulted.test(i)) missing.erase(spec::ambiguities[i]->id);
  }
  EXPECT_EQ(missing, exempt);
}

// ---- simple values

TEST(SimplerCodes, PreferNumbersThatAreEasyToRead) {
  const auto code = [](double number) { return reference::code_of(float32, number); };
  EXPECT_LT(complexity(float32, code(0)), complexity(float32, code(1)));
  EXPECT_LT(complexity(float32, code(1)), complexity(float32, code(2)));
  EXPECT_LT(complexity(float32, code(2)), complexity(float32, code(3)));
  EXPECT_LT(complexity(float32, code(3)), complexity(float32, code(-3)));
  EXPECT_LT(complexity(float32, code(0.5)), complexity(float32, code(0x1p-149)));
  EXPECT_LT(complexity(float32, code(1.5)), complexity(float32, code(0x1.000002p0)));
  EXPECT_LT(complexity(int8, 3), complexity(int8, 0xFF & static_cast<std::uint64_t>(-100)));
  EXPECT_TRUE(simpler_codes(float32, code(0)).empty());
  EXPECT_EQ(simpler_codes(float32, code(1)), reference::Codes{0});
  EXPECT_EQ(simpler_codes(int16, 100), (reference::Codes{0, 1, 50, 75, 88, 94, 97, 99}));
  EXPECT_THAT(simpler_codes(float32, code(-0x1.8p10)), testing::Contains(code(0x1.8p10)));
}

TEST(SimplerCodes, AreSimpler) {
  for (const spec::ElementTypeInfo& row : spec::element_types) {
    SCOPED_TRACE(row.name);
    for (std::uint64_t code = 0; code < 256; ++code)
      for (const std::uint64_t simpler : simpler_codes(row.type, code))
        EXPECT_LT(complexity(row.type, simpler), complexity(row.type, code)) << code << " to " << simpler;
  }
}

TEST(ShiftedCodes, EncodeNumbersTimesAPowerOfTwo) {
  EXPECT_EQ(shifted(float16, reference::code_of(float16, 1.5), -3), reference::code_of(float16, 0.1875));
  const std::uint64_t odd = reference::code_of(float16, 0x1.004p0);
  EXPECT_EQ(shifted(float16, odd, -20), odd) << "that has fewer bits, and would be rounded";
  EXPECT_EQ(shifted(float16, odd, 20), odd) << "that would be infinity";
}

// ---- parts

/// The expected code of an element of y, whatever else differs.
std::uint64_t code_of_y(const Node& node, std::int64_t index) {
  const reference::Outcome outcome = reference::interpret(node);
  if (outcome.result() == nullptr) RC_FAIL(outcome.rejection()->reason);
  return outcome.result()->y.code(index);
}

RC_GTEST_PROP(SingleElements, AreComputedAsInTheWholeTensor, ()) {
  const Node node = (*any_example()).node;
  const reference::Outcome outcome = reference::interpret(node);
  if (outcome.result() == nullptr) return;
  const Tensor& y = outcome.result()->y;
  const std::vector<Node> elements = single_elements(node, *outcome.result());
  RC_ASSERT(elements.size() == static_cast<std::size_t>(y.size()));
  // Packed int4 is skipped, because its parts contain four elements instead of element i alone.
  const bool is_packed = outcome.result()->x.type() != node.inputs[0]->type();
  for (std::int64_t i = 0; i < y.size() && !is_packed; ++i)
    RC_ASSERT(code_of_y(elements[static_cast<std::size_t>(i)], 0) == y.code(i));
}

TEST(Parts, KeepScaleAndZeroPointOfEachElement) {
  const Node node =
      reference::quantize(21, reference::counting(float32, {1, 5}), reference::tensor(float32, {1, 3}, {1, 2, 4}),
                          reference::tensor(uint8, {1, 3}, {10, 20, 30}), {{"block_size", 2}});
  const reference::Outcome whole = reference::interpret(node);
  ASSERT_THAT(whole, reference::gives({10, 11, 21, 22, 31}));
  std::vector<std::vector<std::uint64_t>> found;
  for (const Node& part : parts(node, *whole.result())) {
    const reference::Outcome outcome = reference::interpret(part);
    ASSERT_NE(outcome.result(), nullptr);
    const Tensor& y = outcome.result()->y;
    found.emplace_back();
    for (std::int64_t i = 0; i < y.size(); ++i) found.back().push_back(y.code(i));
  }
  using List = std::vector<std::uint64_t>;
  EXPECT_THAT(found, testing::ElementsAre(List{10}, List{10, 11}, List{10, 11, 21}, List{10, 11, 21, 22},
                                          List{21, 22, 31}, List{10, 11, 31}));
}

TEST(SmallerBlocks, KeepTheFirstElementsOfEachBlock) {
  const Node node = reference::quantize(21, reference::counting(float32, {1, 6}),
                                        reference::tensor(float32, {1, 2}, {1, 2}), std::nullopt, {{"block_size", 4}});
  const reference::Outcome whole = reference::interpret(node);
  ASSERT_NE(whole.result(), nullptr);
  const std::vector<Node> smaller = smaller_blocks(node, *whole.result());
  ASSERT_EQ(smaller.size(), 3U);
  EXPECT_THAT(reference::interpret(smaller[0]), reference::gives({0, 2}));
  EXPECT_THAT(reference::interpret(smaller[1]), reference::gives({0, 1, 2, 2}));
  EXPECT_THAT(reference::interpret(smaller[2]), reference::gives({0, 1, 2, 2, 2}));
}

/// An empty tensor may have a dimension of any length.
TEST(Parts, OfTheLongestDimensionAreFew) {
  constexpr std::int64_t longest = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t block = longest / 2 + 1;
  const Node node = reference::dequantize(21, Tensor(int8, {longest, 0}), Tensor(float32, {2, 0}), std::nullopt,
                                          {{"axis", 0}, {"block_size", block}});
  const reference::Outcome whole = reference::interpret(node);
  ASSERT_NE(whole.result(), nullptr) << whole.rejection()->reason;
  EXPECT_LT(parts(node, *whole.result()).size(), 100'000U);
  std::vector<std::int64_t> lengths;
  for (const Node& smaller : smaller_blocks(node, *whole.result())) lengths.push_back(smaller.inputs[0]->shape()[0]);
  EXPECT_THAT(lengths, testing::ElementsAre(2, block, longest - 1));
}

RC_GTEST_PROP(SimplerExamples, AreSimplerAndHaveModels, ()) {
  const Example example = *any_example();
  for (const Example& simpler : simpler_examples(example)) {
    RC_ASSERT(complexity(simpler) < complexity(example));
    RC_ASSERT(!case_of(simpler).model.node.inputs.empty());
  }
}

// ---- the whole

using Defect = std::function<UnitAnswer(const Node& node)>;

UnitAnswer answer_of(const Node& node, const Policy& policy = {}) {
  reference::Outcome outcome = reference::interpret(node, policy);
  if (outcome.result() == nullptr) return Refusal{outcome.rejection()->reason};
  return std::vector<Answer>{Outputs{{"y", std::move(std::get<reference::Result>(outcome.value).y)}}};
}

std::vector<Subject> subject_with(const Defect& defect) {
  return {{"defective", std::nullopt, [defect](const Case& tested, const optimized::Environment&) {
             return defect(bind_inputs(tested.model, tested.data_sets.front().inputs));
           }}};
}

constexpr JudgeOptions strict{.strict = true, .sign_of_zero = true};

std::optional<Fault> first_failure(const std::vector<Subject>& subjects, std::uint64_t examples) {
  for (std::uint64_t number = 0; number < examples; ++number)
    if (auto failure = try_example(random_example(7, number), subjects, strict)) return failure;
  return std::nullopt;
}

TEST(Differential, FindsNothingInARightBackend) {
  EXPECT_EQ(first_failure(subject_with([](const Node& node) { return answer_of(node); }), 300), std::nullopt);
  const std::vector<Subject> reference{subject_of("reference", make_backend("reference"))};
  EXPECT_EQ(first_failure(reference, 100), std::nullopt);
}

TEST(Differential, ReducesAWrongTieToOneElement) {
  const auto subjects = subject_with(
      [](const Node& node) { return answer_of(node, Policy{}.with<spec::Ties>(spec::Ties::away_from_zero)); });
  const auto failure = first_failure(subjects, 300);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->judgement.verdict, Verdict::fail);
  const Node& node = failure->example.node;
  ASSERT_EQ(node.inputs.size(), 2U);
  EXPECT_TRUE(node.attributes.empty()) << to_text(*failure);
  EXPECT_EQ(node.inputs[0]->size(), 1);
  EXPECT_EQ(node.inputs[1]->shape(), reference::Shape{});
  EXPECT_EQ(complexity(node.inputs[1]->type(), node.inputs[1]->code(0)), 1) << to_text(*failure);
  EXPECT_EQ(failure->example.form, &plain_form());
}

TEST(Differential, KeepsTheElementsThatTheDefectNeeds) {
  const auto subjects = subject_with([](const Node& node) {
    UnitAnswer answer = answer_of(node);
    if (auto* answers = std::get_if<std::vector<Answer>>(&answer)) {
      Tensor& y = std::get<Outputs>(answers->front()).front().value;
      if (y.size() % 8 == 7) y.set_code(y.size() - 1, 1 ^ y.code(y.size() - 1));
    }
    return answer;
  });
  const auto failure = first_failure(subjects, 300);
  ASSERT_TRUE(failure);
  const Node& node = failure->example.node;
  EXPECT_EQ(node.inputs[0]->shape(), reference::Shape{7}) << to_text(*failure);
  EXPECT_EQ(node.inputs[1]->shape(), reference::Shape{});
  for (std::int64_t i = 0; i < 7; ++i) EXPECT_EQ(node.inputs[0]->code(i), 0U) << to_text(*failure);
}

TEST(Differential, ReducesAWrongTailBlockToTwoBlocks) {
  const auto subjects = subject_with(
      [](const Node& node) { return answer_of(node, Policy{}.with<spec::TailBlock>(spec::TailBlock::even_split)); });
  const auto failure = first_failure(subjects, 3000);
  ASSERT_TRUE(failure);
  const Node& node = failure->example.node;
  EXPECT_LE(node.inputs[0]->size(), 5) << to_text(*failure);  // 4 and 1, instead of 3 and 2
  EXPECT_EQ(node.inputs[1]->size(), 2) << to_text(*failure);
}

TEST(Differential, ComparesRefusals) {
  const auto subjects = subject_with([](const Node& node) {
    UnitAnswer answer = answer_of(node);
    if (std::holds_alternative<Refusal>(answer))
      answer = std::vector<Answer>{Outputs{{"y", Tensor(uint8, node.inputs[0]->shape())}}};
    return answer;
  });
  const auto failure = first_failure(subjects, 300);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->judgement.verdict, Verdict::accepts_invalid);
}

// An exception is not a crash, so the example is still simplified.
TEST(Differential, SimplifiesExamplesThatThrow) {
  const auto subjects = subject_with([](const Node& node) {
    if (node.op == spec::Operator::dequantize_linear) throw std::runtime_error("not today");
    return answer_of(node);
  });
  const auto failure = first_failure(subjects, 300);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->judgement.verdict, Verdict::harness_error);
  EXPECT_THAT(to_text(*failure), HasSubstr("defective: harness_error: it threw an exception: not today\n"));
  EXPECT_TRUE(failure->is_simplest);
  EXPECT_LE(failure->example.node.inputs[0]->size(), 1) << to_text(*failure);
}

TEST(Differential, IgnoresRefusalsThatAReadingPermits) {
  const auto subjects = subject_with([](const Node&) { return Refusal{"the scale is zero"}; });
  const auto with_scale = [](double scale) {
    return Example{.node = reference::dequantize(21, reference::vector(int8, {3}), reference::scalar(float32, scale)),
                   .form = &forms().front()};
  };
  EXPECT_FALSE(find_fault(subjects.front(), with_scale(0), {}));
  EXPECT_TRUE(find_fault(subjects.front(), with_scale(0), strict));
  EXPECT_TRUE(find_fault(subjects.front(), with_scale(1), {}));
}

TEST(Differential, StopsSimplifyingOnRequest) {
  const auto subjects = subject_with([](const Node&) { return Refusal{"anything"}; });
  std::uint64_t number = 0;
  while (!try_example(random_example(7, number), subjects, strict)) ++number;
  const auto failure = try_example(random_example(7, number), subjects, strict, [] { return true; });
  ASSERT_TRUE(failure);
  EXPECT_FALSE(failure->is_simplest);
  EXPECT_EQ(failure->tried, 0U);
}

TEST(Differential, WritesATestThatReadsBackUnchanged) {
  const auto subjects = subject_with(
      [](const Node& node) { return answer_of(node, Policy{}.with<spec::Ties>(spec::Ties::away_from_zero)); });
  const auto failure = first_failure(subjects, 300);
  ASSERT_TRUE(failure);
  const TemporaryDirectory scratch;
  const std::filesystem::path place = write_fault(scratch.path(), *failure, strict, "a note\nof two lines\n");
  const Case read = read_test_directory(place, "onnx/again");
  const Node node = bind_inputs(read.model, read.data_sets.front().inputs);
  EXPECT_EQ(reference::to_text(*node.inputs[0]), reference::to_text(*failure->example.node.inputs[0]));
  ASSERT_EQ(read.data_sets.front().expected.size(), 1U);
  std::ostringstream replay;
  replay << std::ifstream(place / "replay.txt").rdbuf();
  EXPECT_THAT(replay.str(), testing::StartsWith("touchstone replay onnx/" + place.filename().string()));
  EXPECT_THAT(replay.str(), HasSubstr("--data " + scratch.path().string()));
  EXPECT_THAT(replay.str(), HasSubstr("--strict --sign-of-zero"));
  EXPECT_THAT(replay.str(), HasSubstr("\n# a note\n# of two lines\n"));
}

}  // namespace

}  // namespace touchstone::conformance::differential_test
