#include "conformance/judge/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
      {"wrong", std::vector<Answer>{wrong()}, Verdict::fail, "1 of 6 elements differ"},
      {"renamed", std::vector<Answer>{renamed()}, Verdict::fail, "'z', expected 'y'"},
      {"no output", std::vector<Answer>{Outputs{}}, Verdict::fail, "0 outputs, expected 1"},
      {"refusal", Refusal{"no such kernel"}, Verdict::rejects_valid, "no such kernel"},
      {"refusal of a set", std::vector<Answer>{Refusal{"too large"}}, Verdict::rejects_valid, "too large"},
      {"crash", Breakdown{Breakdown::Kind::crash, "SIGSEGV"}, Verdict::crash, "SIGSEGV"},
      {"timeout", std::vector<Answer>{Breakdown{Breakdown::Kind::timeout, "30 s"}}, Verdict::timeout, "30 s"},
      {"garbage", Breakdown{Breakdown::Kind::protocol, "bad frame"}, Verdict::harness_error, "bad frame"},
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

}  // namespace
}  // namespace touchstone::conformance::judge_test
