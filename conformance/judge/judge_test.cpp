#include "conformance/judge/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <utility>

#include "conformance/testing.h"

namespace touchstone::conformance::judge_test {
namespace {

using spec::ElementType;
using testing::HasSubstr;

std::int64_t different(ElementType type, std::vector<std::uint64_t> expected, std::vector<std::uint64_t> actual) {
  const reference::Shape shape{static_cast<std::int64_t>(expected.size())};
  return compare(tensor(type, shape, std::move(expected)), tensor(type, shape, std::move(actual))).different_elements;
}

TEST(Compare, TreatsAllNansAsEqual) {
  EXPECT_EQ(different(ElementType::float8e5m2, {0x7d, 0x7d, 0x7d}, {0x7e, 0xff, 0xfd}), 0);
  EXPECT_EQ(different(ElementType::float16, {0x7e00}, {0xffff}), 0);
  EXPECT_EQ(different(ElementType::float8e5m2, {0x7d}, {0x7c}), 1) << "an infinity is not a NaN";
}

TEST(Compare, DistinguishesZeros) {
  EXPECT_EQ(different(ElementType::float32, {0}, {0x80000000}), 1);
  EXPECT_EQ(different(ElementType::float4e2m1, {0x0}, {0x8}), 1);
}

TEST(Compare, IsExactAboutIntegersAndCountsAllDifferences) {
  EXPECT_EQ(different(ElementType::int4, {1, 2, 3}, {1, 2, 3}), 0);
  EXPECT_EQ(different(ElementType::int4, {1, 2, 3}, {1, 3, 4}), 2);
  const std::vector<std::uint64_t> zeros(100, 0);
  const std::vector<std::uint64_t> ones(100, 1);
  const auto all = compare(tensor(ElementType::uint8, {100}, zeros), tensor(ElementType::uint8, {100}, ones));
  EXPECT_EQ(all.different_elements, 100);
  ASSERT_EQ(all.first.size(), first_differences);
  EXPECT_EQ(all.first.back().index, static_cast<std::int64_t>(first_differences) - 1);
}

TEST(Compare, IgnoresPadding) {
  const reference::Tensor expected(ElementType::uint4, {1}, {std::byte{0x05}});
  const reference::Tensor actual(ElementType::uint4, {1}, {std::byte{0xf5}});
  EXPECT_TRUE(compare(expected, actual).none());
}

TEST(Compare, DescribesDifferentTypesAndShapes) {
  const auto u8 = tensor(ElementType::uint8, {2}, {0, 0});
  EXPECT_EQ(compare(u8, tensor(ElementType::int8, {2}, {0, 0})).form, "the type is int8, expected uint8");
  EXPECT_EQ(compare(u8, tensor(ElementType::uint8, {2, 1}, {0, 0})).form, "the shape is [2,1], expected [2]");
}

/// Sizes in numbers of an integer type, and in values of a floating-point type, with what its range allows there.
TEST(Compare, MeasuresTheElementThatIsFarthestOff) {
  const auto steps = compare(tensor(ElementType::int8, {3}, {5, 0xff, 7}), tensor(ElementType::int8, {3}, {5, 2, 6}));
  EXPECT_EQ(steps.most_steps, 3U) << "from -1 to 2";

  const auto floats = [](const std::vector<float>& numbers) {
    std::vector<std::uint64_t> codes;
    for (const float number : numbers) codes.push_back(std::bit_cast<std::uint32_t>(number));
    return tensor(ElementType::float32, {static_cast<std::int64_t>(codes.size())}, codes);
  };
  const reference::CodeRange range{floats({0.5F, -3, 9}), floats({1.5F, -1, 11})};
  const auto sizes = [&](const std::vector<float>& actual) {
    const auto found = compare(floats({1, -2, 10}), floats(actual), {.range = &range});
    return std::pair(found.most_error, found.allowed);
  };
  EXPECT_EQ(sizes({1.5F, -1, 9}), std::pair(0.0, 0.0)) << "all are right";
  EXPECT_EQ(sizes({2, 0.5F, 7}), std::pair(3.0, 1.0)) << "the last one is 2 outside of its range";
  EXPECT_EQ(sizes({2, std::nanf(""), 7}).first, HUGE_VAL);
}

Outputs right() { return per_axis_case().data_sets[0].expected; }

Outputs wrong() {
  Outputs outputs = right();
  outputs[0].value.set_code(4, 99);
  return outputs;
}

Outputs renamed() {
  Outputs outputs = right();
  outputs[0].name = "z";
  return outputs;
}

struct Row {
  const char* what;
  UnitAnswer answer;
  Verdict verdict;
  const char* reason;
};

TEST(Judge, TurnsEveryAnswerIntoAVerdict) {
  const Row rows[] = {
      {"right", std::vector<Answer>{right()}, Verdict::pass, ""},
      {"wrong", std::vector<Answer>{wrong()}, Verdict::fail, "1 of 6 elements differ, by up to "},
      {"renamed", std::vector<Answer>{renamed()}, Verdict::fail, "'z', expected 'y'"},
      {"no output", std::vector<Answer>{Outputs{}}, Verdict::fail, "0 outputs, expected 1"},
      {"refusal", Refusal{"no such kernel"}, Verdict::rejects_valid, "no such kernel"},
      {"refusal of a set", std::vector<Answer>{Refusal{"too large"}}, Verdict::rejects_valid, "too large"},
      {"crash", Breakdown{Breakdown::Kind::crash, "SIGSEGV"}, Verdict::crash, "SIGSEGV"},
      {"timeout", std::vector<Answer>{Breakdown{Breakdown::Kind::timeout, "30 s"}}, Verdict::timeout, "30 s"},
      {"garbage", Breakdown{Breakdown::Kind::protocol, "bad frame"}, Verdict::harness_error, "bad frame"},
      {"invalid", Breakdown{Breakdown::Kind::invalid, "no shape"}, Verdict::fail, "no shape"},
      {"open", std::vector<Answer>{Breakdown{Breakdown::Kind::open, "exp"}}, Verdict::not_shown, "exp"},
      {"no answer", std::vector<Answer>{}, Verdict::harness_error, "0 answers to 1 data sets"},
  };
  for (const Row& row : rows) {
    const Case tested = per_axis_case();
    const Judgement judgement = judge(tested, interpret(tested), row.answer);
    EXPECT_EQ(name(judgement.verdict), name(row.verdict)) << row.what;
    EXPECT_THAT(judgement.reason, HasSubstr(row.reason)) << row.what;
  }
}

TEST(Judge, RequiresAllDataSetsAndNamesTheOneThatDiffers) {
  Case tested = per_axis_case();
  tested.data_sets.push_back(tested.data_sets[0]);
  const Judgement judgement = judge(tested, interpret(tested), std::vector<Answer>{right(), wrong()});
  EXPECT_EQ(judgement.verdict, Verdict::fail);
  ASSERT_TRUE(judgement.difference);
  EXPECT_EQ(judgement.difference->data_set, 1U);
  EXPECT_EQ(judgement.difference->tensor.first.at(0).index, 4);
}

constexpr std::uint64_t nan = 0x7fc00000;

DataSet data_of(std::vector<std::uint64_t> x) {
  DataSet data = per_axis_case().data_sets[0];
  data.inputs[0].value = tensor(ElementType::float32, {2, 3}, std::move(x));
  data.expected = {};
  return data;
}

Outputs output_of(reference::Shape shape, std::vector<std::uint64_t> codes) {
  return {{"y", tensor(ElementType::uint8, std::move(shape), std::move(codes))}};
}

// The integer that NaN becomes is not specified.
TEST(Judge, GivesNoCreditIfAnyElementsWouldBeRight) {
  const auto verdict = [](std::vector<DataSet> data_sets, const std::vector<Answer>& answers) {
    Case tested = per_axis_case();
    tested.data_sets = std::move(data_sets);
    return judge(tested, interpret(tested), answers).verdict;
  };
  const DataSet open = data_of({nan, nan, nan, nan, nan, nan});
  const Outputs any = output_of({2, 3}, {9, 8, 7, 6, 5, 4});
  EXPECT_EQ(verdict({open}, {any}), Verdict::not_shown);
  Case alone = per_axis_case();
  alone.data_sets = {open};
  auto interpreted = interpret(alone);
  EXPECT_EQ(judge(alone, interpreted, std::vector<Answer>{any}).reason, every_element_open);
  auto& result = std::get<reference::Result>(interpreted[0].outcome.value);
  result.range = {result.y, result.y};
  EXPECT_EQ(judge(alone, interpreted, std::vector<Answer>{any}).reason, every_element_open);
  result.range->too_wide = 4;
  EXPECT_EQ(
      judge(alone, interpreted, std::vector<Answer>{any}).reason,
      "the specification leaves 2 of 6 elements of the outputs open, and the bounds of the others are too wide to "
      "prove anything");
  result.range->too_wide = 6;
  EXPECT_EQ(judge(alone, interpreted, std::vector<Answer>{any}).reason, bounds_too_wide);
  EXPECT_EQ(verdict({open, open}, {any, any}), Verdict::not_shown);
  EXPECT_EQ(verdict({open}, {output_of({3, 2}, {9, 8, 7, 6, 5, 4})}), Verdict::fail) << "the shape is required";
  EXPECT_EQ(verdict({open}, {Refusal{"no NaN"}}), Verdict::rejects_valid);
  EXPECT_EQ(verdict({open, per_axis_case().data_sets[0]}, {any, right()}), Verdict::pass) << "a set decides something";
  EXPECT_EQ(verdict({data_of({nan, nan, nan, 0, nan, nan})}, {output_of({2, 3}, {9, 8, 7, 10, 5, 4})}), Verdict::pass);
}

TEST(Judge, CreditsTheShapeOfOutputsWithoutElements) {
  Case tested = per_axis_case();
  tested.data_sets[0].inputs[0].value = tensor(ElementType::float32, {0, 3}, {});
  tested.data_sets[0].expected = {};
  const auto verdict = [&](reference::Shape shape) {
    return judge(tested, interpret(tested), std::vector<Answer>{output_of(std::move(shape), {})}).verdict;
  };
  EXPECT_EQ(verdict({0, 3}), Verdict::pass);
  EXPECT_EQ(verdict({0}), Verdict::fail);
}

}  // namespace
}  // namespace touchstone::conformance::judge_test
