#include "conformance/causes/cause_changes.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/causes/testing.h"

namespace touchstone::conformance::cause_changes_test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

/// A number of cases with ids of their own.
std::vector<CaseRecord> some_records(std::size_t count) {
  std::vector<CaseRecord> records;
  for (std::size_t i = 0; i < count; ++i) {
    records.push_back(record_of("quantize_linear/21/f32-f32-u8/per_tensor/zp", Verdict::fail));
    records.back().id = fmt::format("case {}", i);
  }
  return records;
}

Cause named(const std::string& name, const std::string& where, std::vector<std::size_t> cases) {
  return {.is_wrong = true, .name = name, .sentence = name, .where = where, .cases = std::move(cases)};
}

Cause refused(const std::string& where, std::vector<std::size_t> cases) {
  return {.is_wrong = false, .sentence = "refuses", .where = where, .cases = std::move(cases)};
}

TEST(CauseChanges, DoNotExistBetweenEqualRuns) {
  const std::vector<CaseRecord> records = some_records(4);
  const std::vector<Cause> causes{named("rounds-half-up", "y uint8", {0, 1}), refused("blocked", {2}),
                                  refused("rank 5", {3})};
  EXPECT_THAT(compare_causes(causes, records, causes, records), IsEmpty());
}

TEST(CauseChanges, IncludeNewAndGoneCauses) {
  const std::vector<CaseRecord> records = some_records(2);
  const std::vector<Cause> before{named("rounds-half-up", "y uint8", {0})};
  const std::vector<Cause> after{named("rounds-half-down", "y uint8", {0})};
  const std::vector<CauseChange> changes = compare_causes(before, records, after, records);
  ASSERT_THAT(changes, SizeIs(2));
  EXPECT_EQ(changes[0].before, nullptr);
  EXPECT_EQ(changes[0].after, &after[0]);
  EXPECT_EQ(changes[1].before, &before[0]);
  EXPECT_EQ(changes[1].after, nullptr);
}

TEST(CauseChanges, IncludeCausesThatHoldElsewhere) {
  const std::vector<CaseRecord> records = some_records(2);
  const std::vector<Cause> before{named("rounds-half-up", "y uint8", {0})};
  const std::vector<Cause> after{named("rounds-half-up", "y uint8 or int16", {0, 1})};
  const std::vector<CauseChange> changes = compare_causes(before, records, after, records);
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].before, &before[0]);
  EXPECT_EQ(changes[0].after, &after[0]);
}

/// Refusals have no name. Those with most cases in common are the same, wherever the cases are in the records.
TEST(CauseChanges, MatchRefusalsByTheirCases) {
  const std::vector<CaseRecord> records = some_records(6);
  std::vector<CaseRecord> reversed(records.rbegin(), records.rend());
  const std::vector<Cause> before{refused("y int4", {0, 1, 2}), refused("rank 5", {3, 4})};
  const std::vector<Cause> after{refused("rank 4 and more", {0, 1, 2}), refused("y int4", {3, 4, 5})};
  const std::vector<CauseChange> changes = compare_causes(before, records, after, reversed);
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].before, &before[1]);
  EXPECT_EQ(changes[0].after, &after[0]);
}

}  // namespace
}  // namespace touchstone::conformance::cause_changes_test
