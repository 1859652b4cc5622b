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

}  // namespace
}  // namespace touchstone::tools::failures_test
