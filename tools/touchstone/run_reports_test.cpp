// Finished runs: their reports, and their differences.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "conformance/report/format.h"
#include "conformance/run/journal_testing.h"
#include "tools/touchstone/runs_testing.h"

namespace touchstone::tools::run_reports_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Program, MakesTheReportsOfARunFromItsJournal) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  for (const conformance::ReportFormat& format : conformance::report_formats()) {
    const Outcome report = touchstone(scratch, {"report", "out", "--format", std::string(format.name)});
    EXPECT_EQ(report.exit_code, 0) << report.error;
    if (format.only_if != nullptr) continue;  // runs outside of CI do not write it
    EXPECT_TRUE(report.out == content_of(scratch.path() / "out" / format.file_name)) << format.name;
  }
  const Outcome terminal = touchstone(scratch, {"report", "out"});
  EXPECT_THAT(terminal.out,
              AllOf(HasSubstr("2 right, 0 wrong, 0 refused, 0 not asked, of 2\n"), HasSubstr("\nDequantizeLinear\n")));

  const Outcome some = touchstone(scratch, {"report", "out", "--format", "csv,terminal", "--output", "some"});
  EXPECT_EQ(some.out, "some/report.csv\nsome/report.txt\n");
  EXPECT_TRUE(fs::exists(scratch.path() / "some" / "report.csv"));
  touchstone(scratch, {"report", "out", "--format", "markdown", "--output", "one.md"});
  EXPECT_THAT(content_of(scratch.path() / "one.md"), HasSubstr("**2 right, 0 wrong, 0 refused, 0 not asked, of 2.**"));
}

/// All cases of the plan have a result, but the fingerprint is gone.
TEST(Program, SaysThatAJournalWithoutItsLastLineIsNotFinished) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  for (const std::size_t missing : {0U, 1U}) {
    cut_off(scratch.path() / "out" / "journal.ndjson.gz", missing);
    const Outcome report = touchstone(scratch, {"report", "out", "--format", "csv"});
    EXPECT_EQ(report.exit_code, 4);
    EXPECT_THAT(report.out, HasSubstr("id,")) << "the report is written";
    EXPECT_THAT(report.error, AllOf(HasSubstr(fmt::format("{} of 2 cases have a result", 2 - missing)),
                                    HasSubstr("no last line"), HasSubstr("touchstone run --resume out\n")));
    EXPECT_EQ(touchstone(scratch, {"run", "--resume", "out"}).exit_code, 0);
    EXPECT_EQ(touchstone(scratch, {"report", "out", "--format", "csv"}).exit_code, 0);
  }
}

/// Each report that has a line for each case.
TEST(Program, ListsTheRightCasesIfAsked) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  fs::remove_all(scratch.path() / "tests" / "a");
  corrupt_a_test(scratch);
  const std::vector<std::string> run{"run", "--data", "tests", "--output", "out"};
  const auto cases_of = [&](std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    touchstone(scratch, arguments);
    const auto report = report_in(scratch.path() / "out");
    EXPECT_EQ(report["all_cases"], !more.empty());
    EXPECT_EQ(report["summary"]["right"], 1);
    std::map<std::string, std::string> texts = files_in(scratch.path() / "out");
    for (const char* file : {"report.csv", "report.junit.xml"}) {
      EXPECT_THAT(texts[file], HasSubstr("onnx/a")) << "it is wrong";
      EXPECT_EQ(texts[file].find("onnx/b") != std::string::npos, !more.empty()) << file;
    }
    EXPECT_THAT(texts["report.html"], HasSubstr("[5,\"b\",")) << "the page has all cases";
    EXPECT_EQ(texts["report.junit.xml"].find("1 of them; --all-cases lists them") == std::string::npos, !more.empty());
    return report["cases"].size();
  };
  EXPECT_EQ(cases_of(run, {}), 1U);
  EXPECT_EQ(cases_of(run, {"--all-cases"}), 2U);
  EXPECT_EQ(touchstone(scratch, {"report", "out", "--format", "json", "--all-cases"}).out,
            content_of(scratch.path() / "out" / "report.json"));
}

TEST(Program, ReportsAPartOfARun) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  const Outcome blocked = touchstone(scratch, {"report", "out", "--granularity", "blocked"});
  EXPECT_THAT(unwrapped(blocked.out),
              AllOf(HasSubstr("granularity blocked"), HasSubstr("1 right, 0 wrong, 0 refused, 0 not asked, of 1 ")));
  const Outcome none = touchstone(scratch, {"report", "out", "--granularity", "per_row"});
  EXPECT_EQ(none.exit_code, 5);
  EXPECT_THAT(none.error, HasSubstr("the values are blocked, per_tensor"));
  EXPECT_EQ(touchstone(scratch, {"report", "out", "--form", "inputs"}).exit_code, 5);
}

TEST(Program, PrintsTheFingerprintOfARun) {
  const TemporaryDirectory scratch;
  ASSERT_EQ(touchstone(scratch, {"run", "--suite", "generated", "--filter", "quantize_linear/24/f16-f16-u8/*",
                                 "--backend", "reference", "--output", "out"})
                .exit_code,
            0);
  const Outcome text = touchstone(scratch, {"fingerprint", "out"});
  EXPECT_EQ(text.exit_code, 0) << text.error;
  EXPECT_THAT(text.out,
              testing::ContainsRegex("\nthe primary reading\n(.*\n)*  amb-same-float-division: in-scale-type \\("));
  EXPECT_THAT(touchstone(scratch, {"report", "out"}).out, HasSubstr("\nfingerprint of "));
  const Outcome json = touchstone(scratch, {"fingerprint", "out", "--format", "json"});
  const auto whole = nlohmann::json::parse(content_of(scratch.path() / "out" / "report.json"));
  EXPECT_EQ(nlohmann::json::parse(json.out), whole.at("fingerprint"));
  const Outcome part = touchstone(scratch, {"report", "out", "--granularity", "per_tensor", "--format", "summary"});
  EXPECT_FALSE(nlohmann::json::parse(part.out).contains("fingerprint")) << "it is of the whole run";

  // A journal without one is shown without it, and continuing the run adds it.
  const fs::path journal = scratch.path() / "out" / "journal.ndjson.gz";
  const std::string finished = content_of(journal);
  std::string without = finished;
  const std::size_t fingerprint = without.rfind(",\"fingerprint\":[");
  without.erase(fingerprint, without.rfind(",\"time\":") - fingerprint);
  write_file(journal, conformance::compressed(conformance::with_checksums(without)));
  const Outcome none = touchstone(scratch, {"fingerprint", "out"});
  EXPECT_EQ(none.exit_code, 4);
  EXPECT_THAT(none.error, HasSubstr("out has no fingerprint"));
  EXPECT_THAT(touchstone(scratch, {"report", "out"}).out, Not(HasSubstr("fingerprint")));
  EXPECT_EQ(touchstone(scratch, {"run", "--resume", "out"}).exit_code, 0);
  EXPECT_EQ(conformance::without_times(content_of(journal)), conformance::without_times(finished));
}

TEST(Program, NamesTheLineOfACorruptJournal) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  const fs::path journal = scratch.path() / "out" / "journal.ndjson.gz";
  std::string lines = content_of(journal);
  lines.insert(lines.find('\n') + 1, "no JSON\n");
  write_file(journal, conformance::compressed(lines));
  const Outcome corrupt = touchstone(scratch, {"report", "out"});
  EXPECT_EQ(corrupt.exit_code, 3);
  EXPECT_THAT(corrupt.error, AllOf(HasSubstr("journal.ndjson.gz"), HasSubstr("line 2")));
  EXPECT_EQ(corrupt.out, "");
  EXPECT_EQ(touchstone(scratch, {"report", "out", "--format", "csv", "--output", "/dev/null/x"}).exit_code, 3);
}

TEST(Failures, AreComparedWithThoseOfAnotherRun) {
  const TemporaryDirectory scratch;
  copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / "a");
  touchstone(scratch, {"run", "--data", "tests", "--output", "before"});
  fs::remove_all(scratch.path() / "tests");
  corrupt_a_test(scratch);
  touchstone(scratch, {"run", "--data", "tests", "--output", "after"});
  const Outcome worse = touchstone(scratch, {"diff", "before", "after"});
  EXPECT_EQ(worse.exit_code, 1);
  EXPECT_THAT(worse.out, AllOf(HasSubstr("newly failing: 1"), HasSubstr("onnx/a: pass -> fail")));
  const Outcome better = touchstone(scratch, {"diff", "after", "before"});
  EXPECT_EQ(better.exit_code, 0);
  EXPECT_THAT(better.out, HasSubstr("newly passing: 1"));
  EXPECT_THAT(touchstone(scratch, {"diff", "after", "after"}).out, HasSubstr("no difference"));
  EXPECT_EQ(touchstone(scratch, {"diff", "after", "nowhere"}).exit_code, 2);
}

/// A journal may come from another machine, so its texts are as untrusted as those of a backend.
TEST(Diff, EscapesHostileTexts) {
  const TemporaryDirectory scratch;
  const std::string hostile = "\x1b[2J\nonly in the new run: 9\xe2\x80\xae";
  run_two(scratch);
  fs::copy(scratch.path() / "out", scratch.path() / "other", fs::copy_options::recursive);
  std::istringstream lines(content_of(scratch.path() / "out" / "journal.ndjson.gz"));
  std::string changed;
  for (std::string line; std::getline(lines, line);) {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(line);
    if (json.contains("journal")) {
      json["backend"]["name"] = json["backend"]["version"] = json["plan"]["hash"] = json["plan"]["tier"] = hostile;
      json["plan"]["suites"] = {hostile};
    } else if (json.contains("id")) {
      json["id"] = json["id"].get<std::string>() + hostile;
      json["reason"] = hostile;
    }
    json.erase("fingerprint");  // names cases by the ids that they had
    changed += json.dump() + "\n";
  }
  write_file(scratch.path() / "other" / "journal.ndjson.gz",
             conformance::compressed(conformance::with_checksums(changed)));
  for (const auto& [before, after] :
       {std::pair("out", "other"), std::pair("other", "out"), std::pair("other", "other")}) {
    const Outcome outcome = touchstone(scratch, {"diff", before, after});
    EXPECT_EQ(outcome.error, "");
    EXPECT_THAT(outcome.out, HasSubstr("␛[2J␊only in the new run: 9"));
    for (const char* hidden : {"\x1b", "\nonly in the new run: 9", "\xe2\x80\xae"})
      EXPECT_THAT(outcome.out, Not(HasSubstr(hidden))) << before << ' ' << after;
  }
}

/// The same cases are wrong in another way: the difference is shown, but nothing that passed fails now.
TEST(Diff, ShowsNewCausesOfCasesThatFailedBefore) {
  const TemporaryDirectory scratch;
  for (const char* model : {"rounds-half-up", "rounds-toward-zero"})
    touchstone(scratch,
               {"run", "--suite", "generated", "--filter", "quantize_linear/10/f32-f32-i8/per_tensor/zp/values",
                "--backend", std::string("wrong:") + model, "--output", model});
  const Outcome outcome = touchstone(scratch, {"diff", "rounds-half-up", "rounds-toward-zero"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("new cause: wrong: truncates: rounds toward zero\n"),
                                 HasSubstr("\n  gone: wrong: rounds "), Not(HasSubstr("newly failing"))));
}

TEST(Diff, FailsForMissingCasesAndReportsDifferentJudging) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  touchstone(scratch, {"run", "--data", "tests", "--output", "some", "--strict", "--seed", "7", "--filter", "*a"});
  const Outcome fewer = touchstone(scratch, {"diff", "out", "some"});
  EXPECT_EQ(fewer.exit_code, 1);
  EXPECT_THAT(fewer.out,
              AllOf(HasSubstr("only in the old run: 1\n  onnx/b"), HasSubstr("judged with different options"),
                    HasSubstr("seed 0, filter '*'"), HasSubstr("seed 7, filter '*a'"), HasSubstr(", strict")));
  EXPECT_EQ(touchstone(scratch, {"diff", "some", "out"}).exit_code, 0);
  EXPECT_THAT(touchstone(scratch, {"diff", "out", "out"}).out, Not(HasSubstr("judged")));

  write_file(scratch.path() / "some" / "journal.ndjson.gz", conformance::compressed("no JSON\n"));
  for (const char* command : {"diff", "report"}) {
    std::vector<std::string> arguments{command, "some"};
    if (std::string_view(command) == "diff") arguments.emplace_back("out");
    const Outcome corrupt = touchstone(scratch, arguments);
    EXPECT_EQ(corrupt.exit_code, 3) << command;
    EXPECT_THAT(corrupt.error, AllOf(HasSubstr("journal.ndjson.gz"), HasSubstr("line 1"))) << command;
  }
}

TEST(Run, NamesSaturatedSumsOfEachProductInEachVersion) {
  const TemporaryDirectory scratch;
  const Outcome ran = touchstone(
      scratch, {"run", "--suite", "graphs", "--tier", "smoke", "--backend", "wrong:saturates-pairs-of-products",
                "--filter", "graphs/dq_matmul_at_unlike_ends/10/*:graphs/dq_gemm_at_unlike_ends_ql/1*", "--experiments",
                "0", "--max-reproducers", "0", "--output", "out"});
  EXPECT_EQ(ran.exit_code, 1) << ran.error;
  const auto report = report_in(scratch.path() / "out");
  ASSERT_EQ(report["causes"].size(), 1U);
  EXPECT_EQ(report["causes"][0]["name"], "saturates-pairs-of-products");
  for (const char* product : {"dq_matmul", "dq_gemm"})
    EXPECT_THAT(unwrapped(ran.out), testing::HasSubstr(std::string("wrong graphs/") + product));
}

}  // namespace
}  // namespace touchstone::tools::run_reports_test
