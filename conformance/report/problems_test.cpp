#include "conformance/report/problems.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace touchstone::conformance::problems_test {
namespace {

using testing::ElementsAre;

CaseRecord record(const char* id, Verdict verdict, const char* reason = "") {
  CaseRecord made;
  made.id = id;
  made.verdict = verdict;
  made.reason = reason;
  return made;
}

std::vector<std::string> chosen(const std::vector<CaseRecord>& records, std::size_t most) {
  std::vector<std::string> ids;
  for (const CaseRecord* one : choose_problems(summarize(records.size(), records), records, most).shown)
    ids.push_back(one->id);
  return ids;
}

TEST(Problems, AreDifferentOnesInTheOrderOfTheRecords) {
  const std::vector<CaseRecord> records{
      record("0", Verdict::rejects_valid, "no such type"),
      record("1", Verdict::rejects_valid, "no such type"),
      record("2", Verdict::pass),
      record("3", Verdict::rejects_valid, "no such operator"),
      record("4", Verdict::fail, "1 of 2 elements differs"),
      record("5", Verdict::rejects_valid, "no such type"),
      record("6", Verdict::crash, "SIGSEGV"),
      record("7", Verdict::fail, "2 of 2 elements differ"),
  };
  // Nothing but the messages distinguishes these cases. The causes of wrong results come before refusals.
  EXPECT_THAT(chosen(records, 3), ElementsAre("4", "6", "7"));
  EXPECT_THAT(chosen(records, 5), ElementsAre("0", "3", "4", "6", "7"));
  EXPECT_THAT(chosen(records, 7), ElementsAre("0", "1", "3", "4", "5", "6", "7"));
  EXPECT_THAT(chosen(records, 0), ElementsAre());
  EXPECT_EQ(choose_problems(summarize(records.size(), records), records, 2).count, 7U);
}

TEST(Problems, ExcludeUnaskedAndPermittedCases) {
  std::vector<CaseRecord> records{
      record("declined", Verdict::rejects_valid), record("pass", Verdict::pass),
      record("variant", Verdict::pass_variant),   record("refused", Verdict::rejects_variant),
      record("not shown", Verdict::not_shown),    record("not run", Verdict::not_run)};
  records.front().declined = true;
  EXPECT_THAT(chosen(records, 9), ElementsAre("not run"));
}

}  // namespace
}  // namespace touchstone::conformance::problems_test
