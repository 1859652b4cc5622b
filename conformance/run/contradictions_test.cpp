#include "conformance/run/contradictions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/causes/causes.h"
#include "conformance/diagnose/wrong_model.h"
#include "conformance/mutant_testing.h"

namespace touchstone::conformance::contradictions_test {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string half_away = "rounds-half-away-from-zero";

bool is_blocked(const reference::Node& node) {
  const auto block_size = node.attributes.find("block_size");
  return block_size != node.attributes.end() && std::get<std::int64_t>(block_size->second) > 0;
}

/// Rounds half away from zero in blocks, and correctly elsewhere.
const Defect wrong_in_blocks{.policy = [](const reference::Node& node) {
  return is_blocked(node) ? reference::Policy{}.with<spec::Ties>(spec::Ties::away_from_zero) : reference::Policy{};
}};

TEST(Contradictions, AreRightCasesThatTheHypothesisWouldGetWrong) {
  const std::vector<PlannedCase> plan = cases_of("quantize_linear/21/f32-f32-*8/*/zp/values");
  const std::vector<CaseRecord> records = records_of(wrong_in_blocks, plan);
  const std::vector<Contradictions> found = find_contradictions(plan, records);
  const auto row = std::ranges::find(found, half_away, &Contradictions::hypothesis);
  ASSERT_NE(row, found.end());
  EXPECT_THAT(row->cases, Contains(HasSubstr("/per_tensor/")));
  EXPECT_THAT(row->cases, Contains(HasSubstr("/per_axis/")));
  EXPECT_THAT(row->cases, Each(Not(HasSubstr("/blocked/"))));
  EXPECT_GE(row->checked, row->cases.size());
}

TEST(Contradictions, LimitWhereACauseHolds) {
  const std::vector<PlannedCase> plan = cases_of("quantize_linear/21/f32-f32-*8/*/zp/values");
  const std::vector<CaseRecord> records = records_of(wrong_in_blocks, plan);
  const std::vector<Cause> causes = find_causes(records, find_contradictions(plan, records));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].name, half_away);
  EXPECT_EQ(causes[0].where, "blocked");
  EXPECT_GT(causes[0].contradicted_by, 0U);
}

TEST(Contradictions, DoNotExistForADefectOfAllCases) {
  const Defect defect{.policy = [](const reference::Node&) {
    return reference::Policy{}.with<spec::Ties>(spec::Ties::away_from_zero);
  }};
  const std::vector<PlannedCase> plan = cases_of("quantize_linear/21/f32-f32-*8/*/zp/values");
  const std::vector<CaseRecord> records = records_of(defect, plan);
  const std::vector<Contradictions> found = find_contradictions(plan, records);
  const auto row = std::ranges::find(found, half_away, &Contradictions::hypothesis);
  ASSERT_NE(row, found.end());
  EXPECT_THAT(row->cases, IsEmpty());
}

TEST(Contradictions, AreNotSearchedWithoutFailures) {
  const std::vector<PlannedCase> plan = cases_of("quantize_linear/21/f32-f32-u8/*/zp/values");
  EXPECT_THAT(find_contradictions(plan, records_of(Defect{}, plan)), IsEmpty());
}

/// One that is not examined would seem to be contradicted by nothing.
TEST(Contradictions, AreSoughtForAllHypothesesThatExplainAsMuch) {
  const std::vector<PlannedCase> plan = cases_of("quantize_linear/21/f32-f32-u8/*/zp/values");
  std::vector<CaseRecord> records = records_of(Defect{}, plan);
  std::vector<std::string> names;
  for (const WrongModel& model : wrong_models().first(most_hypotheses + 2)) names.emplace_back(model.name);
  records.front().verdict = Verdict::fail;
  records.front().hypotheses = names;
  EXPECT_EQ(find_contradictions(plan, records).size(), names.size());
}

/// The cause of a rare failure is chosen among hypotheses that explain few failures.
TEST(Contradictions, AreSoughtForHypothesesOfRareFailures) {
  const std::vector<PlannedCase> plan = cases_of("quantize_linear/21/f32-f32-u8/*/zp/values");
  std::vector<CaseRecord> records = records_of(Defect{}, plan);
  ASSERT_GE(records.size(), 3U);
  const auto names = [](std::size_t first, std::size_t count) {
    std::vector<std::string> found;
    for (const WrongModel& model : wrong_models().subspan(first, count)) found.emplace_back(model.name);
    return found;
  };
  const std::size_t rare = hypotheses_of_failure + 1;
  for (std::size_t i = 0; i < 3; ++i) {
    records[i].verdict = Verdict::fail;
    records[i].hypotheses = i < 2 ? names(0, most_hypotheses) : names(most_hypotheses, rare);
  }
  EXPECT_EQ(find_contradictions(plan, records).size(), most_hypotheses + hypotheses_of_failure);
}

TEST(Contradictions, DoNotDependOnTheNumberOfThreads) {
  const std::vector<PlannedCase> plan = cases_of("quantize_linear/21/f32-f32-*8/*/zp/values");
  const std::vector<CaseRecord> records = records_of(wrong_in_blocks, plan);
  EXPECT_EQ(find_contradictions(plan, records, {.jobs = 1}), find_contradictions(plan, records, {.jobs = 3}));
}

}  // namespace
}  // namespace touchstone::conformance::contradictions_test
