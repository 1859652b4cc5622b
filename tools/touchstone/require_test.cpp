// --require: which refusals fail a run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/touchstone/packs_testing.h"
#include "tools/touchstone/runs_testing.h"

namespace touchstone::tools::require_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Answers to two cases; the legal one is refused.
void refuse_one(const TemporaryDirectory& scratch) {
  export_two(scratch);
  const fs::path answer = scratch.path() / "answers" / legal_path;
  fs::remove_all(answer);
  write_file(answer / "refused.txt", "no kernel");
}

TEST(Require, MakesRefusalsFailARunByDefault) {
  const TemporaryDirectory scratch;
  refuse_one(scratch);
  const Outcome judged = judge(scratch);
  EXPECT_EQ(judged.exit_code, 1) << judged.error;
  EXPECT_THAT(judged.out,
              AllOf(HasSubstr("\n0 right, 0 wrong, 1 refused, 0 not asked, of 1; illegal models: 1 rejected, of 1\n"),
                    HasSubstr("1 of 1 legal models are required and were refused; --assume or --require")));
  EXPECT_THAT(content_of(scratch.path() / "out/report.junit.xml"), HasSubstr("<failure type=\"rejects_valid\""));
}

TEST(Require, SelectsTheCasesThatMustNotBeRefused) {
  const TemporaryDirectory scratch;
  refuse_one(scratch);
  for (const std::string& missed : {std::string("all"), legal_id, std::string("quantize_linear/10/*")}) {
    const Outcome judged = judge(scratch, {"--require", missed});
    EXPECT_EQ(judged.exit_code, 1) << missed << judged.error;
    EXPECT_THAT(judged.out, HasSubstr("1 of 1 legal models are required and were refused or not asked\n")) << missed;
    EXPECT_THAT(content_of(scratch.path() / "out/report.junit.xml"), HasSubstr("<failure")) << missed;
  }
  for (const std::string& met : {std::string("none"), illegal_id, "-" + legal_id}) {
    const Outcome judged = judge(scratch, {"--require", met});
    EXPECT_EQ(judged.exit_code, 0) << met << judged.error;
    EXPECT_THAT(judged.out, AllOf(HasSubstr("1 refused, 0 not asked, of 1; illegal"), Not(HasSubstr("are required"))))
        << met;
    EXPECT_THAT(content_of(scratch.path() / "out/report.junit.xml"),
                AllOf(Not(HasSubstr("<failure")), HasSubstr("<skipped")))
        << met;
    EXPECT_EQ(report_in(scratch.path() / "out")["options"]["require"], met);
    const Outcome again = touchstone(scratch, {"report", "out", "--format", "junit"});
    EXPECT_EQ(again.out, content_of(scratch.path() / "out/report.junit.xml")) << "the journal has the requirement";
  }
}

/// An expectation decides about a refused case whether it is required or not.
TEST(Require, DoesNotChangeExpectations) {
  const TemporaryDirectory scratch;
  refuse_one(scratch);
  const auto expect = [&](const std::string& id, const char* verdict) {
    write_file(scratch.path() / "known.json", R"({"expectations": [{"pattern": ")" + id + R"(", "verdict": ")" +
                                                  verdict + R"(", "reason": "no kernel yet", "issue": "X-1"}]})");
  };
  for (const char* requirement : {"all", "none"}) {
    const std::vector<std::string> options{"--expectations", "known.json", "--require", requirement};
    expect(legal_id, "rejects_valid");
    EXPECT_EQ(judge(scratch, options).exit_code, 0) << requirement;
    EXPECT_EQ(report_in(scratch.path() / "out")["expectations"][0]["met"], 1);
    expect(illegal_id, "accepts_invalid");
    EXPECT_EQ(judge(scratch, options).exit_code, 1) << "an unexpected pass, " << requirement;
  }
}

TEST(Require, CanIncludeCasesThatAreNotAsked) {
  const TemporaryDirectory scratch;
  const std::string newer = "quantize_linear/28/f32-f32-u8/per_tensor/zp/values";
  const std::vector<std::string> run{
      "run", "--suite",  "generated",           "--filter", legal_id + ":" + newer, "--output",
      "out", "--assume", "opsets=ai.onnx:10-21"};
  const auto with = [&](const char* requirement) {
    std::vector<std::string> arguments = run;
    arguments.insert(arguments.end(), {"--require", requirement});
    return touchstone(scratch, arguments);
  };
  EXPECT_EQ(touchstone(scratch, run).exit_code, 0);
  EXPECT_EQ(with("none").exit_code, 0);
  EXPECT_EQ(with("*/10/*").exit_code, 0);
  const Outcome missed = with("*/28/*");
  EXPECT_EQ(missed.exit_code, 1) << missed.error;
  EXPECT_THAT(missed.out, HasSubstr("1 of 2 legal models are required and were refused or not asked\n"));
  EXPECT_THAT(content_of(scratch.path() / "out/report.junit.xml"), HasSubstr("message=\"not asked: --assume"));
  EXPECT_EQ(with("all").exit_code, 1);
}

TEST(Require, FailsIfNothingWasAsked) {
  const TemporaryDirectory scratch;
  const Outcome outcome = touchstone(scratch, {"run", "--suite", "generated", "--filter", legal_id, "--output", "out",
                                               "--assume", "opsets=ai.onnx:13"});
  EXPECT_EQ(outcome.exit_code, 5) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("0 right, 0 wrong, 0 refused, 1 not asked, of 1\n"));
}

TEST(Require, ReportsMistakes) {
  const TemporaryDirectory scratch;
  const std::vector<std::string> run{"run", "--suite", "generated", "--filter", legal_id, "--output", "out"};
  const auto with = [&](const char* requirement) {
    std::vector<std::string> arguments = run;
    arguments.insert(arguments.end(), {"--require", requirement});
    return touchstone(scratch, arguments);
  };
  const Outcome nothing = with("*/28/*");
  EXPECT_EQ(nothing.exit_code, 5);
  EXPECT_THAT(nothing.error, HasSubstr("--require '*/28/*' selects none of the 1 cases of the run"));
  const Outcome unclear = with("*/*-*-u8/*");
  EXPECT_EQ(unclear.exit_code, 2);
  EXPECT_THAT(unclear.error, HasSubstr("--require: "));
  ASSERT_EQ(with("all").exit_code, 0);
  cut_off(scratch.path() / "out/journal.ndjson.gz", 1);
  const Outcome resumed = touchstone(scratch, {"run", "--resume", "out", "--require", "none"});
  EXPECT_EQ(resumed.exit_code, 2);
  EXPECT_THAT(resumed.error, HasSubstr("that run has --require 'all', not 'none'"));
  EXPECT_THAT(touchstone(scratch, {"run", "--help"}).out, HasSubstr("--require WHAT"));
}

}  // namespace
}  // namespace touchstone::tools::require_test
