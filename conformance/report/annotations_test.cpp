#include "conformance/report/annotations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conformance/causes/testing.h"

namespace touchstone::conformance::annotations_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr const char* today = "2027-01-01";
constexpr const char* int8_cell = "quantize_linear/21/f32-f32-i8/per_tensor/zp";

std::vector<CaseRecord> records() {
  std::vector<CaseRecord> made{
      record_of("quantize_linear/21/f32-f32-u8/per_tensor/zp", Verdict::fail, "1 of 2 elements differs"),
      record_of(int8_cell, Verdict::pass),
      record_of("dequantize_linear/21/u8-f32-f32/per_tensor/zp", Verdict::crash, "100%\n::error::SIGSEGV"),
      record_of("dequantize_linear/21/i8-f32-f32/per_tensor/zp", Verdict::harness_error, "no memory"),
  };
  made[0].hypotheses = std::vector<std::string>{"rounds-half-up"};
  return made;
}

Summary summary_of(const std::vector<CaseRecord>& records, const std::vector<KnownFailure>& expectations = {}) {
  return summarize(records.size(), records, apply(expectations, records, today));
}

std::vector<std::string> titles(const std::vector<CaseRecord>& records,
                                const std::vector<KnownFailure>& expectations = {}) {
  std::vector<std::string> found;
  for (const Annotation& one : annotations(summary_of(records, expectations), records)) found.push_back(one.title);
  return found;
}

TEST(Annotations, AreOnlyAboutWhatIsUnexpected) {
  EXPECT_THAT(titles({record_of(int8_cell, Verdict::pass)}), IsEmpty());
  EXPECT_THAT(titles(records()), ElementsAre("wrong in 1 of 1 cases", "wrong in 1 of 1 cases", "not judged: 1"));
  const std::vector<KnownFailure> known{{"quantize_linear/21/f32-f32-u8/*", Verdict::fail, "r", "i"},
                                        {"dequantize*u8*", Verdict::crash, "r", "i", "2026-12-31"},
                                        {"dequantize*i8*", Verdict::harness_error, "r", "i"},
                                        {"*-i8/*", Verdict::fail, "r", "i"},
                                        {"nothing", Verdict::fail, "r", "i"}};
  EXPECT_THAT(titles(records(), known), ElementsAre("wrong in 1 of 1 cases", "an expectation expired on 2026-12-31",
                                                    "1 case passes newly", "an expectation that no case meets"));
  std::vector<CaseRecord> declined{record_of(int8_cell, Verdict::rejects_valid, "no int8")};
  declined[0].declined = true;
  const Summary required = summarize(1, declined, {}, Requirement("all"));
  ASSERT_EQ(annotations(required, declined).size(), 1U);
  EXPECT_EQ(annotations(required, declined)[0].title, "required, and not asked: 1");
  Summary stopped = summarize(2, {record_of(int8_cell, Verdict::pass)});
  stopped.stopped = "interrupted";
  ASSERT_EQ(annotations(stopped, {record_of(int8_cell, Verdict::pass)}).size(), 1U);
  EXPECT_EQ(annotations(stopped, {record_of(int8_cell, Verdict::pass)})[0].text, "not run: 1 of 2 cases, interrupted");
}

/// See "Workflow commands for GitHub Actions": the toolkit escapes %, CR and LF, and in properties also : and comma.
TEST(Annotations, AreEscapedForGitHub) {
  const std::string text = github_report({}, summary_of(records()), records());
  EXPECT_EQ(std::ranges::count(text, '\n'), 3);
  EXPECT_THAT(text, StartsWith("::error title=Touchstone%3A wrong in 1 of 1 cases::"));
  std::vector<KnownFailure> stale{{"a,b", Verdict::fail, "100%\n::error::r", "i", "2020-01-01"}};
  EXPECT_EQ(github_report({}, summary_of({record_of(int8_cell, Verdict::pass)}, stale),
                          {record_of(int8_cell, Verdict::pass)}),
            "::error title=Touchstone%3A an expectation expired on 2020-01-01::a,b: 100%25\xe2\x90\x8a::error::r (i)\n"
            "::error title=Touchstone%3A an expectation that no case meets::a,b: 100%25\xe2\x90\x8a::error::r (i)\n");
}

TEST(Annotations, AreAsManyAsGitHubShows) {
  const std::vector<CaseRecord> right{record_of(int8_cell, Verdict::pass)};
  std::vector<KnownFailure> stale;
  for (int i = 0; i < 10; ++i) stale.push_back({"no" + std::to_string(i), Verdict::fail, "r", "i"});
  const auto lines = [&] {
    const std::string text = github_report({}, summary_of(right, stale), right);
    return std::ranges::count(text, '\n');
  };
  EXPECT_EQ(lines(), 10);
  stale.push_back({"no", Verdict::fail, "r", "i"});
  EXPECT_EQ(lines(), 10);
  EXPECT_THAT(github_report({}, summary_of(right, stale), right),
              HasSubstr("::error title=Touchstone%3A and 2 more::"));
}

/// GitLab requires these members, and takes equal fingerprints for one finding, here and in other pipelines.
TEST(Annotations, AreACodeQualityReport) {
  const auto rows_of = [](const std::vector<CaseRecord>& of) {
    return nlohmann::json::parse(gitlab_report({}, summary_of(of), of));
  };
  const nlohmann::json rows = rows_of(records());
  ASSERT_EQ(rows.size(), 3U);
  for (const nlohmann::json& row : rows) {
    EXPECT_EQ(row["check_name"], "touchstone");
    EXPECT_THAT(row["description"].get<std::string>(), HasSubstr(": "));
    EXPECT_EQ(row["fingerprint"].get<std::string>().size(), 64U);
    EXPECT_EQ(row["location"]["path"], "report.html");
    EXPECT_EQ(row["location"]["lines"]["begin"], 1);
  }
  EXPECT_EQ(rows[0]["severity"], "critical");
  EXPECT_EQ(rows[2]["severity"], "major");
  EXPECT_NE(rows[0]["fingerprint"], rows[1]["fingerprint"]);
  std::vector<CaseRecord> more = records();
  more.push_back(more[3]);
  more.back().id = "another";
  EXPECT_EQ(rows_of(more)[2]["fingerprint"], rows[2]["fingerprint"]);
  EXPECT_EQ(rows_of({record_of(int8_cell, Verdict::pass)}), nlohmann::json::array());
}

}  // namespace
}  // namespace touchstone::conformance::annotations_test
