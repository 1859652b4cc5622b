#include "conformance/run/output_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/files/text.h"
#include "conformance/run/runner.h"
#include "conformance/testing.h"

namespace touchstone::conformance::output_limits_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::string cut(std::string reason) {
  cut_reason(reason);
  return reason;
}

TEST(KeptText, HasBothEndsOfALongReasonAndItsSize) {
  const std::string short_enough(4096, 'x');
  EXPECT_EQ(cut(short_enough), short_enough);
  const std::string kept = cut("no kernel" + std::string(9982, 'x') + "for float");
  EXPECT_EQ(kept.size(), 4096U);
  EXPECT_THAT(kept, StartsWith("no kernelxxx"));
  EXPECT_THAT(kept, HasSubstr("xxx ... (10000 bytes) ... xxx"));
  EXPECT_THAT(kept, EndsWith("xxxfor float"));
}

TEST(KeptText, IsReadAgainAsItWasWritten) {
  const std::string kept = cut("quant_data_type is \"i\xEEt4\"");
  EXPECT_EQ(kept, "quant_data_type is \"i\uFFFDt4\"");
  EXPECT_EQ(cut(""), "");
}

TEST(KeptText, IsNotCutWithinACharacter) {
  for (std::size_t shift = 0; shift < 4; ++shift) {
    std::string reason(shift, 'x');
    while (reason.size() < 8000) reason += "\xF0\x9F\x98\x80";  // one character
    const std::string kept = cut(reason);
    EXPECT_EQ(valid_utf8(kept), kept) << shift;
    EXPECT_LE(kept.size(), 4096U);
  }
}

TEST(KeptText, AppliesToEveryRecord) {
  FakeBackend refusing([] { return Refusal{std::string(std::size_t{1} << 20, 'x')}; });
  const CaseRecord record = run_case({"a", made_by({[] { return per_axis_case("a"); }})}, refusing);
  EXPECT_EQ(record.verdict, Verdict::rejects_valid);
  EXPECT_THAT(record.reason, HasSubstr("x ... (1048576 bytes) ... x"));
  FakeBackend misnaming([] {
    Outputs outputs = per_axis_case().data_sets[0].expected;
    outputs[0].name = std::string(std::size_t{1} << 20, 'n');
    return std::vector<Answer>{outputs};
  });
  EXPECT_EQ(run_case({"a", made_by({[] { return per_axis_case("a"); }})}, misnaming).reason.size(), 4096U);
}

TEST(TextBudget, KeepsTheFirstOutputsWholeAndThenTheEndOfEach) {
  std::string flood(65534, 'x');
  flood += "\xC3\xA9";  // 64 KiB
  const auto with_output = [](const std::string& output) {
    CaseRecord record;
    record.output = output;
    return record;
  };
  TextBudget budget;
  std::vector<CaseRecord> records(200, with_output(flood));
  for (CaseRecord& record : records) budget.cut(record);
  for (std::size_t i = 0; i < records.size(); ++i)
    EXPECT_EQ(records[i].output, i < 128 ? flood : std::string(1022, 'x') + "\xC3\xA9") << i;
  CaseRecord little = with_output(std::string(1024, 'y'));
  budget.cut(little);
  EXPECT_EQ(little.output.size(), 1024U);

  TextBudget of_a_resumed_run{std::span(records).first(128)};
  CaseRecord next = with_output(flood);
  of_a_resumed_run.cut(next);
  EXPECT_EQ(next.output, records[128].output);
  TextBudget of_one_resumed_before{std::span(records).first(127)};
  next = with_output(flood);
  of_one_resumed_before.cut(next);
  EXPECT_EQ(next.output, flood);
}

TEST(TextBudget, KeepsTheFirstReasonsWholeAndThenBothEndsOfEach) {
  CaseRecord refusal;
  refusal.reason = "no kernel" + std::string(4078, 'x') + "for float";  // 4 KiB
  TextBudget budget;
  std::vector<CaseRecord> records(8300, refusal);
  for (CaseRecord& record : records) budget.cut(record);
  for (std::size_t i = 0; i < 8192; ++i) ASSERT_EQ(records[i].reason, refusal.reason) << i;
  for (std::size_t i = 8192; i < records.size(); ++i) {
    ASSERT_EQ(records[i].reason.size(), 256U) << i;
    ASSERT_THAT(records[i].reason, StartsWith("no kernelxxx"));
    ASSERT_THAT(records[i].reason, EndsWith("xxxfor float"));
  }
  CaseRecord little;
  little.reason = std::string(256, 'y');
  budget.cut(little);
  EXPECT_EQ(little.reason, std::string(256, 'y'));

  for (std::size_t i = 8300; i < 8192 + 65536; ++i) {  // 16 MiB of 256 bytes each
    CaseRecord further = refusal;
    budget.cut(further);
    ASSERT_EQ(further.reason.size(), 256U) << i;
  }
  CaseRecord later = refusal;
  budget.cut(later);
  budget.cut(later = refusal);
  EXPECT_EQ(*later.reason, " ... (4096 bytes) ... ");
  budget.cut(little);
  EXPECT_EQ(little.reason, std::string(256, 'y')) << "short reasons are kept";

  TextBudget of_a_resumed_run{std::span(records).first(8192)};
  CaseRecord next = refusal;
  of_a_resumed_run.cut(next);
  EXPECT_EQ(next.reason, records[8192].reason);
}

}  // namespace
}  // namespace touchstone::conformance::output_limits_test
