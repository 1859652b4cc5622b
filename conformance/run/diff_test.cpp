#include "conformance/run/diff.h"

#include <gtest/gtest.h>

namespace touchstone::conformance::diff_test {
namespace {

CaseRecord record(const char* id, Verdict verdict, unsigned char digest = 1, std::uint64_t output = 1) {
  CaseRecord made;
  made.id = id;
  made.verdict = verdict;
  made.digest.bytes[0] = digest;
  made.output_digest = output;
  return made;
}

CaseRecord not_asked(const char* id) {
  CaseRecord made = record(id, Verdict::rejects_valid);
  made.declined = true;
  return made;
}

TEST(Diff, ReportsWhatChanged) {
  Journal before;
  before.records = {record("breaks", Verdict::pass),
                    record("is fixed", Verdict::fail),
                    record("crashes", Verdict::fail),
                    record("gives others", Verdict::fail, 1, 1),
                    record("was", Verdict::pass),
                    record("has others", Verdict::pass, 1, 1),
                    record("stays", Verdict::pass),
                    record("varies", Verdict::pass),
                    record("refused", Verdict::rejects_variant),
                    record("gave", Verdict::pass),
                    record("showed", Verdict::pass),
                    record("refuses all", Verdict::rejects_variant),
                    record("shows", Verdict::not_shown),
                    record("is withdrawn", Verdict::pass),
                    record("is declared", Verdict::rejects_valid),
                    record("is supported wrongly", Verdict::rejects_valid)};
  Journal after;
  after.records = {record("breaks", Verdict::fail),
                   record("is fixed", Verdict::pass_variant),
                   record("crashes", Verdict::crash),
                   record("gives others", Verdict::fail, 1, 2),
                   record("is", Verdict::pass),
                   record("has others", Verdict::pass, 2, 2),
                   record("stays", Verdict::pass),
                   record("varies", Verdict::pass_variant),
                   record("refused", Verdict::fail),
                   record("gave", Verdict::rejects_variant),
                   record("showed", Verdict::not_shown),
                   record("refuses all", Verdict::rejects_valid),
                   record("shows", Verdict::pass),
                   not_asked("is withdrawn"),
                   not_asked("is declared"),
                   record("is supported wrongly", Verdict::fail)};
  const RunDiff found = diff(before, after);
  const auto ids = [](const auto& changes) {
    std::vector<std::string> all;
    for (const Change& change : changes) all.push_back(change.after->id);
    return all;
  };
  EXPECT_EQ(ids(found.newly_failing), (std::vector<std::string>{"breaks", "refused", "gave", "showed", "refuses all",
                                                                "is withdrawn", "is supported wrongly"}));
  EXPECT_EQ(ids(found.newly_passing), (std::vector<std::string>{"is fixed", "shows"}));
  EXPECT_EQ(ids(found.other_verdict), (std::vector<std::string>{"crashes", "varies", "is declared"}));
  EXPECT_EQ(ids(found.other_output), std::vector<std::string>{"gives others"});
  EXPECT_EQ(ids(found.other_case), std::vector<std::string>{"has others"});
  ASSERT_EQ(found.only_before.size(), 1U);
  EXPECT_EQ(found.only_before[0]->id, "was");
  ASSERT_EQ(found.only_after.size(), 1U);
  EXPECT_EQ(found.only_after[0]->id, "is");
  EXPECT_FALSE(found.none());
  EXPECT_TRUE(diff(before, before).none());
}

}  // namespace
}  // namespace touchstone::conformance::diff_test
