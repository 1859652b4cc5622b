// The tier exhaustive, as users see it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "conformance/run/journal_testing.h"
#include "tools/touchstone/program_testing.h"

namespace touchstone::tools::exhaustive_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string sweep = "exhaustive/quantize_linear/28/f32-f32-u8/per_tensor/zp/scale=0x3dcccccd/zp=0x80/x=0x";

std::vector<std::string> of_the_tier(std::vector<std::string> arguments, const std::string& filter) {
  arguments.insert(arguments.end(), {"--tier", "exhaustive", "--suite", "generated", "--filter", filter});
  return arguments;
}

TEST(ExhaustiveTier, ReportsWhatItCovered) {
  const TemporaryDirectory scratch;
  const std::string filter = "exhaustive/dequantize_linear/28/i2-f16-f32/*:" + sweep + "3*:" + sweep + "4*";
  const Outcome run =
      touchstone(scratch, of_the_tier({"run", "--backend", "optimized", "--output", "out", "--quiet"}, filter));
  EXPECT_EQ(run.exit_code, 0) << run.out << run.error;
  EXPECT_THAT(run.out, HasSubstr("20 right, 0 wrong, 0 refused, 0 not asked, of 20\n"));
  EXPECT_THAT(run.out, HasSubstr("covered without gaps, every combination of these codes:\n"
                                 "  QuantizeLinear-28 per_tensor f32-f32-u8\n"
                                 "    x           0x30000000..0x4fffffff\n"
                                 "    scale       0x3dcccccd\n"
                                 "    zero point  0x80\n"
                                 "    elements    536870912\n"
                                 "  DequantizeLinear-28 per_axis i2-f16-f32\n"
                                 "    x           0x0..0x3\n"
                                 "    scale       0x0001, 0x03ff..0x0400, "));
  EXPECT_THAT(run.out, HasSubstr("    zero point  0x0..0x3\n    elements    288\n"));
  EXPECT_THAT(content_of(scratch.path() / "out" / "report.md"),
              HasSubstr("| QuantizeLinear-28 per\\_tensor | f32-f32-u8 | 0x30000000..0x4fffffff | 0x3dcccccd | 0x80 | "
                        "536870912 |\n"));
  const nlohmann::json report = report_in(scratch.path() / "out");
  ASSERT_EQ(report["covered"].size(), 2U);
  const nlohmann::json& covered = report["covered"][0];
  EXPECT_EQ(covered["cell"], "quantize_linear/28/f32-f32-u8/per_tensor/zp");
  EXPECT_EQ(covered["x"], nlohmann::json::parse(R"({"type": "float",
                              "intervals": [{"first": "0x30000000", "last": "0x4fffffff"}]})"));
  EXPECT_EQ(report["covered"][1]["zero_point"],
            nlohmann::json::parse(R"({"type": "int2", "intervals": [{"first": "0x0", "last": "0x3"}]})"));
  EXPECT_EQ(report["summary"]["elements"]["judged"], 536870912 + 288);
  EXPECT_EQ(touchstone(scratch, {"report", "out"}).exit_code, 0);
}

TEST(ExhaustiveTier, IsListedExplainedAndReplayed) {
  const TemporaryDirectory scratch;
  const std::string id = sweep + "30000000..0x3fffffff";
  EXPECT_EQ(touchstone(scratch, of_the_tier({"list"}, sweep + "3*")).out, id + "\n");
  const std::vector<std::string> plan{"--tier", "exhaustive", "--suite", "generated"};
  const auto with_plan = [&](const std::vector<std::string>& arguments) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), plan.begin(), plan.end());
    return touchstone(scratch, all);
  };
  const Outcome explained = with_plan({"explain", id});
  EXPECT_EQ(explained.exit_code, 0) << explained.error;
  EXPECT_THAT(explained.out, AllOf(HasSubstr("ql-round-half-even"), HasSubstr("(0x30000000)")));
  const Outcome replayed = with_plan({"replay", id, "--backend", "optimized", "--write", "written"});
  EXPECT_EQ(replayed.exit_code, 0) << replayed.error;
  EXPECT_TRUE(fs::exists(scratch.path() / "written" / "model.onnx"));
  EXPECT_THAT(touchstone(scratch, of_the_tier({"coverage"}, sweep + "3*")).out, HasSubstr("1 of  "));
}

/// The reference would take minutes for a sweep.
TEST(ExhaustiveTier, CanBeInterruptedWithinASweepAndResumed) {
  const TemporaryDirectory scratch;
  const pid_t slow = start(scratch, of_the_tier({"run", "--output", "slow"}, sweep + "4*"));
  std::error_code error;
  const fs::path journal = scratch.path() / "slow" / "journal.ndjson.gz";
  while (!fs::exists(journal, error)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ::kill(slow, SIGINT);
  const Outcome interrupted = wait_for(scratch, slow);
  EXPECT_EQ(interrupted.exit_code, 4) << interrupted.error;
  EXPECT_THAT(interrupted.out, HasSubstr("1 of 1 cases are not run"));

  const std::string four = sweep + "4*:" + sweep + "5*:" + sweep + "6*:" + sweep + "7*";
  const std::vector<std::string> fast{"run", "--backend", "optimized", "--jobs", "2", "--output"};
  const auto run_to = [&](const char* output) {
    std::vector<std::string> arguments = fast;
    arguments.emplace_back(output);
    return of_the_tier(arguments, four);
  };
  ASSERT_EQ(touchstone(scratch, run_to("whole")).exit_code, 0);
  const pid_t child = start(scratch, run_to("part"));
  const fs::path part = scratch.path() / "part" / "journal.ndjson.gz";
  while (!fs::exists(part, error) || content_of(part).find("\"verdict\"") == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ::kill(child, SIGINT);
  EXPECT_EQ(wait_for(scratch, child).exit_code, 4);
  const Outcome resumed = touchstone(scratch, {"run", "--resume", "part"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.error;
  EXPECT_EQ(conformance::without_times(content_of(part)),
            conformance::without_times(content_of(scratch.path() / "whole" / "journal.ndjson.gz")));
}

}  // namespace
}  // namespace touchstone::tools::exhaustive_test
