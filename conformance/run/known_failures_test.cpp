#include "conformance/run/known_failures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/summary.h"
#include "conformance/testing.h"

namespace touchstone::conformance::known_failures_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

CaseRecord record(const std::string& id, Verdict verdict) {
  CaseRecord made;
  made.id = id;
  made.verdict = verdict;
  return made;
}

KnownFailure expecting(const std::string& pattern, Verdict verdict = Verdict::fail) {
  return {pattern, verdict, "known", "PROJ-1"};
}

constexpr const char* today = "2027-01-01";

TEST(Expectations, AreReadFromAFile) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "known.json";
  write_file(path, R"({"expectations": [
    {"pattern": "a*", "verdict": "rejects_valid", "reason": "later", "issue": "PROJ-2", "expires": "2027-06-30"},
    {"pattern": "b", "verdict": "fail", "reason": "never", "issue": "PROJ-3"},
    {"cause": "c", "verdict": "fail", "reason": "r", "issue": "i"},
    {"pattern": "d", "cause": "refuses", "where": "w", "message": "m", "verdict": "fail", "reason": "r", "issue": "i"}],
    "comment": "Of 2026."})");
  EXPECT_THAT(read_known_failures(path),
              ElementsAre(KnownFailure{"a*", Verdict::rejects_valid, "later", "PROJ-2", "2027-06-30"},
                          KnownFailure{"b", Verdict::fail, "never", "PROJ-3"},
                          KnownFailure{"*", Verdict::fail, "r", "i", std::nullopt, "c"},
                          KnownFailure{"d", Verdict::fail, "r", "i", std::nullopt, "refuses", "w", "m"}));
}

TEST(Expectations, DescribeTheErrorInTheFile) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "known.json";
  const std::string head = R"({"expectations": [{"pattern": "a", "verdict": "fail")";
  struct Row {
    std::string content;
    const char* message;
  };
  const Row rows[] = {
      {"{\n \"expectations\": [,]}", "is not JSON: parse error at line 2, column 19"},
      {"{\"expectations\": 1e999}", "is not JSON: number overflow"},
      {R"({"expectations": [], "expectations": []})", "known.json: \"expectations\" is given twice"},
      {R"({"expectations": [{"pattern": "a", "pattern": "b"}]})", "expectation 1: \"pattern\" is given twice"},
      {"[]", "is not an object with one member"},
      {R"({"expectations": [], "more": 1})", "is not an object with one member"},
      {R"({"expectations": [], "comment": 1})", "is not an object with one member"},
      {head + R"(, "where": "w", "reason": "r", "issue": "i"}]})", "\"where\" is that of a cause: add \"cause\""},
      {head + R"(, "message": "m", "reason": "r", "issue": "i"}]})", "\"message\" is that of a cause"},
      {head + R"(, "cause": " ", "reason": "r", "issue": "i"}]})", "\"cause\" is not a text, or blank"},
      {R"({"expectations": [1]})", "expectation 1: is not an object"},
      {head + R"(, "issue": "i"}]})", "expectation 1: \"reason\" is missing"},
      {head + R"(, "reason": "", "issue": "i"}]})", "\"reason\" is not a text, or blank"},
      {head + R"(, "reason": " \t", "issue": "i"}]})", "\"reason\" is not a text, or blank"},
      {head + R"(, "reason": 1, "issue": "i"}]})", "\"reason\" is not a text, or blank"},
      {head + R"(, "reason": "r"}]})", "\"issue\" is missing"},
      {head + R"(, "reason": "r", "issue": "i", "owner": "me"}]})", "\"owner\" is unknown"},
      {head + R"(, "reason": "r", "issue": "i", "expires": "2027-02-30"}]})", "is not a date"},
      {head + R"(, "reason": "r", "issue": "i", "expires": "soon"}]})", "is not a date"},
      // These would compare as text with other dates.
      {head + R"(, "reason": "r", "issue": "i", "expires": "2027- 6-30"}]})", "is not a date"},
      {head + R"(, "reason": "r", "issue": "i", "expires": "+027-06-30"}]})", "is not a date"},
      {R"({"expectations": [{"pattern": "a", "verdict": "pass", "reason": "r", "issue": "i"}]})",
       "\"verdict\": \"pass\" is not a verdict"},
      {R"({"expectations": [{"pattern": "*/*-*-u8/*", "verdict": "fail", "reason": "r", "issue": "i"}]})",
       "expectation 1: \"pattern\": the '-' in '*/*-*-u8/*' after '*/*' may be"},
  };
  for (const Row& row : rows) {
    write_file(path, row.content);
    EXPECT_THAT(failure_of([&] { read_known_failures(path); }), HasSubstr(row.message)) << row.content;
  }
  EXPECT_THAT(failure_of([&] { read_known_failures(directory.path() / "none"); }), HasSubstr("none"));
}

/// Every text of a file that a message quotes.
TEST(Expectations, CannotBeginALineOfAMessage) {
  const std::string text = R"(\u001b[31m\n::error::hi)";
  const auto entry = [](const std::string& verdict, const std::string& more) {
    return R"({"expectations": [{"pattern": "a", "verdict": ")" + verdict + R"(", "reason": "r", "issue": "i")" + more +
           "}]}";
  };
  const std::string rows[] = {
      entry(text, ""),
      entry("fail", R"(, ")" + text + R"(": "x")"),
      entry("fail", R"(, ")" + text + R"(": "x", ")" + text + R"(": "x")"),
      entry("fail", R"(, "expires": ")" + text + "\""),
      "{\"" + text + "\": 1, \"" + text + "\": 1}",
  };
  for (const std::string& row : rows)
    EXPECT_THAT(failure_of([&] { parse_known_failures(row, "known.json"); }),
                AllOf(HasSubstr(R"("\x1b[31m\x0a::error::hi")"), Not(HasSubstr("\n")), Not(HasSubstr("\x1b"))))
        << row;
  // The parser quotes the unexpected text.
  EXPECT_THAT(failure_of([] { parse_known_failures("{\"a\n::error::\x7f", "known.json"); }),
              AllOf(HasSubstr("is not JSON"), Not(HasSubstr("\n"))));
}

struct ExitRow {
  const char* what;
  KnownFailure expectation;
  std::vector<CaseRecord> records;
  int code;
};

TEST(Expectations, DecideTheExitCode) {
  KnownFailure expired = expecting("a");
  expired.expires = "2026-12-31";
  KnownFailure expired_error = expecting("a", Verdict::harness_error);
  expired_error.expires = expired.expires;
  KnownFailure last_day = expecting("a");
  last_day.expires = today;
  const ExitRow rows[] = {
      {"expected", expecting("a"), {record("a", Verdict::fail), record("b", Verdict::pass)}, 0},
      {"another verdict", expecting("a"), {record("a", Verdict::crash)}, 1},
      {"another case", expecting("a"), {record("a", Verdict::fail), record("b", Verdict::fail)}, 1},
      {"an unexpected pass", expecting("*"), {record("a", Verdict::fail), record("b", Verdict::pass)}, 1},
      {"stale", expecting("c"), {record("a", Verdict::pass)}, 1},
      {"expired", expired, {record("a", Verdict::fail)}, 1},
      {"the last day", last_day, {record("a", Verdict::fail)}, 0},
      {"expired, and fixed", expired, {record("a", Verdict::pass)}, 1},
      {"expired, and stale", expired, {record("b", Verdict::pass)}, 1},
      {"expired, of an error", expired_error, {record("a", Verdict::harness_error)}, 3},
      {"an expected error", expecting("a", Verdict::harness_error), {record("a", Verdict::harness_error)}, 0},
  };
  for (const ExitRow& row : rows) {
    const Summary summary = summarize(row.records.size(), row.records, apply({row.expectation}, row.records, today));
    EXPECT_EQ(exit_code(summary), row.code) << row.what;
  }
}

TEST(Expectations, ApplyInTheirOrder) {
  const std::vector<CaseRecord> records{record("a1", Verdict::fail), record("a2", Verdict::fail),
                                        record("b", Verdict::fail)};
  const auto outcomes = apply({expecting("a*-*2", Verdict::crash), expecting("a*")}, records, today);
  EXPECT_EQ(outcomes.deciding(records[0]), &outcomes[0]);
  EXPECT_FALSE(is_expected(outcomes, records[0])) << "a crash is, though the next would have it fail";
  EXPECT_EQ(outcomes.deciding(records[1]), &outcomes[1]);
  EXPECT_TRUE(is_expected(outcomes, records[1]));
  EXPECT_EQ(outcomes.deciding(records[2]), nullptr);
  EXPECT_FALSE(is_expected(outcomes, records[2]));
}

TEST(Expectations, NameUnexpectedPassesAndStaleEntries) {
  const std::vector<CaseRecord> records{record("a1", Verdict::fail), record("a2", Verdict::pass)};
  const auto outcomes = apply({expecting("a*"), expecting("b*")}, records, today);
  EXPECT_EQ(outcomes[0].met, 1U);
  EXPECT_THAT(outcomes[0].unexpected_passes, ElementsAre("a2"));
  EXPECT_TRUE(outcomes[1].stale());
}

}  // namespace
}  // namespace touchstone::conformance::known_failures_test
