#include "conformance/report/expectations_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/causes/testing.h"
#include "conformance/files/file_error.h"
#include "conformance/files/limits.h"
#include "conformance/report/expected.h"
#include "conformance/testing.h"

namespace touchstone::conformance::expectations_file_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* today = "2027-01-01";

CaseRecord wrong(const std::string& cell, const std::string& hypothesis) {
  CaseRecord record = record_of(cell, Verdict::fail, "1 of 2 elements differs");
  if (!hypothesis.empty()) record.hypotheses = std::vector{hypothesis};
  return record;
}

/// Two cases round half up, in uint8 only; every bfloat16 is refused; a case crashes, and nothing explains it.
std::vector<CaseRecord> records() {
  return {
      wrong("quantize_linear/21/f32-f32-u8/per_tensor/zp", "rounds-half-up"),
      wrong("quantize_linear/21/f32-f32-u8/per_axis/zp", "rounds-half-up"),
      record_of("quantize_linear/21/f32-f32-i8/per_tensor/zp", Verdict::pass),
      record_of("quantize_linear/21/f16-f16-i8/per_tensor/zp", Verdict::pass),
      record_of("quantize_linear/21/bf16-bf16-u8/per_tensor/zp", Verdict::rejects_valid, "no kernel for bfloat16"),
      record_of("quantize_linear/21/bf16-bf16-i8/per_tensor/zp", Verdict::rejects_valid, "no kernel for bfloat16"),
      record_of("dequantize_linear/21/u8-f32-f32/per_tensor/zp", Verdict::crash, "SIGSEGV"),
  };
}

/// Right cases that contradict the hypothesis elsewhere.
const std::vector<Contradictions> contradictions{
    {"rounds-half-up",
     2,
     {"quantize_linear/21/f32-f32-i8/per_tensor/zp/values", "quantize_linear/21/f16-f16-i8/per_tensor/zp/values"}}};

Summary summary_of(const std::vector<CaseRecord>& records, const std::vector<KnownFailure>& expectations = {}) {
  return summarize(records.size(), records, apply(expectations, records, today), Requirement(),
                   {.contradictions = contradictions});
}

std::vector<KnownFailure> written(const std::vector<CaseRecord>& records,
                                  const std::vector<KnownFailure>& expectations = {}) {
  return parse_known_failures(expectations_file({}, summary_of(records, expectations), records, "known.json"),
                              "known.json");
}

std::vector<std::string> ids_of_failing(const std::vector<CaseRecord>& records, const Summary& summary) {
  std::vector<std::string> ids;
  for (const CaseRecord& record : records)
    if (is_newly_failing(summary, record)) ids.emplace_back(*record.id);
  return ids;
}

TEST(ExpectationsFile, NamesCausesAndTheCasesThatNoneExplains) {
  const std::vector<KnownFailure> entries = written(records());
  std::vector<std::string> about;
  for (const KnownFailure& entry : entries) about.push_back(cases_in_words(entry));
  EXPECT_THAT(about, ElementsAre("cause rounds-half-up: any operand of type uint8",
                                 "cause refuses: any operand of type bfloat16",
                                 "dequantize_linear/21/u8-f32-f32/per_tensor/zp/values"));
  EXPECT_EQ(entries[0].reason,
            "rounds half upwards: adds a half and rounds down; for example "
            "quantize_linear/21/f32-f32-u8/per_tensor/zp/values");
  EXPECT_EQ(entries[2].verdict, Verdict::crash);
}

TEST(ExpectationsFile, IsMetByTheSameRun) {
  EXPECT_EQ(exit_code(summary_of(records())), 1);
  const Summary summary = summary_of(records(), written(records()));
  EXPECT_EQ(exit_code(summary), 0);
  EXPECT_EQ(summary.expected, 5U);
  EXPECT_EQ(written(records(), written(records())), written(records()));
}

TEST(ExpectationsFile, IsNotMetByAnotherCause) {
  std::vector<CaseRecord> others = records();
  for (CaseRecord& record : others)
    if (!record.hypotheses.empty()) record.hypotheses = std::vector<std::string>{"rounds-half-down"};
  EXPECT_THAT(ids_of_failing(others, summary_of(others, written(records()))),
              ElementsAre("quantize_linear/21/f32-f32-u8/per_tensor/zp/values",
                          "quantize_linear/21/f32-f32-u8/per_axis/zp/values"));
}

TEST(ExpectationsFile, IsNotMetByAnotherAnswer) {
  std::vector<CaseRecord> others = records();
  others[5].verdict = Verdict::crash;
  others[6].verdict = Verdict::fail;
  EXPECT_THAT(ids_of_failing(others, summary_of(others, written(records()))),
              testing::IsSupersetOf({others[5].id, others[6].id}));
}

TEST(ExpectationsFile, IsNotMetByTheSameCauseElsewhere) {
  std::vector<CaseRecord> others = records();
  others.push_back(wrong("quantize_linear/21/f32-f32-i4/per_tensor/zp", "rounds-half-up"));
  const Summary summary = summary_of(others, written(records()));
  EXPECT_EQ(ids_of_failing(others, summary).size(), 3U);
  ASSERT_EQ(summary.causes.front().name, "rounds-half-up");
  EXPECT_EQ(expected_where(summary, summary.causes.front(), others), "any operand of type uint8");
  EXPECT_EQ(exit_code(summary), 1);
  KnownFailure anywhere = written(records()).front();
  anywhere.where.clear();
  EXPECT_THAT(ids_of_failing(others, summary_of(others, {anywhere})), Not(testing::Contains(others[0].id)));
}

/// Experiments can choose another name for the same outputs.
TEST(ExpectationsFile, IsMetByEachHypothesisThatExplainsTheCause) {
  std::vector<CaseRecord> others = records();
  for (CaseRecord& record : others)
    if (!record.hypotheses.empty()) record.hypotheses = std::vector<std::string>{"adds-half", "rounds-half-up"};
  KnownFailure entry = written(records()).front();
  entry.where.clear();
  EXPECT_THAT(ids_of_failing(others, summary_of(others, {entry})), Not(testing::Contains(others[0].id)));
}

TEST(ExpectationsFile, KeepsTheEntriesThatHold) {
  const std::string refused = "quantize_linear/21/bf16-*";
  const KnownFailure holds{refused, Verdict::rejects_valid, "later", "PROJ-1", "2027-06-30"};
  const KnownFailure in_another_way{"*/f32-f32-u8/*", Verdict::crash, "never", "PROJ-2"};
  const KnownFailure passes{"*-i8/per_tensor/*", Verdict::fail, "never", "PROJ-3"};
  const KnownFailure expired{"dequantize_linear/*", Verdict::crash, "never", "PROJ-4", "2020-01-01"};
  const std::vector<KnownFailure> given{holds, in_another_way, passes, expired, {"no", Verdict::fail, "r", "i"}};
  const std::vector<KnownFailure> entries = written(records(), given);
  EXPECT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries.front(), holds);
  EXPECT_EQ(exit_code(summary_of(records(), entries)), 0);
}

TEST(ExpectationsFile, NamesIdsWithCharactersOfPatterns) {
  std::vector<CaseRecord> strange;
  for (const char* id : {"-a", "b:-c", "d*-e", "f?"}) {
    strange.emplace_back();
    strange.back().id = id;
    strange.back().verdict = Verdict::harness_error;
  }
  strange.push_back(record_of("quantize_linear/21/f32-f32-i8/per_tensor/zp", Verdict::pass));
  EXPECT_EQ(exit_code(summary_of(strange, written(strange))), 0);
}

TEST(ExpectationsFile, HasALimit) {
  const std::uint64_t before = limits().expectations;
  set_limits("expectations=2");
  EXPECT_THAT(failure_of([] { written(records()); }),
              AllOf(HasSubstr("known.json: would have 3 entries"), HasSubstr("the limit is 2")));
  set_limits("expectations=" + std::to_string(before));
}

TEST(Expectations, ByACauseCountOnlyWhenCausesAreKnown) {
  const std::vector<KnownFailure> entries = written(records());
  const std::vector<CaseRecord> all = records();
  const auto outcomes = apply(entries, all, today);
  EXPECT_FALSE(is_expected(outcomes, all[0]));
  EXPECT_TRUE(may_be_expected(outcomes, all[0]));
  CaseRecord crashed = all[0];
  crashed.verdict = Verdict::crash;
  EXPECT_FALSE(may_be_expected(outcomes, crashed));
}

TEST(Expectations, OfOtherPartsAreRemoved) {
  const std::vector<CaseRecord> all = records();
  auto outcomes = apply({{"no", Verdict::fail, "r", "i"}, {"quantize*u8*", Verdict::fail, "r", "i"}}, all, today);
  outcomes.remove_stale();
  ASSERT_EQ(outcomes.size(), 1U);
  EXPECT_EQ(outcomes.deciding(all[0]), &outcomes[0]);
  EXPECT_TRUE(is_expected(outcomes, all[0]));
  EXPECT_EQ(outcomes.deciding(all[2]), nullptr);
}

}  // namespace
}  // namespace touchstone::conformance::expectations_file_test
