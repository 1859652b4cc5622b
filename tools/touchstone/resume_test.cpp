// Runs can be resumed with the same cases and the same options.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/run/journal_testing.h"
#include "tools/touchstone/runs_testing.h"

namespace touchstone::tools::resume_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Runs, ResumeWithTheirOptions) {
  const TemporaryDirectory scratch;
  copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / "a");
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "b");
  copy_of("1.5.0/test_quantizelinear", scratch.path() / "tests" / "c");
  const fs::path out = scratch.path() / "out";
  touchstone(scratch, {"run", "--data", "tests", "--filter=-*c", "--strict", "--sign-of-zero", "--tier", "smoke",
                       "--seed", "7", "--output", "out"});
  const auto whole = results_in(out);
  cut_off(out / "journal.ndjson.gz", 1);
  const Outcome resumed = touchstone(scratch, {"run", "--resume", "out"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.error;
  EXPECT_TRUE(results_in(out) == whole);

  cut_off(out / "journal.ndjson.gz", 1);
  const Outcome repeated = touchstone(
      scratch, {"run", "--resume", "out", "--suite", "onnx", "--data", "./tests/", "--seed", "7", "--strict"});
  EXPECT_EQ(repeated.exit_code, 0) << repeated.error;
  EXPECT_TRUE(results_in(out) == whole);
}

TEST(Runs, FollowLinksOutOfTheDataOnlyIfTold) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  fs::rename(scratch.path() / "tests/a/model.onnx", scratch.path() / "model.onnx");
  fs::create_symlink(scratch.path() / "model.onnx", scratch.path() / "tests/a/model.onnx");
  const Outcome refused = touchstone(scratch, {"run", "--suite", "onnx", "--data", "tests", "--output", "out"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.out, HasSubstr("tests/a/model.onnx: a symbolic link that leads out of"));
  const Outcome followed =
      touchstone(scratch, {"run", "--suite", "onnx", "--data", "tests", "--output", "out", "--follow-symlinks"});
  EXPECT_EQ(followed.exit_code, 0) << followed.error;
  cut_off(scratch.path() / "out/journal.ndjson.gz", 1);
  const Outcome resumed = touchstone(scratch, {"run", "--resume", "out"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.out;
}

TEST(Runs, DoNotResumeWithOtherOptions) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  struct Row {
    std::vector<std::string> arguments;
    const char* recorded;
    const char* given;
  };
  const Row rows[] = {
      {{"--suite", "generated"}, "--suite 'onnx'", "not 'generated'"},
      {{"--tier", "smoke"}, "--tier 'standard'", "not 'smoke'"},
      {{"--seed", "1"}, "--seed '0'", "not '1'"},
      {{"--filter", "*a"}, "--filter '*'", "not '*a'"},
      {{"--data", "other"}, "/tests'", "/other'"},
      {{"--backend", "other"}, "--backend 'optimized'", "not 'other'"},
      {{"--follow-symlinks"}, "--follow-symlinks 'false'", "not 'true'"},
      {{"--sandbox"}, "--sandbox 'false'", "not 'true'"},
      {{"--show-ids"}, "--show-ids 'false'", "not 'true'"},
      {{"--strict"}, "--strict 'false'", "not 'true'"},
      {{"--sign-of-zero"}, "--sign-of-zero 'false'", "not 'true'"},
      {{"--overwrite"}, "--overwrite", "--resume"},
  };
  for (const Row& row : rows) {
    std::vector<std::string> arguments{"run", "--resume", "out"};
    arguments.insert(arguments.end(), row.arguments.begin(), row.arguments.end());
    const Outcome other = touchstone(scratch, arguments);
    EXPECT_EQ(other.exit_code, 2) << row.given;
    EXPECT_THAT(other.error, AllOf(HasSubstr(row.recorded), HasSubstr(row.given)));
  }
  const Outcome none = touchstone(scratch, {"run", "--resume", "nowhere"});
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(none.error, HasSubstr("nowhere"));
}

TEST(Runs, DoNotResumeWithOtherLimits) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  cut_off(scratch.path() / "out" / "journal.ndjson.gz", 1);
  const auto with_limits = [&](const char* limits, std::vector<std::string> arguments) {
    return touchstone(scratch, std::move(arguments), [=] { ::setenv("TOUCHSTONE_LIMITS", limits, 1); });
  };
  const Outcome limited = with_limits("rank=8", {"run", "--resume", "out"});
  EXPECT_EQ(limited.exit_code, 2);
  EXPECT_THAT(limited.error, AllOf(HasSubstr("that run has the default limits, and this one has the limits rank=8"),
                                   HasSubstr("to continue it, unset TOUCHSTONE_LIMITS")));
  EXPECT_EQ(with_limits("journal_bytes=1000000", {"run", "--resume", "out"}).exit_code, 0) << "it decides no verdict";

  ASSERT_EQ(with_limits("rank=8,nesting=9", {"run", "--data", "tests", "--output", "few"}).exit_code, 0);
  EXPECT_EQ(report_in(scratch.path() / "few")["options"]["limits"], (nlohmann::json{{"nesting", 9}, {"rank", 8}}));
  cut_off(scratch.path() / "few" / "journal.ndjson.gz", 1);
  const Outcome unlimited = touchstone(scratch, {"run", "--resume", "few"});
  EXPECT_EQ(unlimited.exit_code, 2);
  EXPECT_THAT(unlimited.error, HasSubstr("to continue it, set TOUCHSTONE_LIMITS=nesting=9,rank=8"));
  EXPECT_EQ(with_limits("rank=8,nesting=9", {"run", "--resume", "few"}).exit_code, 0);

  const Outcome compared = touchstone(scratch, {"diff", "out", "few"});
  EXPECT_THAT(compared.out, HasSubstr("the runs had different limits"));
  EXPECT_NE(report_in(scratch.path() / "few")["plan"]["hash"], report_in(scratch.path() / "out")["plan"]["hash"]);
  EXPECT_EQ(report_in(scratch.path() / "few")["summary"]["content"],
            report_in(scratch.path() / "out")["summary"]["content"]);
}

TEST(Runs, ResumeWithNamesThatAreNotUtf8) {
  const TemporaryDirectory scratch;
  for (const char* name : {"\xfe", "\xff", "c"})
    copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / name);
  const fs::path out = scratch.path() / "out";
  ASSERT_EQ(touchstone(scratch, {"run", "--data", "tests", "--output", "out", "--all-cases"}).exit_code, 0);
  const auto whole = results_in(out);
  EXPECT_EQ(report_in(out)["cases"][1]["id"], "onnx/%FF");
  cut_off(out / "journal.ndjson.gz", 2);
  const Outcome resumed = touchstone(scratch, {"run", "--resume", "out", "--all-cases"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.error;
  EXPECT_TRUE(results_in(out) == whole);
  EXPECT_EQ(touchstone(scratch, {"replay", "onnx/%FE", "--data", "tests"}).exit_code, 0);
}

/// Another expected output is another run, although the ids are the same.
TEST(Runs, HaveHashesOfTheirContent) {
  const TemporaryDirectory scratch;
  copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / "a");
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "b");
  touchstone(scratch, {"run", "--data", "tests", "--output", "before", "--all-cases"});
  fs::remove_all(scratch.path() / "tests" / "a");
  corrupt_a_test(scratch);
  touchstone(scratch, {"run", "--data", "tests", "--output", "after", "--all-cases"});
  const auto before = report_in(scratch.path() / "before");
  const auto after = report_in(scratch.path() / "after");
  EXPECT_NE(before["plan"]["hash"], after["plan"]["hash"]);
  EXPECT_NE(before["summary"]["content"], after["summary"]["content"]);
  EXPECT_EQ(before["cases"][1]["digest"], after["cases"][1]["digest"]);
  const Outcome compared = touchstone(scratch, {"diff", "before", "after"});
  EXPECT_THAT(compared.out,
              AllOf(HasSubstr("the plan has changed\n"), HasSubstr("the same id, other content: 1\n  onnx/a\n")));
}

TEST(Runs, SayInTheirSummaryWhenTheyRan) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  const auto time = nlohmann::json::parse(content_of(scratch.path() / "out" / "summary.json"))["time"];
  EXPECT_THAT(time["started"].get<std::string>(), testing::MatchesRegex("20..-..-..T..:..:..Z"));
  EXPECT_GE(time["finished"], time["started"]);
  EXPECT_GE(time["seconds"], 0);
  EXPECT_FALSE(report_in(scratch.path() / "out").contains("time"));
  cut_off(scratch.path() / "out" / "journal.ndjson.gz", 0);
  const auto killed = nlohmann::json::parse(touchstone(scratch, {"report", "out", "--format", "summary"}).out)["time"];
  EXPECT_EQ(killed["started"], time["started"]);
  EXPECT_TRUE(killed["finished"].is_null() && killed["seconds"].is_null());
}

TEST(Runs, DoNotResumeWithOtherCases) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  const fs::path journal = scratch.path() / "out" / "journal.ndjson.gz";
  cut_off(journal, 1);
  const std::string before = content_of(journal);
  const auto resume = [&] { return touchstone(scratch, {"run", "--resume", "out"}); };

  fs::copy(scratch.path() / "tests" / "b", scratch.path() / "tests" / "c", fs::copy_options::recursive);
  const Outcome more = resume();
  EXPECT_EQ(more.exit_code, 2);
  EXPECT_THAT(more.error, AllOf(HasSubstr("plan of 2 cases"), HasSubstr("there are 3")));
  fs::remove_all(scratch.path() / "tests" / "c");

  fs::remove_all(scratch.path() / "tests" / "a");
  copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / "a");
  const Outcome changed = resume();
  EXPECT_EQ(changed.exit_code, 2);
  EXPECT_THAT(changed.error, HasSubstr("onnx/a is another case than the one that was run"));

  std::string older = before;
  const std::string key = R"("touchstone":{"version":")";
  older.insert(older.find(key) + key.size(), "0.0.1-");
  older = conformance::with_checksums(older);
  write_file(journal, conformance::compressed(older));
  const Outcome other_tool = resume();
  EXPECT_EQ(other_tool.exit_code, 2);
  EXPECT_THAT(other_tool.error, HasSubstr("touchstone 0.0.1-"));
  EXPECT_EQ(content_of(journal), older) << "unchanged";
}

TEST(Runs, AreNotReplacedUntilFinished) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  run_two(scratch);  // replaces a finished run
  const fs::path journal = scratch.path() / "out" / "journal.ndjson.gz";
  cut_off(journal, 1);
  const std::string before = content_of(journal);
  std::vector<std::string> run{"run", "--data", "tests", "--output", "out"};
  const Outcome refused = touchstone(scratch, run);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.error, AllOf(HasSubstr("not finished"), HasSubstr("--resume out"), HasSubstr("--overwrite")));
  EXPECT_EQ(content_of(journal), before);
  run.emplace_back("--overwrite");
  EXPECT_EQ(touchstone(scratch, run).exit_code, 0);
}

}  // namespace
}  // namespace touchstone::tools::resume_test
