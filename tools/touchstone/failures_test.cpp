// Failures in a run: reproducers, replays, and expected failures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tools/touchstone/runs_testing.h"

namespace touchstone::tools::failures_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Failures, LeaveReproducersThatFailAgain) {
  const TemporaryDirectory scratch;
  corrupt_a_test(scratch);
  const Outcome run = touchstone(scratch, {"run", "--data", "tests", "--output", "out"});
  EXPECT_EQ(run.exit_code, 1);
  const fs::path reproducer = scratch.path() / "out" / "reproducers" / "onnx" / "a";
  EXPECT_TRUE(fs::exists(reproducer / "model.onnx")) << run.out;
  EXPECT_THAT(content_of(reproducer / "replay.txt"),
              AllOf(HasSubstr("touchstone replay onnx/a --backend optimized"), HasSubstr("\n# fail: ")));
  EXPECT_THAT(content_of(reproducer / "show.py"), AllOf(HasSubstr("# The backend "), HasSubstr("onnx.load")));
  const Outcome again = touchstone(scratch, {"run", "--data", "out/reproducers", "--output", "again"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.out, HasSubstr("Wrong: 1 of 1 legal models"));
  const Outcome none = touchstone(scratch, {"run", "--data", "tests", "--output", "out", "--max-reproducers", "0"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_FALSE(fs::exists(reproducer)) << "of the earlier run";
}

TEST(Failures, LeaveReproducersWithTwoOutputsThatTheNextRunReplaces) {
  const TemporaryDirectory scratch;
  for (int i = 0; i < 2; ++i) {
    const Outcome run =
        touchstone(scratch, {"run", "--suite", "graphs", "--tier", "smoke", "-k", "graphs/ql_two_readers/21/*", "-q",
                             "--backend", "wrong:rounds-toward-zero", "--experiments", "0"});
    EXPECT_EQ(run.exit_code, 1) << run.error;
  }
}

TEST(Failures, AreReplayed) {
  const TemporaryDirectory scratch;
  corrupt_a_test(scratch);
  const Outcome wrong = touchstone(scratch, {"replay", "onnx/a", "--data", "tests", "--write", "written"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.out, AllOf(HasSubstr("wrong"), HasSubstr("1 of"), HasSubstr("zero point")));
  EXPECT_TRUE(fs::exists(scratch.path() / "written" / "model.onnx"));
  const std::string id = "quantize_linear/21/f16-f16-i4/blocked/zp/values";
  EXPECT_EQ(touchstone(scratch, {"replay", id, "--suite", "generated"}).exit_code, 0);
  EXPECT_EQ(touchstone(scratch, {"replay", "nothing", "--suite", "generated"}).exit_code, 5);
}

/// The line works in any directory, in a shell that finds the program in its PATH.
TEST(Failures, CanBeReplayedByTheCommandInTheirReproducer) {
  const TemporaryDirectory scratch;
  corrupt_a_test(scratch);
  const std::string hostile = "it's $(touch carried-out) \xff\n;x";
  fs::rename(scratch.path() / "tests" / "a", scratch.path() / "tests" / hostile);
  fs::rename(scratch.path() / "tests", scratch.path() / "my 'tests'");
  touchstone(scratch, {"run", "--data", "my 'tests'", "--output", "out", "--strict", "--max-reproducers", "1"});
  std::string line;
  for (const auto& entry : fs::recursive_directory_iterator(scratch.path() / "out" / "reproducers"))
    if (entry.path().filename() == "replay.txt") line = content_of(entry.path());
  ASSERT_NE(line, "");
  const std::string program = fs::path(TOUCHSTONE_PROGRAM).parent_path();
  write_file(scratch.path() / "again.sh",
             "cd '" + scratch.path().string() + "' && PATH='" + program + "':\"$PATH\"\n" + line);
  const std::string command = "sh " + (scratch.path() / "again.sh").string();
  const int status = std::system((command + " > " + (scratch.path() / "replayed").string() + " 2>&1").c_str());
  const std::string replayed = content_of(scratch.path() / "replayed");
  EXPECT_EQ(WEXITSTATUS(status), 1) << replayed;
  EXPECT_THAT(replayed, AllOf(HasSubstr("wrong"), HasSubstr("1 of 18 elements differ")));
  EXPECT_FALSE(fs::exists(scratch.path() / "carried-out"));
}

TEST(Failures, ThatAreExpectedDoNotFailTheRun) {
  const TemporaryDirectory scratch;
  corrupt_a_test(scratch);
  write_file(scratch.path() / "known.json",
             R"({"expectations": [{"pattern": "onnx/a", "verdict": "fail", "reason": "damaged", "issue": "X-1"}]})");
  const std::vector<std::string> run{"run", "--data", "tests", "--expectations", "known.json"};
  const Outcome expected = touchstone(scratch, run);
  EXPECT_EQ(expected.exit_code, 0) << expected.out;
  EXPECT_THAT(expected.out, AllOf(HasSubstr("Wrong: 1 of 1 legal models"), HasSubstr("damaged"), HasSubstr("X-1")));
  EXPECT_EQ(report_in(scratch.path() / "touchstone-report")["expectations"][0]["met"], 1);
  const fs::path kept = scratch.path() / "touchstone-report" / "journal.expectations.json";
  EXPECT_EQ(content_of(kept), content_of(scratch.path() / "known.json"));
  EXPECT_THAT(touchstone(scratch, {"report", "touchstone-report"}).out,
              HasSubstr("1 of 1 cases are wrong or refused as expected"));
  EXPECT_EQ(touchstone(scratch, {"run", "--data", "tests"}).exit_code, 1);
  EXPECT_FALSE(fs::exists(kept)) << "of the earlier run";

  fs::remove_all(scratch.path() / "tests");
  copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / "a");
  const Outcome fixed = touchstone(scratch, run);
  EXPECT_EQ(fixed.exit_code, 1);
  EXPECT_THAT(fixed.out, AllOf(HasSubstr("unexpected pass"), HasSubstr("onnx/a")));

  write_file(scratch.path() / "known.json", R"({"expectations": [{"pattern": "b"}]})");
  const Outcome bad = touchstone(scratch, run);
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(bad.error, AllOf(HasSubstr("known.json"), HasSubstr("expectation 1")));
}

/// The same run meets what it wrote, another one does not, and no file is replaced.
TEST(Failures, AreWrittenAsExpectations) {
  const TemporaryDirectory scratch;
  const auto run = [&](const std::string& backend, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run",       "--suite", "onnx",          "-k", "onnx/1.22.0/*", "-q",
                                       "--backend", backend,   "--experiments", "0"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return touchstone(scratch, arguments);
  };
  const std::string first = "wrong:ignores-zero-point";
  const Outcome written = run(first, {"--write-expectations", "known.json"});
  EXPECT_EQ(written.exit_code, 1);
  EXPECT_THAT(written.out, HasSubstr("Expectations: known.json; "));
  const nlohmann::json entries = nlohmann::json::parse(content_of(scratch.path() / "known.json"))["expectations"];
  ASSERT_EQ(entries.size(), 1U) << entries;
  EXPECT_EQ(entries[0]["cause"], "ignores-zero-point");

  const Outcome expected = run(first, {"--expectations", "known.json"});
  EXPECT_EQ(expected.exit_code, 0) << expected.out;
  EXPECT_THAT(touchstone(scratch, {"report", "touchstone-report", "--granularity", "per_axis"}).out,
              testing::Not(HasSubstr("stale")));

  const Outcome other = run("wrong:rounds-toward-zero", {"--expectations", "known.json"});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.out, AllOf(HasSubstr("\nunexpected causes: 1\n  wrong in "), HasSubstr("rounds toward zero"),
                               HasSubstr("\nexpectations that no case meets: 1\n  cause ignores-zero-point: ")));

  const Outcome again = run(first, {"--write-expectations", "known.json", "--output", "other"});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.error, HasSubstr("--write-expectations known.json: exists; remove it, or give another name"));
  EXPECT_FALSE(fs::exists(scratch.path() / "other"));

  // Only cases of that pattern are expected to have the cause.
  write_file(scratch.path() / "of_a_pattern.json", R"({"expectations": [
    {"pattern": "*", "cause": "rounds-half-up", "verdict": "fail", "reason": "r", "issue": "i"},
    {"pattern": "*_blocked_*", "cause": "ignores-zero-point", "verdict": "fail", "reason": "r", "issue": "i"}]})");
  EXPECT_THAT(run("wrong:rounds-toward-zero", {"--expectations", "of_a_pattern.json"}).out,
              HasSubstr("onnx/1.22.0/test_quantizelinear_blocked_asymmetric, not of the expected cause\n"));

  const Outcome of_shard = run(first, {"--shard", "1/2", "--write-expectations", "new.json"});
  EXPECT_EQ(of_shard.exit_code, 2);
  EXPECT_THAT(of_shard.error, HasSubstr("this run has not all cases"));
  const Outcome stopped = run(first, {"-x", "-j", "1", "--write-expectations", "new.json"});
  EXPECT_THAT(stopped.error, HasSubstr("new.json: not written, because not all cases are run"));
  EXPECT_FALSE(fs::exists(scratch.path() / "new.json"));
}

TEST(Failures, AreShownByEnginesOfCi) {
  const TemporaryDirectory scratch;
  corrupt_a_test(scratch);
  const auto run_on = [&](const char* engine) {
    return touchstone(scratch, {"run", "--data", "tests", "-q"}, [engine] { ::setenv(engine, "true", 1); });
  };
  const fs::path code_quality = scratch.path() / "touchstone-report" / "gl-code-quality-report.json";
  const Outcome on_github = run_on("GITHUB_ACTIONS");
  EXPECT_THAT(on_github.out, HasSubstr("\n::error title=Touchstone%3A wrong in 1 of 1 cases::"));
  EXPECT_FALSE(fs::exists(code_quality));
  EXPECT_EQ(touchstone(scratch, {"report", "touchstone-report", "--format", "github"}).out,
            content_of(scratch.path() / "touchstone-report" / "annotations.txt"));
  const Outcome on_gitlab = run_on("GITLAB_CI");
  EXPECT_THAT(on_gitlab.out,
              AllOf(HasSubstr("touchstone-report/gl-code-quality-report.json"), testing::Not(HasSubstr("::error"))));
  EXPECT_EQ(nlohmann::json::parse(content_of(code_quality)).size(), 1U);
  EXPECT_FALSE(fs::exists(scratch.path() / "touchstone-report" / "annotations.txt")) << "of the earlier run";
}

TEST(Failures, AreRunAgain) {
  const TemporaryDirectory scratch;
  corrupt_a_test(scratch);
  copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / "b");
  const std::vector<std::string> again{"run", "--last-failed", "--output", "out"};
  const Outcome without = touchstone(scratch, again);
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_THAT(without.error, HasSubstr("out has no journal.ndjson.gz: give the directory"));
  ASSERT_EQ(touchstone(scratch, {"run", "--data", "tests", "--output", "out", "-q"}).exit_code, 1);

  const Outcome other = touchstone(scratch, {"run", "--last-failed", "--output", "out", "--backend", "reference"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(unwrapped(other.error),
              HasSubstr("--last-failed, of the run in out: that run has --backend 'optimized'"));

  const Outcome failing = touchstone(scratch, again);
  EXPECT_EQ(failing.exit_code, 1);
  EXPECT_THAT(failing.error, HasSubstr("touchstone: runs 1 of 2 cases, those that failed before\n"));
  EXPECT_THAT(failing.out, HasSubstr("Wrong: 1 of 1 legal models"));
  EXPECT_EQ(report_in(scratch.path() / "out")["plan"]["last_failed"], true);
  fs::remove_all(scratch.path() / "tests" / "a");
  copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / "a");
  EXPECT_EQ(touchstone(scratch, again).exit_code, 0) << "the case is mended";

  const Outcome nothing = touchstone(scratch, again);
  EXPECT_EQ(nothing.exit_code, 5);
  EXPECT_THAT(unwrapped(nothing.error), HasSubstr("nothing failed in it: no case was wrong, refused or not judged"));
}

/// The rules of causes depend on right cases, which this run does not have.
TEST(Failures, AreRunAgainWithTheirExpectations) {
  const TemporaryDirectory scratch;
  std::vector<std::string> run{"run",
                               "--suite",
                               "onnx",
                               "-k",
                               "onnx/1.22.0/*",
                               "-q",
                               "--backend",
                               "wrong:ignores-zero-point",
                               "--experiments",
                               "0",
                               "--write-expectations",
                               "known.json"};
  ASSERT_EQ(touchstone(scratch, run).exit_code, 1);
  run[run.size() - 2] = "--expectations";
  ASSERT_EQ(touchstone(scratch, run).exit_code, 0);
  const nlohmann::json before = report_in(scratch.path() / "touchstone-report")["summary"];
  const Outcome again = touchstone(scratch, {"run", "--last-failed", "-q"});
  EXPECT_EQ(again.exit_code, 0) << again.out << again.error;
  const nlohmann::json after = report_in(scratch.path() / "touchstone-report")["summary"];
  EXPECT_EQ(after["cases"], before["expected"]);
  EXPECT_EQ(after["expected"], before["expected"]);
}

TEST(Failures, AreRunAgainEvenIfThatIsInterrupted) {
  const TemporaryDirectory scratch;
  ASSERT_EQ(touchstone(scratch, {"run", "--suite", "onnx", "-k", "onnx/1.22.0/*", "-q", "--backend",
                                 "wrong:ignores-zero-point", "--experiments", "0"})
                .exit_code,
            1);
  const nlohmann::json wrong = report_in(scratch.path() / "touchstone-report")["summary"]["wrong"];
  ASSERT_GT(wrong, 1);
  const Outcome stopped = touchstone(scratch, {"run", "--last-failed", "-x", "-j", "1", "--experiments", "0"});
  EXPECT_THAT(stopped.error, HasSubstr("because of --maxfail: "));
  const Outcome refused = touchstone(scratch, {"run", "--last-failed"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(unwrapped(refused.error), HasSubstr("continue it with touchstone run --resume touchstone-report"));
  EXPECT_EQ(touchstone(scratch, {"run", "--resume", "touchstone-report", "--experiments", "0"}).exit_code, 1);
  const nlohmann::json summary = report_in(scratch.path() / "touchstone-report")["summary"];
  EXPECT_EQ(summary["cases"], wrong);
  EXPECT_EQ(summary["wrong"], wrong);
}

}  // namespace
}  // namespace touchstone::tools::failures_test
