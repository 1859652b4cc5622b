#include "conformance/selftest/selftest.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/diagnose/hypotheses.h"
#include "conformance/diagnose/testing.h"
#include "conformance/judge/oracle.h"
#include "conformance/plan/filter.h"
#include "conformance/suites/suites.h"

namespace touchstone::conformance::selftest_test {
namespace {

using Naming = SelfTestResult::Naming;

SelfTestResult test_on(const std::string& filter, std::string_view model) {
  return test_wrong_model(*find_wrong_model(model), standard_cases(filter), 1);
}

TEST(SelfTest, CountsTheCasesThatFindAModel) {
  const SelfTestResult result =
      test_on("quantize_linear/1?/f32-f32-?8/per_tensor/*/values", "rounds-half-away-from-zero");
  EXPECT_GE(result.wrong, 2U);
  EXPECT_EQ(result.first.substr(0, 18), "quantize_linear/10");
  EXPECT_EQ(result.cause, "rounds-half-away-from-zero");
  EXPECT_EQ(result.naming, Naming::own);
}

TEST(SelfTest, GivesTheSameResultForCasesThatWereRead) {
  const std::vector<PlannedCase> plan = standard_cases("quantize_linear/1?/f32-f32-?8/per_tensor/*/values");
  const std::optional<ReadCases> read = read_all(plan, 2);
  ASSERT_TRUE(read.has_value());
  for (const char* name : {"rounds-half-away-from-zero", "rounds-half-up", "ignores-axis"}) {
    const WrongModel& model = *find_wrong_model(name);
    const SelfTestResult result = test_wrong_model(model, plan, 1, {}, &*read);
    const SelfTestResult expected = test_wrong_model(model, plan, 1);
    EXPECT_EQ(result.wrong, expected.wrong) << name;
    EXPECT_EQ(result.first, expected.first) << name;
    EXPECT_EQ(result.cause, expected.cause) << name;
    EXPECT_EQ(result.naming, expected.naming) << name;
  }
}

TEST(SelfTest, FindsNothingIfNoCaseShowsAModel) {
  const SelfTestResult result = test_on("quantize_linear/10/f32-f32-?8/per_tensor/*/values", "ignores-axis");
  EXPECT_EQ(result.wrong, 0U);
  EXPECT_EQ(result.first, "");
  EXPECT_EQ(result.naming, Naming::other);
}

/// If saturate is 1, neither model saturates.
TEST(SelfTest, RecognizesEquivalentModels) {
  const SelfTestResult result =
      test_on("quantize_linear/19/f32-f32-e4m3fn/per_tensor/*/saturate=1/values", "never-saturates-float8");
  EXPECT_GE(result.wrong, 1U);
  EXPECT_EQ(result.cause, "does-not-saturate-by-default");
  EXPECT_EQ(result.naming, Naming::equivalent);
}

TEST(SelfTest, DrawsPairsAtRandom) {
  std::vector<const WrongModel*> models;
  for (const char* name : {"rounds-half-up", "ignores-axis", "ignores-scale", "pools-codes", "swaps-max"})
    models.push_back(find_wrong_model(name));
  const std::vector<WrongPair> pairs = random_pairs(models, 50, 1);
  EXPECT_EQ(pairs.size(), 50U);
  EXPECT_EQ(pairs, random_pairs(models, 50, 1));
  EXPECT_NE(pairs, random_pairs(models, 50, 2));
  std::set<std::string_view> first;
  for (const auto& [one, other] : pairs) {
    first.insert(one->name);
    EXPECT_NE(one, other);
    EXPECT_EQ(one->graph != nullptr, other->graph != nullptr) << one->name << ", " << other->name;
  }
  EXPECT_EQ(first.size(), models.size());
  EXPECT_EQ(random_pairs(std::vector{models[0]}, 3, 1).size(), 0U);
}

/// None of these cases shows the second model of the second pair.
TEST(SelfTest, SaysWhichOfAPairIsNamed) {
  const std::vector<PlannedCase> plan = standard_cases("quantize_linear/1?/f32-f32-?8/per_tensor/*/values");
  const auto test = [&](const char* first, const char* second) {
    return test_wrong_pair({find_wrong_model(first), find_wrong_model(second)}, plan, 1);
  };
  const PairResult both = test("rounds-half-away-from-zero", "saturates-below-highest");
  EXPECT_GE(both.wrong, 2U);
  EXPECT_EQ(both.is_named, (std::array{true, true}));
  const PairResult one = test("rounds-half-away-from-zero", "ignores-axis");
  EXPECT_EQ(one.is_named, (std::array{true, false}));
  EXPECT_EQ(one.causes, std::vector<std::string>{"rounds-half-away-from-zero"});
}

TEST(SelfTest, MayMissOneModelInTwentyInTheTierSmoke) {
  EXPECT_EQ(least_named(Tier::smoke, 100), 95U);
  EXPECT_EQ(least_named(Tier::smoke, 19), 19U);
  EXPECT_EQ(least_named(Tier::standard, 100), 100U);
}

/// The same as `touchstone selftest`, but each case is interpreted only once. No model hangs on a single case, which
/// may have a form or a type that a backend does not support.
TEST(WrongModels, AreFoundByTwoCasesOfTheTierSmoke) {
  std::map<std::string_view, int> open;
  for (const WrongModel& model : wrong_models()) open[model.name] = 2;
  const std::size_t all = open.size();
  for (const PlannedCase& planned : plan_generated_suite({.tier = Tier::smoke})) {
    const std::vector<ReferenceOutcome> interpreted = interpret(planned.read());
    for (auto& [name, missing] : open) missing -= static_cast<int>(distinguishes(name, interpreted));
    std::erase_if(open, [](const auto& row) { return row.second == 0; });
  }
  EXPECT_GE(all - open.size(), least_named(Tier::smoke, all));
  for (const auto& [name, missing] : open) EXPECT_EQ(missing, 2) << name << " is found by a single case";
}

/// The same for graphs.
TEST(WrongGraphs, AreFoundByTwoCasesOfTheTierSmoke) {
  std::map<std::string, int> open;
  for (const WrongModel& model : wrong_graphs()) open.emplace(model.name, 2);
  for (const PlannedCase& planned : plan_graphs_suite({.tier = Tier::smoke})) {
    const Case tested = planned.read();
    const std::vector<ReferenceOutcome> interpreted = interpret(tested);
    for (auto& [name, missing] : open) missing -= static_cast<int>(distinguishes_graph(name, tested, interpreted));
    std::erase_if(open, [](const auto& row) { return row.second == 0; });
  }
  for (const auto& [name, missing] : open) ADD_FAILURE() << name << " is found by " << 2 - missing << " cases";
}

/// Hypotheses round to types that lack NaN or infinities.
TEST(WrongGraphs, AreJudgedInSmallTypes) {
  const Filter all_constant("graphs/dq_relu_ql/28/e*/f32/per_tensor/zp/*/all_constant");
  std::vector<PlannedCase> plan = plan_graphs_suite({});
  std::erase_if(plan, [&](const PlannedCase& planned) { return !all_constant.matches(planned.id); });
  ASSERT_GT(plan.size(), 0U);
  const SelfTestResult result = test_wrong_model(*find_wrong_model("removes-relu-behind-dequantize"), plan, 1);
  EXPECT_EQ(result.wrong, plan.size());
  // Relu is between the two operators, so both names are true.
  EXPECT_TRUE(result.cause == "removes-relu-behind-dequantize" || result.cause == "removes-relu-before-quantize")
      << result.cause;
}

/// Most of them are named by their own cause. Some differ in none of the cases. The plan has the patterns in which they
/// differ, and patterns like these, in which a too general cause would be contradicted.
TEST(WrongGraphs, AreNamed) {
  const Filter patterns(
      "graphs/ql_dq_ql_dq_other/*:graphs/ql_dq_ql_dq_same/*:graphs/dq_ql_other/*:graphs/dq_transpose/*:"
      "graphs/dq_transpose_ql/*:graphs/ql_transpose_dq/*:graphs/dq_maxpool/*:graphs/dq_maxpool_ql/*:"
      "graphs/maxpool_ql_dq/*:graphs/relu_output/*:graphs/relu_ql_dq/*:graphs/dq_relu_ql/*:graphs/dq_gemm_bias_ql/*:"
      "graphs/dq_gemm_alpha_ql/*:graphs/dq_gemm_int32_bias_alpha_ql/*");
  std::vector<PlannedCase> plan = plan_graphs_suite({.tier = Tier::smoke});
  std::erase_if(plan, [&](const PlannedCase& planned) { return !patterns.matches(planned.id); });
  ASSERT_GT(plan.size(), 150U);
  for (const char* name : {"merges-unlike-pairs-into-last", "keeps-axis-across-transpose", "pools-codes",
                           "removes-relu-before-quantize", "multiplies-bias-by-alpha"}) {
    const SelfTestResult result = test_wrong_model(*find_wrong_model(name), plan, 1);
    EXPECT_EQ(result.cause, name);
    EXPECT_EQ(result.naming, Naming::own);
  }
}

}  // namespace
}  // namespace touchstone::conformance::selftest_test
